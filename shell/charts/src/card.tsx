import styled from 'styled-components';
import { isLine, Swatch } from './look';
import type { ChartPoint, ChartSeries } from './types';
import { isFeedIn, sum, valueIn } from './write';

/** Texts of a chart, and its format of values. */
export interface ChartTexts {
  write: (value: number) => string;
  /** `geen gegevens`. */
  gap: string;
  /** `nog niet bekend`. */
  later: string;
  /** `Totaal`. */
  total: string;
}

/** Returns name and value per series, with a total where two or more series are stacked. */
function valuesOf(point: ChartPoint, series: readonly ChartSeries[], { write, gap, later, total }: ChartTexts) {
  const none = point.upcoming ? later : gap;
  const all = series.map((s) => {
    const value = valueIn(point, s);
    return { series: s as ChartSeries | null, name: s.label, value, text: value === null ? none : write(value) };
  });
  const stands = ({ series: s }: (typeof all)[number]) => s !== null && !isLine(s) && !isFeedIn(s);
  const standing = all.filter(stands);
  const amount = standing.length > 1 ? sum(standing.map(({ value }) => value)) : null;
  if (amount === null) return all;
  // the total follows the series that it sums
  return [...standing, { series: null, name: total, value: amount, text: write(amount) }, ...all.filter((fact) => !stands(fact))];
}

/** Returns the accessible name of a period: its values in words. */
export function accessibleName(point: ChartPoint, series: readonly ChartSeries[], texts: ChartTexts): string {
  const name = point.name ?? point.label;
  const present = valuesOf(point, series, texts).filter(({ value }) => value !== null);
  const rest = present.map((fact) => `${fact.name} ${fact.text}`);
  if (point.missing) rest.unshift(texts.gap);
  else if (point.upcoming) rest.unshift(texts.later);
  return `${name}: ${rest.join(', ')}`;
}

export interface CardProps extends ChartTexts {
  point: ChartPoint;
  series: readonly ChartSeries[];
  id: string;
  /** Position from the left, and width of the chart, in pixels. */
  at: number;
  within: number;
}

/** The card next to the active period. Hidden from screen readers, because the name of the period has the same content. */
export function Card({ point, series, id, at, within, ...wording }: CardProps) {
  const gap = point.missing;
  const lines = series.filter(isLine);
  const shown = valuesOf(point, series, wording).filter(({ value, series: s }) =>
    gap || point.upcoming ? value !== null : s || value !== null,
  );
  const narrow = within <= 480;
  // Next to the period; on a small chart above it, moved sideways as far as needed to stay inside.
  const beside = { top: 8, ...(at > within / 2 ? { right: within - at + 16 } : { left: at + 16 }) };
  const above = { bottom: 'calc(100% - 28px)', left: at, translate: `${(-at / within) * 100}%` };
  return (
    <Surface aria-hidden="true" style={narrow ? above : beside}>
      <strong>{point.name ?? point.label}</strong>
      {(gap || point.upcoming) && <span>{gap ? wording.gap : wording.later}</span>}
      <dl>
        {shown.map(({ series: s, name, text }) => (
          <div key={s?.key ?? ''} data-total={s ? undefined : ''}>
            <dt>
              {s && <Swatch series={s} id={id} shape={lines.indexOf(s)} />}
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
  position: absolute; z-index: 2; pointer-events: none; width: max-content; max-width: min(320px, 100%); padding: 12px 16px; border-radius: 8px;
  background: var(--w-surface); color: var(--w-text); border: 1px solid var(--w-line); font-size: 14px; line-height: 1.4;
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent);
  > strong { display: block; font-weight: 600; margin-bottom: 4px; &::first-letter { text-transform: uppercase; } }
  dl > div { display: flex; justify-content: space-between; gap: 16px; padding-top: 2px; }
  dt { display: flex; align-items: center; gap: 8px; color: var(--w-text-quiet); }
  dd { white-space: nowrap; font-variant-numeric: tabular-nums; }
  [data-total] { border-top: 1px solid var(--w-line); margin: 4px 0; padding-top: 4px; font-weight: 600; dt { color: inherit; } }
  @media print { display: none; }
`;
