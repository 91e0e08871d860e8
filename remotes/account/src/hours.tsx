import { useNow } from '@wattle/sdk';
import { Badge } from '@wattle/ui';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Hours, openingStateOf } from './hours.rules';

const dayName = (intl: IntlShape, day: number): string =>
  intl.formatMessage(
    {
      id: 'account.hours.day',
      defaultMessage: '{day, select, 1 {Monday} 2 {Tuesday} 3 {Wednesday} 4 {Thursday} 5 {Friday} 6 {Saturday} other {Sunday}}',
    },
    { day },
  );

/** Returns weekdays in words: three or more consecutive days become a range. */
export function formatDays(intl: IntlShape, days: readonly number[]): string {
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

/** The days on a line of opening hours; a line without weekdays shows the label's own text. */
export function Days({ of }: { of: Hours }) {
  const intl = useIntl();
  return of.days?.length ? formatDays(intl, of.days) : of.text;
}

/** The opening and closing times, or "closed". */
export function Times({ of }: { of: Hours }) {
  return of.from && of.to ? (
    <FormattedMessage id="account.contact.from_to" defaultMessage="{from} to {to}" values={{ from: of.from, to: of.to }} />
  ) : (
    <FormattedMessage id="account.contact.closed" defaultMessage="closed" />
  );
}

/**
 * Whether customer service is open according to the portal's clock, and until or from when. Empty if the label has no hours by
 * weekday.
 */
export function OpenNow({ hours }: { hours: readonly Hours[] }) {
  const intl = useIntl();
  const reach = openingStateOf(hours, useNow());
  if (!reach) return null;
  const { open, today, next } = reach;
  return (
    <Line>
      {open ? (
        <Badge tone="positive">
          <FormattedMessage id="account.service.now_open" defaultMessage="Open" />
        </Badge>
      ) : (
        <Badge icon="clock">
          {today.length > 0 ? (
            <FormattedMessage id="account.service.now_closed" defaultMessage="Closed" />
          ) : (
            <FormattedMessage id="account.service.closed" defaultMessage="Closed today" />
          )}
        </Badge>
      )}
      {open &&
        today.map(({ from, to }) => (
          <span key={from}>
            <FormattedMessage id="account.service.open" defaultMessage="Today {from} to {to}" values={{ from, to }} />
          </span>
        ))}
      {next && (
        <span>
          <FormattedMessage
            id="account.service.opens"
            defaultMessage="{when, select, today {Opens today at {time}} tomorrow {Opens tomorrow at {time}} later {Opens on {day} at {time}} other {Opens next {day} at {time}}}"
            values={{
              when: next.days === 0 ? 'today' : next.days === 1 ? 'tomorrow' : next.days < 7 ? 'later' : 'week',
              day: dayName(intl, next.weekday),
              time: next.time,
            }}
          />
        </span>
      )}
    </Line>
  );
}

const Line = styled.div`
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;
`;
