import { useId } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Extra, lookOf, Patterns, placeOf, Swatch } from './look';
import type { ChartSeries } from './types';

export interface LegendProps {
  series: readonly ChartSeries[];
  /** Keys of the series that are hidden. */
  hidden: readonly string[];
  onToggle(key: string): void;
  /** Names of the other things that the chart shows: a gap, an estimated or unfinished period, a forecast, a target. */
  extras: readonly (readonly [what: Extra, name: string])[];
}

interface ExtraEntry {
  what: Extra;
  name: string;
}

/**
 * Returns the entries in the order of the marks: the measured series, then how parts of them are drawn, then an earlier period, then
 * the rest.
 */
function entriesOf(series: readonly ChartSeries[], extras: LegendProps['extras']): (ChartSeries | ExtraEntry)[] {
  const rest = extras.map(([what, name]) => ({ what, name }));
  const isOwn = ({ what }: ExtraEntry) => what === 'estimated' || what.startsWith('unfinished');
  return [
    ...series.filter((s) => s.kind !== 'compare'),
    ...rest.filter(isOwn),
    ...series.filter((s) => s.kind === 'compare'),
    ...rest.filter((one) => !isOwn(one)),
  ];
}

/** A toggle button per series, pressed while the series is shown. A single series has only its name. */
export function Legend({ series, hidden, onToggle, extras }: LegendProps) {
  const intl = useIntl();
  const id = useId();
  const own = series.find((s) => s.kind !== 'compare');
  return (
    <Row
      role="group"
      $two={series.length > 2}
      data-many={series.length > 2 || undefined}
      aria-label={intl.formatMessage({ id: 'charts.legend', defaultMessage: 'Legend' })}
    >
      <svg width="0" height="0" aria-hidden="true" style={{ position: 'absolute' }}>
        <Patterns id={id} />
      </svg>
      {entriesOf(series, extras).map((entry) => {
        if ('what' in entry)
          return (
            <Entry key={entry.what}>
              <Swatch series={entry.what} id={id} fill={own && lookOf(own).fill} />
              {entry.name}
            </Entry>
          );
        const inside = (
          <>
            <Swatch series={entry} id={id} shape={placeOf(entry, series)} />
            {entry.label}
          </>
        );
        return series.length > 1 ? (
          <Toggle key={entry.key} type="button" aria-pressed={!hidden.includes(entry.key)} onClick={() => onToggle(entry.key)}>
            {inside}
          </Toggle>
        ) : (
          <Entry key={entry.key}>{inside}</Entry>
        );
      })}
    </Row>
  );
}

/** On a phone, what is not a series is on a second line below three series; its space is reserved. */
const Row = styled.div<{ $two: boolean }>`
  @media (max-width: 480px) { && { gap: 6px; align-content: flex-start; min-height: ${(p) => (p.$two ? 74 : 44)}px; } }
  display: flex; flex-wrap: wrap; gap: 8px; min-height: 44px; align-items: center; font-size: 14px;`;
const Toggle = styled.button`
  display: inline-flex; align-items: center; gap: 8px; min-height: 44px; padding: 4px 14px 4px 12px; border-radius: var(--w-radius-control); border: 1px solid var(--w-line);
  background: var(--w-surface); transition: background-color 160ms, border-color 160ms;
  &:hover { background: var(--w-tint); }
  @media (max-width: 480px) { gap: 6px; padding-inline: 7px; }
  &[aria-pressed='true'] { border-color: var(--w-control-line); }
  &[aria-pressed='false'] { color: var(--w-text-quiet); border-style: dashed; text-decoration: line-through; svg { opacity: .35; } }
`;
const Entry = styled.span`display: inline-flex; align-items: center; gap: 8px; min-height: 44px; padding: 0 12px 0 0; color: var(--w-text-quiet);
  @media (max-width: 480px) { ${Toggle} ~ & { gap: 6px; min-height: 24px; padding: 0; } [data-many] > & { order: 1; } }
`;
