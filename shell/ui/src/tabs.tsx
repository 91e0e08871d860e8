import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import styled from 'styled-components';

/** A tab of Tabs. */
export interface Tab {
  /** Unique among the tabs; used in `value` and `onChange`. */
  id: string;
  /** Visible text of the tab. */
  title: ReactNode;
  /** The content of the tab. */
  content: ReactNode;
}

export interface TabsProps {
  /** Name of the tab list, for screen readers. */
  label: string;
  /** The tabs, in the order shown. */
  tabs: readonly Tab[];
  /**
   * Id of the selected tab, when the page controls it. Without it the component keeps its own state, starting with the first tab.
   */
  value?: string | undefined;
  /** Called with the id of the tab that was selected. */
  onChange?: ((id: string) => void) | undefined;
}

/**
 * Tabs. Arrow keys, Home and End move focus and select; Tab moves to the content (the tabs pattern of the ARIA Authoring
 * Practices).
 */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const base = useId();
  const [own, setOwn] = useState(tabs[0]?.id);
  const chosen = value ?? own;
  const list = useRef<HTMLDivElement>(null);
  const choose = (id: string) => {
    setOwn(id);
    onChange?.(id);
  };
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    choose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };
  const shown = tabs.find((tab) => tab.id === chosen);
  return (
    <div>
      <List role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <Handle
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            id={`${base}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={tab.id === chosen ? `${base}-panel` : undefined}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.title}
          </Handle>
        ))}
      </List>
      <Panel role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`} tabIndex={0}>
        {shown?.content}
      </Panel>
    </div>
  );
}

export interface SegmentedProps<V extends string> {
  /** Name of the group, for screen readers. */
  label: string;
  /** The options with their texts, in the order shown. */
  options: readonly { value: V; text: ReactNode }[];
  /** The selected option. */
  value: V;
  /** Called with the option that was selected. */
  onChange(value: NoInfer<V>): void;
}

/** A choice between a few visible options: radio buttons that look like one control. */
export function Segmented<V extends string>({ label, options, value, onChange }: SegmentedProps<V>) {
  const name = useId();
  return (
    <Segments role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>{option.text}</span>
        </label>
      ))}
    </Segments>
  );
}

const List = styled.div`display: flex; flex-wrap: wrap; gap: 4px; border-bottom: 1px solid var(--w-line); padding: 4px 4px 0; margin: -4px -4px 0;`;
const Handle = styled.button`
  min-height: 48px; padding: 8px 16px; white-space: nowrap; border-radius: var(--w-radius-control) var(--w-radius-control) 0 0; color: var(--w-text-quiet);
  border-bottom: 3px solid transparent; margin-bottom: -1px; transition: background-color 160ms, border-color 160ms;
  &:hover { background: var(--w-tint); color: var(--w-text); }
  &[aria-selected='true'] { color: var(--w-primary-ink); border-color: var(--w-primary-ink); font-weight: 600; }
  &:focus-visible:focus-visible { outline-offset: -3px; box-shadow: none; }
`;
const Panel = styled.div`padding-top: 24px; border-radius: var(--w-radius-control);`;
const Segments = styled.div`
  display: flex; width: fit-content; max-width: 100%; padding: 3px; gap: 2px; border-radius: var(--w-radius-control); background: var(--w-surface); border: 1px solid var(--w-control-line);
  label { position: relative; cursor: pointer; flex: 1 1 auto; }
  input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: inherit; }
  span {
    display: flex; align-items: center; justify-content: center; min-height: 40px; padding: 4px 16px; border-radius: calc(var(--w-radius-control) - 2px); white-space: nowrap;
    transition: background-color 160ms;
  }
  label:hover span { background: var(--w-tint); }
  input:checked + span { background: var(--w-primary); color: var(--w-on-primary); font-weight: 600; }
  @media (forced-colors: active) { input:checked + span { forced-color-adjust: none; background: Highlight; color: HighlightText; } }
  @media print { input:checked + span { color: var(--w-text); } } /* backgrounds are not printed */
  input:focus-visible + span { outline: 3px solid var(--w-focus); outline-offset: 2px; box-shadow: 0 0 0 2px #fff; }
  @media (max-width: 767px) { span { padding: 4px 10px; } &:has(> :nth-child(5)) span { padding: 4px 6px; font-size: 14px; } }
`;
