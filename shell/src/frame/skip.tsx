import type { ReactElement } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';

/** face-skip-link: the first tab stop of every page. A plain fragment link, which the router does not handle. */
export function Skip(): ReactElement {
  return (
    <Jump
      href="#content"
      onClick={(e) => {
        e.preventDefault();
        const main = document.getElementById('content');
        main?.focus();
        main?.scrollIntoView();
      }}
    >
      <FormattedMessage id="shell.skip" defaultMessage="Skip to the content" />
    </Jump>
  );
}

const Jump = styled.a`
  position: fixed; z-index: 400; left: 16px; top: 8px; padding: 12px 20px; border-radius: var(--w-radius-control);
  background: var(--w-surface); color: var(--w-primary-ink); font-weight: 600;
  &:not(:focus) { width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
`;
