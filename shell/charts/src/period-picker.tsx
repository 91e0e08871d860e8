import { formatDay, Icon, IconButton, Segmented } from '@wattle/ui';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Period, type PeriodUnit, periodName, periodOf, shift } from './period';

export interface PeriodPickerProps {
  /** The units to choose from, in order; by default day, week, month, year. */
  units?: readonly PeriodUnit[] | undefined;
  /** Overrides the names of units, e.g. `{ day: 'Uur' }` if a day is shown by hour. */
  names?: Partial<Record<PeriodUnit, string>> | undefined;
  /** The selected unit. */
  unit: PeriodUnit;
  /** A day in the current period. */
  day: string;
  /** Called with the new period; `period.to` is exclusive. */
  onChange(next: { unit: PeriodUnit; day: string; period: Period }): void;
  /** First day that may have data; there is no earlier period. */
  min: string;
  /** Last day that may have data; there is no later period. */
  max: string;
  /** Why there is no earlier period; by default a text with the first day. */
  noEarlierReason?: string | undefined;
  /** Why there is no later period; by default a text with the last day. */
  noLaterReason?: string | undefined;
}

/**
 * Selects a unit and a period: ‹ november 2026 ›. PageUp and PageDown select the previous and next period. On a phone the units are a
 * list, so that both are on one row.
 */
export function PeriodPicker(props: PeriodPickerProps) {
  const { units = ['day', 'week', 'month', 'year'], names, unit, day, onChange, min, max } = props;
  const intl = useIntl();
  const texts: Record<PeriodUnit, string> = {
    day: intl.formatMessage({ id: 'charts.day', defaultMessage: 'Day' }),
    week: intl.formatMessage({ id: 'charts.week', defaultMessage: 'Week' }),
    month: intl.formatMessage({ id: 'charts.month', defaultMessage: 'Month' }),
    year: intl.formatMessage({ id: 'charts.year', defaultMessage: 'Year' }),
    years: intl.formatMessage({ id: 'charts.years', defaultMessage: 'All years' }),
    ...names,
  };
  const label = intl.formatMessage({ id: 'charts.period', defaultMessage: 'Period' });
  const options = units.map((value) => ({ value, text: texts[value] }));
  const period = periodOf(unit, day, min, max);
  const go = (to: PeriodUnit, wanted: string) => {
    const next = wanted < min ? min : wanted > max ? max : wanted;
    onChange({ unit: to, day: next, period: periodOf(to, next, min, max) });
  };
  const first = unit === 'years' || period.from <= min;
  const last = unit === 'years' || period.to > max;
  const noEarlierReason =
    props.noEarlierReason ??
    intl.formatMessage({ id: 'charts.first', defaultMessage: 'There is no data from before {day}.' }, { day: formatDay(min) });
  const noLaterReason =
    props.noLaterReason ??
    intl.formatMessage({ id: 'charts.last', defaultMessage: 'There is no data after {day} yet.' }, { day: formatDay(max) });
  return (
    <Row
      onKeyDown={(event) => {
        const by = { PageUp: -1, PageDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        if (!(by < 0 ? first : last)) go(unit, shift(unit, day, by));
      }}
    >
      {units.length > 1 && (
        <>
          <Wide>
            <Segmented label={label} value={unit} onChange={(to) => go(to, day)} options={options} />
          </Wide>
          <List>
            <select aria-label={label} value={unit} onChange={(event) => go(event.target.value as PeriodUnit, day)}>
              {options.map(({ value, text }) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
            <Icon name="down" />
          </List>
        </>
      )}
      <Walk>
        {unit !== 'years' && (
          <IconButton
            icon="left"
            label={intl.formatMessage({ id: 'charts.previous', defaultMessage: 'Previous period' })}
            disabledReason={first ? noEarlierReason : undefined}
            onClick={() => go(unit, shift(unit, day, -1))}
          />
        )}
        <Name aria-live="polite">{periodName(unit, period, intl.locale)}</Name>
        {unit !== 'years' && (
          <IconButton
            icon="right"
            label={intl.formatMessage({ id: 'charts.next', defaultMessage: 'Next period' })}
            disabledReason={last ? noLaterReason : undefined}
            onClick={() => go(unit, shift(unit, day, 1))}
          />
        )}
      </Walk>
    </Row>
  );
}

const Row = styled.div`
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px;
  @media (max-width: 767px) { column-gap: 4px; }
`;
const Wide = styled.div`@media (max-width: 767px) { display: none; }`;
const List = styled.div`
  display: none; position: relative;
  @media (max-width: 767px) { display: block; }
  select {
    min-height: 44px; padding: 4px 28px 4px 10px; border-radius: var(--w-radius-control); border: 1px solid var(--w-control-line);
    background: var(--w-surface); color: inherit; font: inherit; font-weight: 600; appearance: none; cursor: pointer;
  }
  svg { position: absolute; right: 6px; top: 12px; pointer-events: none; }
`;
/** On a phone a long name has two lines between its arrows, next to the list of units; on a very narrow one it is below that. */
const Walk = styled.div`
  display: flex; align-items: center; justify-content: space-between; gap: 4px;
  @media (max-width: 767px) { flex: 1 1 180px; gap: 0; }
`;
const Name = styled.span`
  min-width: 148px; text-align: center; line-height: 1.25; font-weight: 600; font-variant-numeric: tabular-nums;
  @media (max-width: 767px) { flex: 1; min-width: 0; }
`;
