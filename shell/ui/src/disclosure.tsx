import { createContext, type ReactNode, use, useId, useState } from 'react';
import styled from 'styled-components';
import { Icon } from './icon';

interface AccordionState {
  /** Id of the open disclosure; null when all are closed; undefined before the first click, when each follows its own props. */
  open: string | null | undefined;
  setOpen(id: string | null): void;
}
const AccordionContext = createContext<AccordionState | null>(null);

export interface DisclosureProps {
  /** The heading, which opens and closes the content. */
  title: ReactNode;
  /** Shown at the right, even when closed, e.g. the most important number of the content. */
  summary?: ReactNode;
  /** Whether it is open, when the page controls it; without it the component keeps its own state. */
  open?: boolean | undefined;
  /** Whether it is initially open. */
  defaultOpen?: boolean | undefined;
  /** Called with the new state after a click. */
  onToggle?: ((open: boolean) => void) | undefined;
  /** Heading level in the page outline. */
  level?: 2 | 3 | 4 | undefined;
  /** The content. */
  children: ReactNode;
}

/**
 * A heading that shows and hides its content. Closed content stays in the document, so that it keeps its state and "find in page"
 * finds it.
 */
export function Disclosure({ title, summary, open, defaultOpen = false, onToggle, level = 3, children }: DisclosureProps) {
  const id = useId();
  const together = use(AccordionContext);
  const [own, setOwn] = useState(defaultOpen);
  const isOpen = open ?? (together && together.open !== undefined ? together.open === id : own);
  const toggle = () => {
    setOwn(!isOpen);
    together?.setOpen(isOpen ? null : id);
    onToggle?.(!isOpen);
  };
  const Heading = `h${level}` as const;
  return (
    <Frame>
      <Heading>
        <Handle type="button" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
          <Name>{title}</Name>
          {summary && <Summary>{summary}</Summary>}
          <Icon name="down" />
        </Handle>
      </Heading>
      <Content id={id} hidden={!isOpen}>
        {children}
      </Content>
    </Frame>
  );
}

export interface AccordionProps {
  /** The Disclosures, directly or in a fragment. */
  children: ReactNode;
  /** Opening one disclosure closes the others. By default they are independent. */
  single?: boolean | undefined;
}

/** Renders several Disclosures as one box with lines between them, such as a list of questions and answers. */
export function Accordion({ children, single }: AccordionProps) {
  const [open, setOpen] = useState<string | null>();
  return (
    <Box>
      <AccordionContext value={single ? { open, setOpen } : null}>{children}</AccordionContext>
    </Box>
  );
}

const Frame = styled.div`border-radius: var(--w-radius); border: 1px solid var(--w-line); background: var(--w-surface);`;
const Box = styled.div`
  border-radius: var(--w-radius); border: 1px solid var(--w-line); background: var(--w-surface);
  ${Frame} { border-width: 1px 0 0; border-radius: 0; background: none; }
  ${Frame}:first-child { border-top: 0; }
`;
const Handle = styled.button`
  display: flex; align-items: center; gap: 12px; width: 100%; min-height: 56px; padding: 8px calc(var(--w-pad) - 5px) 8px var(--w-pad); border-radius: calc(var(--w-radius) - 1px);
  font-weight: 600; transition: background-color 160ms;
  svg { transition: transform 160ms; color: var(--w-text-quiet); }
  &[aria-expanded='true'] svg { transform: rotate(180deg); }
  &:hover { background: var(--w-tint); }
  &:focus-visible:focus-visible { outline-offset: -3px; box-shadow: none; }
  @media (max-width: 374px) { flex-wrap: wrap; gap: 4px 12px; position: relative; padding-right: 48px; > svg { position: absolute; top: 18px; right: 16px; } }
`;
/** As wide as its longest word at least, so that a long summary breaks before a word of the name does. */
const Name = styled.span`flex: 1 1 55%; min-width: min-content;`;
const Summary = styled.span`font-family: var(--w-font), var(--w-font-fallback, Arial), sans-serif; font-weight: 400; color: var(--w-text-quiet); font-variant-numeric: tabular-nums; text-align: end;`;
const Content = styled.div`
  padding: 8px var(--w-pad) var(--w-pad);
  @media (max-width: 767px) { padding-top: 4px; }
`;
