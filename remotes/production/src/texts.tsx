import { formatDay, formatMoney } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { Freshness as Age, Moment } from './fresh.rules';

/** The age of a measurement in words; for one that is a day old or older, day and time. */
export function Freshness({ fresh, at }: { fresh: Age; at: Moment }) {
  return (
    <FormattedMessage
      id="production.fresh"
      defaultMessage="{kind, select, live {Live} minutes {{n, plural, one {# minute ago} other {# minutes ago}}} hours {{n, plural, one {# hour ago} other {# hours ago}}} other {No data since {day}, {time}}}"
      values={{ kind: fresh.kind, n: 'n' in fresh ? fresh.n : 0, day: formatDay(at.day), time: at.time }}
    />
  );
}

/** What energy was worth. */
export const Worth = ({ euros }: { euros: number }) => (
  <FormattedMessage
    id="production.yield.value"
    defaultMessage="worth {amount}"
    values={{ amount: formatMoney(Math.round(euros * 100)) }}
  />
);
