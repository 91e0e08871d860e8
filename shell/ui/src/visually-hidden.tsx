import styled from 'styled-components';

/** Content for screen readers only. */
export const VisuallyHidden = styled.span`
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
`;

/**
 * The first tab stop of a page (face-skip-link): hidden until it has focus. A plain fragment link, which the router does not
 * handle.
 */
export const SkipLink = styled.a.attrs((props) => ({ href: props.href ?? '#content' }))`
  position: fixed; z-index: 400; left: 16px; top: 8px; padding: 12px 20px; border-radius: var(--w-radius-control);
  background: var(--w-surface); color: var(--w-primary-ink); font-weight: 600;
  &:not(:focus) { width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
`;
