import { useLocation, usePortal } from '@wattle/sdk';
import { Disclosure } from '@wattle/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styled from 'styled-components';
import { isOpenAtFirst } from './section.rules';

interface PartProps {
  /** The anchor of the section. */
  id: string;
  title: string;
  /** The section's most important line, shown while it is closed. */
  summary?: ReactNode;
  first?: boolean;
  long?: boolean;
  children: ReactNode;
}

/** A section of the account page. Its heading opens it, and so does a link to its anchor (9-account-sections). */
export function Part({ id, title, summary, first, long, children }: PartProps) {
  const { kind } = usePortal();
  const { hash, key } = useLocation();
  const place = useRef<HTMLElement>(null);
  const below = kind === 'participant'; // the page has a heading above the sections
  const [open, setOpen] = useState(() => isOpenAtFirst({ phone: isPhone(), kind, first, long }));
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
        level={below ? 3 : 2}
        open={open}
        onToggle={setOpen}
        title={
          <>
            <Title $small={below}>{title}</Title>
            {!open && summary && <Line>{summary}</Line>}
          </>
        }
      >
        {children}
      </Disclosure>
    </Place>
  );
}

const isPhone = () => window.matchMedia?.('(max-width: 767px)').matches ?? false;

/** The sections of the page; on a phone the rows are close together, like an index. */
export const Parts = styled.div`display: flex; flex-direction: column; gap: 24px; @media (max-width: 767px) { gap: 8px; > div { margin-top: 16px; } } > * { min-width: 0; }`;
const Place = styled.section`scroll-margin-top: 80px;`;
const Title = styled.span<{
  $small: boolean;
}>`display: block; font-size: ${(p) => (p.$small ? 16 : 20)}px; @media (max-width: 767px) { font-size: 16px; }`;
/** On one line, whose height is reserved before the text is known. */
const Line = styled.span`
  display: block; min-height: 21px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-family: var(--w-font), var(--w-font-fallback, Arial), sans-serif;
  font-size: 14px; font-weight: 400; line-height: 1.5; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;
`;
