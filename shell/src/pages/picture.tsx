import type { CSSProperties, ReactElement } from 'react';
import styled from 'styled-components';
import type { Card } from '../portal';

/** A small picture of a brand: its logo, its header, and a screen in its colors. */
export function Picture({ theme, logo }: { theme: Card['theme']; logo: string }): ReactElement {
  const colours = {
    '--p-page': theme.page,
    '--p-header': theme.header,
    '--p-primary': theme.primary,
    '--p-tint': theme['tint-strong'],
    '--p-accent': theme.accent,
  };
  return (
    <Frame style={colours as CSSProperties} aria-hidden>
      <Logo>
        <img src={logo} alt="" />
      </Logo>
      <Screen>
        <Top />
        <Tile>
          <Line />
          <Amount />
          <Pill />
        </Tile>
        <Tile>
          <Bars>
            {heights.map((height, i) => (
              <i key={i} style={{ height: `${height}%` }} />
            ))}
          </Bars>
        </Tile>
      </Screen>
    </Frame>
  );
}

/** The side of a card in the brand's color, with the brand's illustration or, without one, arcs. */
export function Panel({ theme, illustration }: { theme: Card['theme']; illustration: string | null | undefined }): ReactElement {
  return (
    <Side style={{ background: theme.primary, color: theme.accent }} aria-hidden>
      {illustration ? (
        <img src={illustration} alt="" loading="lazy" />
      ) : (
        <svg aria-hidden viewBox="0 0 88 88" fill="none" stroke="currentColor" strokeWidth="5">
          <circle cx="88" cy="88" r="32" />
          <circle cx="88" cy="88" r="52" />
          <circle cx="88" cy="88" r="72" />
        </svg>
      )}
    </Side>
  );
}

const heights = [45, 70, 55, 90, 65, 80] as const;
const Frame = styled.div`
  display: flex; align-items: center; gap: 16px; height: 136px; padding: 0 0 0 24px; overflow: hidden; background: var(--w-surface);
  border-top: 8px solid var(--p-primary); border-bottom: 1px solid var(--w-line);
`;
const Logo = styled.div`flex: 1; min-width: 0; img { max-width: min(150px, 100%); height: 32px; object-fit: contain; object-position: left; }`;
const Screen = styled.div`
  flex: none; align-self: end; width: 156px; height: 108px; display: grid; grid-template: 20px 1fr / 1fr 1fr; gap: 8px; padding: 0 8px 0 8px;
  background: var(--p-page); border: 1px solid var(--w-line); border-width: 1px 0 0 1px; border-top-left-radius: 12px; overflow: hidden;
`;
const Top = styled.div`grid-column: 1 / -1; margin: 0 -8px; background: var(--p-header); border-bottom: 1px solid var(--w-line);`;
const Tile = styled.div`
  display: flex; flex-direction: column; gap: 6px; padding: 8px; border-radius: 8px 8px 0 0; background: #fff; border: 1px solid var(--w-line); border-bottom: 0;
`;
const Line = styled.div`height: 4px; width: 60%; border-radius: 2px; background: var(--p-tint);`;
const Amount = styled.div`height: 10px; width: 90%; border-radius: 3px; background: var(--p-primary);`;
const Pill = styled.div`height: 14px; width: 70%; margin-top: auto; margin-bottom: 4px; border-radius: 7px; background: var(--p-accent);`;
const Bars = styled.div`
  flex: 1; display: flex; align-items: end; gap: 3px;
  i { flex: 1; border-radius: 2px 2px 0 0; background: var(--p-primary); } i:nth-child(2n) { background: var(--p-accent); }
`;
const Side = styled.span`
  flex: none; width: 88px; display: flex; align-items: flex-end; overflow: hidden;
  img { width: 100%; height: 100%; max-height: 176px; object-fit: cover; object-position: center bottom; }
  svg { width: 100%; }
`;
