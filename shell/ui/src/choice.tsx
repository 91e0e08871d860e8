import { type KeyboardEvent, type MouseEvent, type ReactNode, type Ref, useId } from 'react';
import styled from 'styled-components';
import { Box, FieldError, FieldFrame, type FieldProps, Hint, useFieldIds } from './field';
import { Icon } from './icon';
import { frameProps } from './text-field';

/** An option of a Select. */
export interface SelectOption {
  /** The value that is passed to `onChange`. */
  value: string;
  /** The visible text of the option. */
  text: string;
  /** Options with the same group are listed together under its name. */
  group?: string | undefined;
}

export interface SelectProps extends FieldProps {
  /** The `value` of the selected option; '' for the empty option. */
  value: string;
  /** Called with the `value` of the selected option, or '' for the empty option. */
  onChange(value: string): void;
  /** The options, in the order shown. */
  options: readonly SelectOption[];
  /** The text of the empty option, e.g. "Kies een onderwerp". */
  empty?: string | undefined;
  /** What the browser may autofill: a token of the HTML attribute `autocomplete`. */
  autoComplete?: string | undefined;
  /** Called when focus leaves the field. */
  onBlur?: (() => void) | undefined;
  /** The `<select>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLSelectElement> | undefined;
}

/** A native select: its list works best on a phone and needs no code of ours. */
export function Select({ value, onChange, options, empty, autoComplete, onBlur, ref, ...props }: SelectProps) {
  const { id, control } = useFieldIds(props);
  const still = props.disabledReason ? readOnlySelect : {};
  return (
    <FieldFrame id={id} {...frameProps(props)}>
      <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
        <Native
          {...control}
          {...still}
          ref={ref}
          value={value}
          autoComplete={autoComplete}
          onBlur={onBlur && (() => onBlur())}
          onChange={(event) => onChange(event.target.value)}
        >
          {empty !== undefined && <option value="">{empty}</option>}
          <Options options={options} />
        </Native>
        <Chevron>
          <Icon name="down" />
        </Chevron>
      </Box>
    </FieldFrame>
  );
}

export function Options({ options }: { options: readonly SelectOption[] }) {
  const groups = [...new Set(options.map((option) => option.group))];
  return groups.map((group) => {
    const own = options
      .filter((option) => option.group === group)
      .map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ));
    return group === undefined ? (
      own
    ) : (
      <optgroup key={group} label={group}>
        {own}
      </optgroup>
    );
  });
}

/** A select has no `readOnly`: these handlers keep it in the tab order but its list closed. */
const readOnlySelect = {
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Tab') event.preventDefault();
  },
};

export interface CheckboxProps {
  /** Whether the box is checked. */
  checked: boolean;
  /** Called with the new state. */
  onChange(checked: boolean): void;
  /** The label; may contain links. */
  children: ReactNode;
  /** The field's name in the form's `errors`, and the `name` of the `<input>`. */
  name?: string | undefined;
  /** Small text under the label. */
  hint?: ReactNode;
  /** The error and how to correct it, shown under the box. */
  error?: ReactNode;
  /** Why the box cannot be changed now; it stays focusable and readable. */
  disabledReason?: ReactNode;
  /** Whether the box must be checked. This only informs screen readers, so the form itself must check it. */
  required?: boolean | undefined;
}

export function Checkbox({ checked, onChange, children, ...props }: CheckboxProps) {
  const { id, control } = useFieldIds(props);
  return (
    <div>
      <Choice>
        <input
          {...control}
          type="checkbox"
          checked={checked}
          onChange={(event) => {
            if (!props.disabledReason) onChange(event.target.checked);
          }}
        />
        <Mark aria-hidden="true">
          <Icon name="check" size={16} />
        </Mark>
        <span>
          <label htmlFor={id}>{children}</label>
          {props.hint && <Hint id={`${id}-hint`}>{props.hint}</Hint>}
        </span>
      </Choice>
      {props.error && <FieldError id={`${id}-error`}>{props.error}</FieldError>}
      {props.disabledReason && <Hint id={`${id}-reason`}>{props.disabledReason}</Hint>}
    </div>
  );
}

/** An option of a RadioGroup. */
export interface RadioOption {
  /** The value that is passed to `onChange`. */
  value: string;
  /** The visible label of the option. */
  text: ReactNode;
  /** Small text under the label. */
  hint?: ReactNode;
  /** Why this option cannot be selected now; it stays readable. */
  disabledReason?: ReactNode;
}

export interface RadioGroupProps extends FieldProps {
  /** The `value` of the selected option; null when none is selected. */
  value: string | null;
  /** Called with the `value` of the selected option. */
  onChange(value: string): void;
  /** The options, in the order shown. */
  options: readonly RadioOption[];
  /** `card` puts a box around each option. */
  variant?: 'plain' | 'card' | undefined;
}

