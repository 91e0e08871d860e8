import { FormattedMessage, useIntl } from 'react-intl';
import { runsText } from './cost-unknown';

/** A sentence about the days a year earlier that the chart cannot compare with, because nothing is known of them (9-usage-past-gap). */
export default function PastGaps({ days, cost = false }: { days: readonly { from: string; to: string }[]; cost?: boolean }) {
  const intl = useIntl();
  return (
    days.length > 0 && (
      <FormattedMessage
        id="usage.past_gap"
        defaultMessage="{cost, select, true {We do not know the cost of {days}.} other {We have no measurements of {days}.}}"
        values={{ cost: String(cost), days: runsText(intl, days) }}
      />
    )
  );
}
