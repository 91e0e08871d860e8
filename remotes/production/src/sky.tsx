import type { ReactNode } from 'react';
import type { Sky } from './weather.rules';

const cloud = 'M7 15.5h10.2a3.8 3.8 0 0 0 .5-7.57A5.8 5.8 0 0 0 6.5 8.1 3.75 3.75 0 0 0 7 15.5z';
const sun = 'M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4';
const under: Partial<Record<Sky, string>> = {
  drizzle: 'M8 18.5v1M12 18.5v1M16 18.5v1',
  rain: 'M8 18.5 7 21.5M12.5 18.5l-1 3M17 18.5l-1 3',
  thunder: 'm12.5 13-2 4h3l-2 4.5',
  fog: 'M5 18.5h14M8 21.5h8',
};
const dots: Partial<Record<Sky, number>> = { snow: 0.9, hail: 1.5 };

const moon = 'M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5z';

/**
 * An icon of the sky next to its text, with the stroke of the kit's icons: eight kinds, and a cloud for any other. A clear night
 * has a moon.
 */
export function SkyIcon({ sky, night = false }: { sky: Sky; night?: boolean }): ReactNode {
  const size = dots[sky];
  return (
    <svg
      width="40"
      height="40"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      data-sky={sky}
    >
      {sky === 'clear' && night ? (
        <path d={moon} data-moon />
      ) : sky === 'clear' ? (
        <>
          <circle cx="12" cy="12" r="4" />
          <path d={sun} />
        </>
      ) : (
        <path d={cloud} />
      )}
      {under[sky] && <path d={under[sky]} />}
      {size && [8, 12, 16].map((x, i) => <circle key={x} cx={x} cy={i === 1 ? 21 : 19} r={size / 2} fill="currentColor" />)}
    </svg>
  );
}
