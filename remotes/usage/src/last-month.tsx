import { Comparison } from '@wattle/charts/spark';
import { Big, formatEnergy, formatMoney, formatMonth, Skeleton, Small, Stack } from '@wattle/ui';
import { type ReactNode, useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Forecast } from './api';
import { energyUnit } from './connection.rules';
import { Columns, Line, List } from './hero';
import { centsOf } from './money';
import { commodityName } from './texts';

export interface LastMonthProps {
  connections: Forecast['connections'];
  /** Replaces the title of the tile, which refers to this month. */
  retitle?: ((title: string) => void) | undefined;
  /** Rendered instead if the cost of a connection is unknown. */
  otherwise: ReactNode;
  /** Rendered below the amount. */
  children: ReactNode;
  /** Costs of the connections before these. */
  before?: readonly LastCost[];
}
interface LastCost {
  connection: Forecast['connections'][number];
  from: string;
  to: string;
  total: number;
}

/**
 * The cost of the last complete month, for when this month's is unknown (9-dashboard-hero): in total and per connection, with the
 * usage and a comparison with a year earlier. It handles one connection at a time, because a hook cannot be called in a loop.
 */
export default function LastMonth({ connections, before = [], ...rest }: LastMonthProps) {
  const [first, ...others] = connections as [LastCost['connection'], ...LastCost['connection'][]];
  const cost = api.useGet('/usage/{ean}/cost', { path: { ean: first.ean_code } });
  if (cost.isPending) return <Skeleton shape="row" count={3} />;
  if (!cost.data?.last_month || cost.data.total === null) return rest.otherwise;
  const { from, to, total } = cost.data;
  const all = [...before, { connection: first, from, to, total }];
  if (others.length > 0) return <LastMonth connections={others} before={all} {...rest} />;
  return all.some((one) => one.from !== from) ? rest.otherwise : <Known costs={all} month={from} {...rest} />;
}

function Known({
  costs,
  month,
  retitle,
  children,
}: { costs: readonly LastCost[]; month: string } & Pick<LastMonthProps, 'retitle' | 'children'>) {
  const intl = useIntl();
  const title = intl.formatMessage({ id: 'usage.last_month.title', defaultMessage: 'Last month' });
  useEffect(() => retitle?.(title), [retitle, title]);
  return (
    <Columns>
      <Stack gap={12}>
        <Big
          caption={
            <FormattedMessage
              id="usage.last_month"
              defaultMessage="cost of what you used in {month}"
              values={{ month: formatMonth(month, intl.locale) }}
            />
          }
        >
          {formatMoney(costs.reduce((sum, one) => sum + centsOf(one.total), 0))}
        </Big>
        {children}
      </Stack>
      <List>
        {costs.map((one) => (
          <Used key={one.connection.ean_code} cost={one} />
        ))}
      </List>
    </Columns>
  );
}

const yearBefore = (firstOfMonth: string): string => `${Number(firstOfMonth.slice(0, 4)) - 1}${firstOfMonth.slice(4)}`;

/** A connection's cost and usage in a month, compared with that month a year earlier. */
function Used({ cost: { connection, from, to, total } }: { cost: LastCost }) {
  const intl = useIntl();
  const path = { ean: connection.ean_code };
  const then = { from: yearBefore(from), to: yearBefore(to) };
  const series = api.useGet('/usage/{ean}/series', { path, query: { unit: 'month', from, to } });
  const past = api.useGet('/usage/{ean}/series', { path, query: { unit: 'month', ...then } });
  const used = series.data?.total.consumption ?? null;
  return (
    <li>
      <Line>
        <strong>{commodityName(intl, connection.commodity)}</strong>
        <strong>{formatMoney(centsOf(total))}</strong>
      </Line>
      <Line as={Small}>
        <span>{used === null ? '\u00a0' : formatEnergy(used, energyUnit(connection.commodity))}</span>
        {used !== null && (
          <span>
            <Comparison value={used} then={past.data?.total.consumption} name={formatMonth(then.from, intl.locale)} />
          </span>
        )}
      </Line>
    </li>
  );
}
