import { type HTMLAttributes, type ReactNode, useId } from 'react';
import styled from 'styled-components';

export interface CardProps extends Omit<HTMLAttributes<HTMLElement>, 'title'> {
  /** Heading of the card, which also names it for screen readers. */
  title?: ReactNode;
  /** Heading level in the page outline. */
  level?: 2 | 3 | 4 | undefined;
  /** Content to the right of the title. */
  actions?: ReactNode;
  /** `tint` gives the card a background color instead of a border. */
  tone?: 'plain' | 'tint' | undefined;
  /** Content below a line at the bottom. */
  footer?: ReactNode;
  /** Removes the padding around the children, for lists that reach the edge. */
  flush?: boolean | undefined;
}

/** A box with a title and related content. */
export function Card({ title, level = 2, actions, tone = 'plain', footer, flush, children, ...props }: CardProps) {
  const heading = useId();
  return (
    <Box aria-labelledby={title ? heading : undefined} {...props} $tone={tone} $flush={flush}>
      {(title || actions) && (
        <Head>
          {title && (
            <Title as={`h${level}`} id={heading}>
              {title}
            </Title>
          )}
          {actions}
        </Head>
      )}
      <Body $flush={flush} $below={Boolean(title || actions)}>
        {children}
      </Body>
      {footer && <Foot>{footer}</Foot>}
    </Box>
  );
}

/** On a phone, a table inside becomes a list of cards, so the box around it is removed. */
const Box = styled.section<{ $tone: 'plain' | 'tint'; $flush: boolean | undefined }>`
  display: flex; flex-direction: column; min-width: 0; border-radius: var(--w-radius);
  background: ${(p) => (p.$tone === 'tint' ? 'var(--w-tint)' : 'var(--w-surface)')};
  border: 1px solid ${(p) => (p.$tone === 'tint' ? 'transparent' : 'var(--w-line)')}; ${(p) => (p.$flush ? 'overflow: clip;' : '')}
  @media (max-width: 767px) { &:has(> div > table) { background: none; border: 0; border-radius: 0; overflow: visible; > div { padding-inline: 0; } } }
`;
const Head = styled.div`
  display: flex; align-items: center; justify-content: space-between; gap: 4px 16px; flex-wrap: wrap; padding: calc(var(--w-pad) - 4px) var(--w-pad) 0; min-height: calc(var(--w-pad) + 28px);
  > :not(h2, h3, h4) { margin-block: -10px; }
  @media (max-width: 767px) { gap: 12px 16px; padding-top: var(--w-pad); > :not(h2, h3, h4) { margin-block: 0; } }
`;
const Title = styled.h2`font-size: 20px;`;
const Body = styled.div<{ $flush?: boolean | undefined; $below: boolean }>`
  flex: 1; min-width: 0; padding: ${(p) => (p.$flush ? (p.$below ? '12px 0 0' : 0) : p.$below ? '12px var(--w-pad) var(--w-pad)' : 'var(--w-pad)')};
  ${(p) => (p.$below ? '@media (max-width: 767px) { padding-top: 8px; }' : '')}
`;
const Foot = styled.div`
  border-top: 1px solid var(--w-line); padding: 12px var(--w-pad);
  @media (max-width: 767px) { padding-block: 8px; }
`;
