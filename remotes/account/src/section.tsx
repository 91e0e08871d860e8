import { useLocation, usePortal } from '@wattle/sdk';
import { Disclosure } from '@wattle/ui';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styled from 'styled-components';

/** Returns whether this is the page on which members land. */
export const useLanding = (): boolean => usePortal().landing === '/account';

interface PartProps {
  /** The anchor of the section. */
  id: string;
  title: string;
  /** The section's most important line, shown while it is closed. */
  summary?: ReactNode;
  /** It is what most customers come for: open at first, except where members land on this page. */
  first?: boolean;
  children: ReactNode;
}

/**
 * A section of the account page, closed at first to a row with its most important line. Its heading opens it, and so does a link to
 * its anchor (9-account-sections).
 */
export function Part({ id, title, summary, first = false, children }: PartProps) {
  const isLanding = useLanding(); // the page then has a heading above the groups
  const { hash, key } = useLocation();
  const place = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(first && !isLanding);
  const asked = hash === `#${id}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the same link is followed once more
  useEffect(() => {
    if (!asked) return;
    setOpen(true);
    place.current?.querySelector('button')?.focus();
    place.current?.scrollIntoView?.();
  }, [asked, key]);
  return (
    <Place id={id} ref={place} aria-label={title}>
      <Disclosure
        level={isLanding ? 4 : 3}
        open={open}
        onToggle={setOpen}
        title={
          <Row>
            <Title>{title}</Title>
            {!open && summary && <Line>{summary}</Line>}
          </Row>
        }
      >
        {children}
      </Disclosure>
    </Place>
  );
}

/** Sections under a small heading, as the rows of one card; a promo is outside of it, usually below. Nothing without sections. */
export function Group({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Sections role="group" aria-labelledby={id}>
      <GroupTitle as={useLanding() ? 'h3' : 'h2'} id={id}>
        {title}
      </GroupTitle>
      <Parts>{children}</Parts>
    </Sections>
  );
}

const Sections = styled.div`
  & + & { margin-top: 8px; }
  &:not(:has(section)) { display: none; }
`;
const GroupTitle = styled.h2`font-size: 14px; color: var(--w-text-quiet); margin-bottom: 8px;`;
const Parts = styled.div`
  > * { min-width: 0; } > div, > div + section { margin-top: 24px; }
  > section { border: 1px solid var(--w-line); border-bottom-width: 0; background: var(--w-surface); > div { border: 0; background: none; } }
  > section:first-of-type, > div + section { border-start-start-radius: var(--w-radius); border-start-end-radius: var(--w-radius); }
  > section:last-of-type, > section:has(+ div) { border-bottom-width: 1px; border-end-start-radius: var(--w-radius); border-end-end-radius: var(--w-radius); }
`;
const Place = styled.section`scroll-margin-top: 80px;`;
/** All lines begin at one x; on a phone they are below the titles. */
const Row = styled.span`
  display: grid; grid-template-columns: 272px minmax(0, 1fr); gap: 0 16px; align-items: baseline;
  @media (max-width: 767px) { grid-template-columns: minmax(0, 1fr); }
`;
const Title = styled.span`display: block; font-size: 16px; overflow-wrap: anywhere;`;
/** On one line, whose height is reserved before the text is known. */
const Line = styled.span`
  display: block; min-height: 21px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-family: var(--w-font), var(--w-font-fallback, Arial), sans-serif;
  font-size: 14px; font-weight: 400; line-height: 1.5; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;
`;
