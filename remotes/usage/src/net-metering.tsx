import { Big, Disclosure, Facts, formatDayLong, formatEnergy, formatMoney, formatTariff, Money, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Cost } from './api';
import { CostUnknown, daysText } from './cost-unknown';
import { centsOf } from './money';

/**
 * For a connection with feed-in, until the last day of net metering: the cost of the last twelve months with and without it, and
 * the assumptions (9-usage-euro-comparison). Renders nothing for other connections, and nothing while it is unknown whether it
 * applies.
 */
export default function NetMetering({ ean }: { ean: string }) {
  const intl = useIntl();
  const { data } = api.useGet('/usage/{ean}/net-metering', { path: { ean } });
  if (!data?.applies || !data.with || !data.without || !data.net_metering_until) return null;
  const { with: now, without: after } = data;
  const title = intl.formatMessage({ id: 'usage.netting.title', defaultMessage: 'What changes without net metering' });
  const years = daysText(intl, data.from, data.to);
  const price = (cost: Cost, kind: string) => cost.rows.find((row) => row.kind === kind && !row.netted)?.price;
  const [paid, charged] = [price(after, 'feed_in'), price(after, 'feed_in_cost')];
  const more = now.total === null || after.total === null ? undefined : centsOf(after.total) - centsOf(now.total);
  const how = (
    <FormattedMessage
      id="usage.netting.more"
      defaultMessage="{side, select, less {less} other {more}} a year without net metering"
      values={{ side: (more ?? 0) < 0 ? 'less' : 'more' }}
    />
  );
  return (
    <Part aria-label={title}>
      <Disclosure
        title={title}
        level={3}
        summary={
          more !== undefined && (
            <Wide>
              {formatMoney(Math.abs(more))} {how}
            </Wide>
          )
        }
      >
        <Stack gap={16}>
          <p>
            <FormattedMessage
              id="usage.netting.intro"
              defaultMessage="Up to and including {day}, what you feed in is subtracted from what you use. After that you are paid for it separately. This is what it would have meant for {years}, at today’s prices."
              values={{ day: formatDayLong(data.net_metering_until, intl.locale), years }}
            />
          </p>
          {more === undefined ? (
            <CostUnknown
              unknown={[...now.unknown, ...after.unknown.filter((u) => !now.unknown.some((n) => same(n, u)))]}
              what={title}
              commodity="ELECTRICITY"
            />
          ) : (
            <>
              <Difference>
                <Big unit={how}>{formatMoney(Math.abs(more))}</Big>
              </Difference>
              <Facts
                items={[
                  {
                    label: <FormattedMessage id="usage.netting.with" defaultMessage="With net metering" />,
                    value: <Money cents={centsOf(now.total ?? 0)} />,
                  },
                  {
                    label: <FormattedMessage id="usage.netting.without" defaultMessage="Without net metering" />,
                    value: <Money cents={centsOf(after.total ?? 0)} />,
                  },
                ]}
              />
            </>
          )}
          <div>
            <Head>
              <FormattedMessage id="usage.netting.how" defaultMessage="What we assumed" />
            </Head>
            <Assumptions>
              <li>
                <FormattedMessage
                  id="usage.netting.same"
                  defaultMessage="You use as much as in these months, at the same times, and feed in as much: {fed}."
                  values={{ fed: formatEnergy(data.fed_in, 'kWh') }}
                />
              </li>
              <li>
                <FormattedMessage
                  id="usage.netting.prices"
                  defaultMessage="The prices, taxes and grid costs of today hold all year."
                />
              </li>
              {paid !== undefined && (
                <li>
                  <FormattedMessage
                    id="usage.netting.paid"
                    defaultMessage="You are paid {price} for each kWh that you feed in, as in your contract today."
                    values={{ price: formatTariff(paid) }}
                  />
                </li>
              )}
              {charged !== undefined && (
                <li>
                  <FormattedMessage
                    id="usage.netting.charged"
                    defaultMessage="You pay feed-in costs of {price} for each kWh that you feed in, as in your contract today."
                    values={{ price: formatTariff(charged) }}
                  />
                </li>
              )}
            </Assumptions>
          </div>
        </Stack>
      </Disclosure>
    </Part>
  );
}

const same = (a: Cost['unknown'][number], b: Cost['unknown'][number]): boolean =>
  a.reason === b.reason && a.kind === b.kind && a.from === b.from && a.to === b.to;

/** The first in its box, so it draws the line of the Accordion itself. */
const Part = styled.section`border-top: 1px solid var(--w-line);`;
/** On a phone there is no space for it next to the title. */
const Wide = styled.span`@media (max-width: 767px) { display: none; }`;
const Difference = styled.div`> div > p { font-size: 28px; } small { font-size: 16px; }`;
const Head = styled.strong`display: block; margin-bottom: 4px; font-size: 14px;`;
const Assumptions = styled.ul`padding-left: 20px; font-size: 14px; color: var(--w-text-quiet); display: flex; flex-direction: column; gap: 4px;`;
