import { Page } from '@wattle/ui';
import type { ReactElement } from 'react';
import { useGreeting } from '../greeting';
import { Slot, useSlot } from '../slot';
import { Tile, Tiles } from './tiles';

/** /home exists if a remote of the label fills its slot (2.1-home-content); the label chooses its content (2.1-home-1060). */
export default function Home(): ReactElement {
  // If the first tile has its own row, such as a member's shares, notices are below it, so that its number comes first.
  const wide = useSlot('home')[0]?.size === 'full';
  const notices = <Slot name="notice" props={{}} />;
  return (
    <Page width="wide" title={useGreeting()}>
      {!wide && notices}
      <Tiles>
        <Slot name="home" props={{}} frame={Tile} after={wide && notices} />
      </Tiles>
    </Page>
  );
}
