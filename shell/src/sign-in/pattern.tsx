import type { CSSProperties, ReactElement } from 'react';
import styled from 'styled-components';

/** A tint of the label's primary color, light enough for any color. */
const tint = (percent: number): CSSProperties => ({ fill: `color-mix(in oklch, var(--w-primary) ${percent}%, #fff)` });
const sun = (percent: number): CSSProperties => ({ fill: `color-mix(in oklch, var(--w-accent) ${percent}%, #fff)` });

/** Hills with a house and two windmills in the label's colors, shown next to sign-in if the label has no illustration. */
export function Pattern(): ReactElement {
  return (
    <Scene viewBox="0 0 800 900" preserveAspectRatio="xMidYMax slice" aria-hidden>
      <rect width="800" height="900" style={tint(16)} />
      <circle cx="520" cy="330" r="170" style={tint(9)} />
      <circle cx="520" cy="330" r="104" style={sun(78)} />
      <path d="M0 590C140 520 250 530 400 580s280 40 400-20v340H0z" style={tint(32)} />
      <Mill x={190} y={560} size={1} />
      <Mill x={300} y={560} size={0.7} />
      <path d="M0 680c150-70 300-70 450-25s250 30 350-35v280H0z" style={tint(55)} />
      <path d="M505 660v-70l60-48 60 48v74z" fill="#fff" />
      <path d="M490 596l75-62 75 62-12 12-63-52-63 52z" style={tint(100)} />
      <path d="M584 614h26v26h-26z" style={sun(90)} />
      <path d="M528 660v-46h28v48z" style={tint(75)} />
      <g style={tint(78)}>
        <ellipse cx="676" cy="606" rx="26" ry="42" />
        <ellipse cx="452" cy="628" rx="20" ry="32" />
      </g>
      <path d="M0 800c170-90 330-90 480-45s220 30 320-25v170H0z" style={tint(82)} />
    </Scene>
  );
}

/** A windmill, positioned by its base. */
function Mill({ x, y, size }: { x: number; y: number; size: number }): ReactElement {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`} fill="#fff">
      <path d="M-4-110h8l4 120H-8z" />
      {[20, 140, 260].map((turn) => (
        <path key={turn} d="M-4-110q-6-40 4-80q8 40 4 80z" transform={`rotate(${turn} 0 -110)`} />
      ))}
      <circle cy="-110" r="8" />
    </g>
  );
}

/** On a phone, only a low band is visible (9-public-layout): sun, windmills and house. */
const Scene = styled.svg`
  position: absolute; inset: 0; width: 100%; height: 100%;
  @media (max-width: 959px) { height: 112.5vw; top: calc((112.5vw - 100%) * -.5); }
`;
