import { Page } from '@wattle/ui';
import type { ReactElement } from 'react';
import styled from 'styled-components';
import { useGreeting } from '../greeting';
import { Slot, useSlot } from '../slot';
import { Tile, Tiles } from './tiles';

/** /home exists if a remote of the label fills its slot (2.1-home-content); the label chooses its content (2.1-home-1060). */
export default function Home(): ReactElement {
  // If the first tile has its own row, such as a member's shares, its number comes first, then what must be paid, then notices.
  const wide = useSlot('home')[0]?.size === 'full';
  const others = (
    <>
      <Slot name="due" props={{}} />
      <Slot name="notice" props={{}} />
    </>
  );
  return (
    <Page width="wide" title={useGreeting()}>
      <Tiles>
        {!wide && others}
        <Slot name="home" props={{}} frame={frame} after={wide && others} />
      </Tiles>
    </Page>
  );
}

/** Small tiles are what customers seldom come for, so they have no box and small text (9-home-quiet). */
const frame: typeof Tile = (tile) => {
  const drawn = <Tile {...tile} />;
  return tile.size === 'third' ? <Quiet>{drawn}</Quiet> : drawn;
};
const Quiet = styled.div`
  display: contents; font-size: 14px;
  section { border-width: 1px 0 0; border-radius: 0; background: none; }
  section > div { padding-inline: 0; }
  h2 { font-size: 16px; }
  a { display: inline-block; padding-block: 2px; }
`;
