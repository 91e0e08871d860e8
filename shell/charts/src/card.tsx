import { type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import { isLine, placeOf, Swatch } from './look';
import type { ChartExpectation, ChartPoint, ChartSeries } from './types';
import { type ChartTexts, isFeedIn, nameOf, sum, valueIn } from './write';

/** Returns the name and value of each series, a total if two or more series are stacked, and the forecast. */
function valuesOf(point: ChartPoint, series: readonly ChartSeries[], texts: ChartTexts) {
  const { write, gap, later, total, expected } = texts;
  const none = point.upcoming ? later : gap;
  const all = series.map((s) => {
    const value = valueIn(point, s);
    return { series: s as ChartSeries | null, name: s.label, value, text: value === null ? none : write(value) };
  });
  const forecast = point.expected
    ? [{ series: null, name: expected, value: point.expected.value, text: writeExpected(point.expected, write) }]
    : [];
  const isStacked = ({ series: s }: (typeof all)[number]) => s !== null && s.kind !== 'compare' && !isLine(s) && !isFeedIn(s);
  const inStack = all.filter(isStacked);
  const amount = inStack.length > 1 ? sum(inStack.map(({ value }) => value)) : null;
  if (amount === null) return [...all, ...forecast];
  // the total follows the series that it sums
  return [
    ...inStack,
    { series: null, name: total, value: amount, text: write(amount) },
    ...all.filter((fact) => !isStacked(fact)),
    ...forecast,
  ];
}

/** Formats a forecast: `201 kWh`, or with its band `201 kWh (180 kWh – 220 kWh)`. */
export const writeExpected = ({ value, low, high }: ChartExpectation, write: (value: number) => string): string =>
  low === undefined || high === undefined ? write(value) : `${write(value)} (${write(low)} – ${write(high)})`;

/** Returns the accessible name of a period: its values in words. */
export function accessibleName(intl: IntlShape, point: ChartPoint, series: readonly ChartSeries[], texts: ChartTexts): string {
  const present = valuesOf(point, series, texts).filter(({ value }) => value !== null);
  const rest = present.map((fact) => `${fact.name} ${fact.text}`);
  if (point.missing) rest.unshift(texts.gap);
  else if (point.upcoming) rest.unshift(texts.later);
  return `${nameOf(intl, point)}: ${rest.join(', ')}`;
}

export interface CardProps extends ChartTexts {
  point: ChartPoint;
  series: readonly ChartSeries[];
  id: string;
  /** Position from the left edge in pixels; `within` is the width of the chart. */
  at: number;
  within: number;
}

/** The card next to the active period. Hidden from screen readers, because the period's accessible name has the same content. */
export function Card({ point, series, id, at, within, ...texts }: CardProps) {
  const intl = useIntl();
  const gap = point.missing;
  const shown = valuesOf(point, series, texts).filter(({ value, series: s }) =>
    gap || point.upcoming ? value !== null : s || value !== null,
  );
  const narrow = within <= 480;
  // Next to the period; on a small chart above it, shifted sideways just enough to stay inside.
  const beside = { top: 8, ...(at > within / 2 ? { right: within - at + 16 } : { left: at + 16 }) };
  const above = { bottom: 'calc(100% - 28px)', left: at, translate: `${(-at / within) * 100}%` };
  return (
    <Surface aria-hidden="true" style={narrow ? above : beside}>
      <strong>{nameOf(intl, point)}</strong>
      {(gap || point.upcoming) && <span>{gap ? texts.gap : texts.later}</span>}
      <dl>
        {shown.map(({ series: s, name, text }) => (
          <div key={s?.key ?? name} data-total={s || name === texts.expected ? undefined : ''}>
            <dt>
              {s && <Swatch series={s} id={id} shape={placeOf(s, series)} />}
              {name === texts.expected && !s && <Swatch series="expected" id={id} />}
              {name}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Surface>
  );
}

const Surface = styled.div`
  position: absolute; z-index: 2; pointer-events: none; width: max-content; max-width: min(320px, 100%); padding: 12px 16px; border-radius: var(--w-radius-control);
  background: var(--w-surface); color: var(--w-text); border: 1px solid var(--w-line); font-size: 14px; line-height: 1.4;
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent);
  > strong { display: block; font-weight: 600; margin-bottom: 4px; &::first-letter { text-transform: uppercase; } }
  dl > div { display: flex; justify-content: space-between; gap: 16px; padding-top: 2px; }
  dt { display: flex; align-items: center; gap: 8px; color: var(--w-text-quiet); }
  dd { white-space: nowrap; font-variant-numeric: tabular-nums; }
  [data-total] { border-top: 1px solid var(--w-line); margin: 4px 0; padding-top: 4px; font-weight: 600; dt { color: inherit; } }
  @media print { display: none; }
`;
