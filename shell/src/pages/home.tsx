import { Page } from '@wattle/ui';
import type { ReactElement } from 'react';
import { FormattedMessage } from 'react-intl';
import { Slot } from '../slot';
import { Tile, Tiles } from './tiles';

/** /home exists when a remote of the label fills its slot (2.1-home-content); the label chooses its content (2.1-home-1060). */
export default function Home(): ReactElement {
  return (
    <Page width="wide" title={<FormattedMessage id="shell.home.title" defaultMessage="Home" />}>
      <Tiles>
        <Slot name="home" props={{}} frame={Tile} />
      </Tiles>
    </Page>
  );
}
