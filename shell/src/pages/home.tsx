import { Card, Page } from '@wattle/ui';
import type { ReactElement, ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { Slot } from '../slot';

/** /home is there when a remote of the label fills its slot. */
export default function Home(): ReactElement {
  return (
    <Page width="wide" title={<FormattedMessage id="shell.home.title" defaultMessage="Home" />}>
      <Parts>
        <Slot name="home" props={{}} frame={part} />
      </Parts>
    </Page>
  );
}

const part = ({
  id,
  title,
  size,
  children,
}: {
  id: string;
  title?: string;
  size: 'third' | 'half' | 'two-thirds' | 'full';
  children: ReactNode;
}) => (
  <Cell key={id} $size={size}>
    <Card title={title}>{children}</Card>
  </Cell>
);
const Parts = styled.div`display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 16px;`;
const Cell = styled.div<{ $size: 'third' | 'half' | 'two-thirds' | 'full' }>`
  grid-column: span ${(p) => ({ third: 2, half: 3, 'two-thirds': 4, full: 6 })[p.$size]};
  > section { height: 100%; }
  @media (max-width: 959px) { grid-column: span 6; }
`;