export function RadioGroup({ value, onChange, options, variant = 'plain', ...props }: RadioGroupProps) {
  const { id } = useFieldIds(props);
  const group = useId();
  return (
    <FieldFrame id={id} group {...frameProps(props)}>
      <Group $card={variant === 'card'}>
        {options.map((option) => {
          const own = `${id}-${option.value}`;
          const blocked = props.disabledReason ?? option.disabledReason;
          return (
            <Choice key={option.value} $card={variant === 'card'} data-checked={option.value === value || undefined}>
              <input
                type="radio"
                id={own}
                name={props.name ?? group}
                value={option.value}
                checked={option.value === value}
                aria-disabled={blocked ? true : undefined}
                aria-invalid={props.error ? true : undefined}
                aria-describedby={
                  [option.hint && `${own}-hint`, option.disabledReason && `${own}-reason`, props.error && `${id}-error`]
                    .filter(Boolean)
                    .join(' ') || undefined
                }
                onChange={() => {
                  if (!blocked) onChange(option.value);
                }}
              />
              <Mark $round aria-hidden="true" />
              <span>
                <label htmlFor={own}>{option.text}</label>
                {option.hint && <Hint id={`${own}-hint`}>{option.hint}</Hint>}
                {option.disabledReason && <Hint id={`${own}-reason`}>{option.disabledReason}</Hint>}
              </span>
            </Choice>
          );
        })}
      </Group>
    </FieldFrame>
  );
}

const Native = styled.select`
  appearance: none; cursor: pointer; padding-right: 40px !important; text-overflow: ellipsis;
  option, optgroup { color: #17211b; background: #fff; }
`;
const Chevron = styled.span`pointer-events: none; margin-left: -36px; padding-right: 12px; color: var(--w-text-quiet); display: inline-grid;`;
const Group = styled.div<{ $card: boolean }>`display: flex; flex-direction: column; gap: ${(p) => (p.$card ? '8px' : '4px')};`;
const Mark = styled.span<{ $round?: boolean }>`
  display: grid; place-items: center; width: 24px; height: 24px; flex: none; border: 1px solid var(--w-control-line); background: var(--w-surface);
  border-radius: ${(p) => (p.$round ? '50%' : 'min(6px, var(--w-radius-control))')}; color: #fff; transition: background-color 160ms, border-color 160ms; pointer-events: none;
  ${(p) => (p.$round ? "&::after { content: ''; width: 10px; height: 10px; border-radius: 50%; }" : '')}
`;
/** The whole row is clickable: the invisible input covers the mark and the gap, and the label activates it too. */
const Choice = styled.div<{ $card?: boolean }>`
  position: relative; display: flex; gap: 12px; align-items: flex-start; padding: ${(p) => (p.$card ? '16px' : '10px 0')}; min-height: 44px; width: ${(p) => (p.$card ? 'auto' : 'fit-content')};
  input { position: absolute; left: ${(p) => (p.$card ? '0' : '-10px')}; top: 0; width: ${(p) => (p.$card ? '100%' : '44px')}; height: ${(p) => (p.$card ? '100%' : '44px')}; margin: 0; opacity: 0; cursor: pointer; }
  label { cursor: pointer; } a { position: relative; z-index: 1; }
  > span:last-child { display: flex; flex-direction: column; }
  input:hover + ${Mark} { border-color: var(--w-text); background: var(--w-tint); }
  input:checked + ${Mark} { background: var(--w-primary-ink); border-color: var(--w-primary-ink); }
  input:not(:checked) + ${Mark} > svg { visibility: hidden; }
  @media (forced-colors: active) { input:checked + ${Mark} { forced-color-adjust: none; background: Highlight; color: HighlightText; } }
  input:checked + ${Mark}::after { background: #fff; }
  input[aria-invalid] + ${Mark} { border-color: var(--w-negative); box-shadow: inset 0 0 0 1px var(--w-negative); }
  input:focus-visible + ${Mark} { outline: 3px solid var(--w-focus); outline-offset: 2px; box-shadow: 0 0 0 2px #fff; }
  input[aria-disabled] { cursor: not-allowed; } input[aria-disabled] + ${Mark} { opacity: .6; background: var(--w-tint); }
  input[aria-disabled]:checked + ${Mark} { background: var(--w-text-quiet); border-color: transparent; }
  input[aria-disabled] ~ span label { color: var(--w-text-quiet); cursor: not-allowed; }
  ${(p) => (p.$card ? 'border: 1px solid var(--w-line); border-radius: var(--w-radius-control); background: var(--w-surface); &:hover { border-color: var(--w-control-line); } &[data-checked] { border-color: var(--w-primary-ink); box-shadow: inset 0 0 0 1px var(--w-primary-ink); background: var(--w-tint); }' : '')}
`;
