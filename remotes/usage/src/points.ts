import { type ChartPoint, dayName, monthLabel, periodName, periodOf, weekdayLabel } from '@wattle/charts';
import { formatMonth } from '@wattle/ui';
import type { IntlShape } from 'react-intl';
import type { Point } from './api';
import { amountOf, isUpcoming, type Register, registerOf, repeatedHours, type Span, type Unit, type View } from './series.rules';

export interface Drawn {
  span: Span;
  unit: Unit;
  view: View;
  /** First day for which a missing value is not a gap, because its data has not been received yet. */
  from: string;
  registers: readonly Register[];
}

/** Converts API points to chart points; `pasts` contains the point a year earlier for each. */
export function chartPoints(
  intl: IntlShape,
  points: readonly Point[],
  pasts: readonly (Point | undefined)[],
  { span, unit, view, from, registers }: Drawn,
): ChartPoint[] {
  const twice = repeatedHours(points);
  return points.map((p, at) => {
    const past = pasts[at];
    const values: Record<string, number | null> = { past: past ? amountOf(past, view) : null };
    for (const register of registers) values[register] = registerOf(p, register);
    const { label, name } = namesOf(intl, p, span, unit, twice.get(p.start));
    return {
      start: p.start,
      label,
      name:
        p.partial && !p.missing
          ? intl.formatMessage({ id: 'usage.partial', defaultMessage: '{name} (not complete)' }, { name })
          : name,
      values,
      missing: p.missing,
      upcoming: isUpcoming(p, from),
    };
  });
}

/** Returns the short and full name of a period. In the hour that occurs twice, the name includes summer or winter time. */
function namesOf(intl: IntlShape, p: Point, span: Span, unit: Unit, season: 'summer' | 'winter' | undefined) {
  const day = p.day ?? p.start.slice(0, 10);
  switch (unit) {
    case 'hour': {
      const hour = p.start.slice(11, 13);
      const next = String((Number(hour) + 1) % 24).padStart(2, '0');
      const clock = intl.formatMessage(
        {
          id: 'usage.hour',
          defaultMessage: '{from}–{until}{season, select, summer { summer time} winter { winter time} other {}}',
        },
        { from: `${hour}:00`, until: `${next}:00`, season },
      );
      if (span === 'day') return { label: `${hour}:00`, name: clock };
      return { label: hour === '00' ? weekdayLabel(day, intl.locale) : '', name: `${dayName(day, intl.locale)}, ${clock}` };
    }
    case 'day':
      return {
        label: span === 'week' ? weekdayLabel(day, intl.locale) : String(Number(day.slice(8))),
        name: dayName(day, intl.locale),
      };
    case 'week':
      return {
        label: `${Number(day.slice(8))} ${monthLabel(day, intl.locale)}`,
        name: periodName('week', periodOf('week', day), intl.locale),
      };
    case 'month':
      return {
        label: span === 'years' && day.slice(5, 7) === '01' ? day.slice(0, 4) : monthLabel(day, intl.locale),
        name: formatMonth(day, intl.locale),
      };
    case 'year':
      return { label: day.slice(0, 4), name: day.slice(0, 4) };
  }
}
