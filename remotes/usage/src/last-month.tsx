import { Big, formatEuros, formatMonth, Skeleton, Small } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Forecast } from './api';
import { centsOf } from './cost.rules';
import { commodityName } from './texts';

interface LastMonthProps {
  connections: Forecast['connections'];
  /** Costs of the connections before these. */
  before?: readonly LastCost[];
}
interface LastCost {
  what: string;
  from: string;
  total: number;
}

/**
 * What the last complete month cost, where this month is not known (9-dashboard-hero); nothing while the cost of a connection is not known.
 * It takes one connection at a time, as a hook cannot loop.
 */
export default function LastMonth({ connections, before = [] }: LastMonthProps) {
  const intl = useIntl();
  const [first, ...others] = connections as [LastMonthProps['connections'][number], ...LastMonthProps['connections']];
  const cost = api.useGet('/usage/{ean}/cost', { path: { ean: first.ean_code } });
  if (cost.isPending) return <Skeleton shape="number" />;
  if (!cost.data?.last_month || cost.data.total === null) return null;
  const { from, total } = cost.data;
  const all = [...before, { what: commodityName(intl, first.commodity), from, total }];
  if (others.length > 0) return <LastMonth connections={others} before={all} />;
  if (all.some((one) => one.from !== from)) return null;
  return (
    <div>
      <Big
        caption={
          <FormattedMessage
            id="usage.last_month"
            defaultMessage="what you used in {month} cost"
            values={{ month: formatMonth(from, intl.locale) }}
          />
        }
      >
        {formatEuros(all.reduce((sum, one) => sum + centsOf(one.total), 0) / 100)}
      </Big>
      {all.length > 1 && (
        <Small>{intl.formatList(all.map((one) => `${one.what.toLowerCase()} ${formatEuros(one.total)}`))}</Small>
      )}
    </div>
  );
}
