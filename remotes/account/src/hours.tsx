import { type Portal, useNow } from '@wattle/sdk';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';

type Hours = Portal['label']['hours'][number];

const dayName = (intl: IntlShape, day: number): string =>
  intl.formatMessage(
    {
      id: 'account.hours.day',
      defaultMessage: '{day, select, 1 {Monday} 2 {Tuesday} 3 {Wednesday} 4 {Thursday} 5 {Friday} 6 {Saturday} other {Sunday}}',
    },
    { day },
  );

/** Days as text in the language of the interface: what follows on each other is a range from three days on. */
export function wordDays(intl: IntlShape, days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = runs.at(-1);
    if (last?.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  const parts = runs.flatMap((run) =>
    run.length < 3
      ? run.map((day) => dayName(intl, day))
      : intl.formatMessage(
          { id: 'account.hours.range', defaultMessage: '{first} to {last}' },
          { first: dayName(intl, run[0] ?? 1), last: dayName(intl, run.at(-1) ?? 7) },
        ),
  );
  const text = intl.formatList(parts, { type: 'conjunction' });
  return text.charAt(0).toLocaleUpperCase(intl.locale) + text.slice(1);
}

/** The days of one line of opening hours; a line without weekdays has only the label's own words. */
export function Days({ of }: { of: Hours }) {
  const intl = useIntl();
  return of.days?.length ? wordDays(intl, of.days) : of.text;
}

/** From when to when, or closed. */
export function Times({ of }: { of: Hours }) {
  return of.from && of.to ? (
    <FormattedMessage id="account.contact.from_to" defaultMessage="{from} to {to}" values={{ from: of.from, to: of.to }} />
  ) : (
    <FormattedMessage id="account.contact.closed" defaultMessage="closed" />
  );
}

/**
 * Today's lines in which one can call, and whether that is now, by the portal's clock.
 * Undefined when the label does not say its hours by weekday: then nobody knows.
 */
export function useHoursToday(hours: readonly Hours[]): { open: boolean; today: readonly Hours[] } | undefined {
  const { weekday, time } = useNow();
  if (!hours.some((h) => h.days?.length)) return undefined;
  const today = hours.filter((h) => h.days?.includes(weekday) && h.from && h.to);
  return { today, open: today.some((h) => h.from <= time && time < h.to) };
}
