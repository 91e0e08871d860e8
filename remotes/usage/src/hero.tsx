import { Big, formatDay, formatEnergy, formatEuros, formatMoney, formatMonth, LinkButton, Small, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled, { css } from 'styled-components';
import type { Expected, Forecast } from './api';
import { energyUnit } from './connection.rules';
import { type CommodityForecast, commodities, lastMeasured, wholeEuros } from './forecast.rules';
import { centsOf } from './money';
import { commodityName } from './texts';

/**
 * This month's cost so far and its expected cost, in total and for electricity and gas (9-dashboard-hero), next to the cost of the
 * same month last year (9-hero-last-year).
 */
export default function Hero({ forecast, total }: { forecast: Forecast; total: NonNullable<Forecast['total']> }) {
  const intl = useIntl();
  const parts = commodities(forecast);
  const { so_far: used, expected, low, high, last_year: before } = total;
  const [until = ''] = parts.map((p) => p.until).sort();
  const last = lastMeasured(until);
  const [measured = ''] = parts.map((p) => p.last).sort();
  const shown = wholeEuros(parts.map((p) => p.cost?.expected ?? 0));
  const isMeasured = parts.some((p) => p.usage.so_far > 0);
  const band = formatEuros(low) === formatEuros(high) ? 'no' : 'yes';
  return (
    <Columns>
      <Stack gap={12}>
        {used !== null && last ? (
          <Big
            caption={
              <FormattedMessage
                id="usage.hero.until"
                defaultMessage="{about, select, all {estimated, } partly {partly estimated, } other {}}up to and including {day}"
                values={{ about: total.estimated && (isMeasured ? 'partly' : 'all'), day: formatDay(last) }}
              />
            }
          >
            {formatMoney(centsOf(used))}
          </Big>
        ) : (
          <Big caption={<FormattedMessage id="usage.hero.month" defaultMessage="expected this month" />}>
            {formatEuros(expected)}
          </Big>
        )}
        <Bar
          used={used ?? 0}
          of={total}
          before={before ?? undefined}
          label={intl.formatMessage(
            { id: 'usage.hero.of', defaultMessage: '{used} of about {expected}' },
            { used: formatMoney(centsOf(used ?? 0)), expected: formatEuros(expected) },
          )}
        />
        <p>
          <FormattedMessage
            id="usage.hero.expected"
            defaultMessage="We expect <b>{expected}</b> for the whole month{band, select, no {} other {, between {low} and {high}}}."
            values={{
              b: (text) => <strong key="b">{text}</strong>,
              expected: formatEuros(expected),
              band,
              low: formatEuros(low),
              high: formatEuros(high),
            }}
          />
          {before !== null && (
            <Before as="span">
              <s />
              <FormattedMessage
                id="usage.hero.last_year"
                defaultMessage="In {month} it was {amount}."
                values={{ month: monthOf(forecast.month, intl.locale), amount: formatEuros(before) }}
              />
            </Before>
          )}
        </p>
        <div>
          <LinkButton href="/usage" small icon="chart">
            <FormattedMessage id="usage.more" defaultMessage="See your usage" />
          </LinkButton>
        </div>
      </Stack>
      <List>
        {parts.map((part, at) => (
          <Part key={part.commodity} part={part} expected={formatEuros(shown[at] ?? 0)} />
        ))}
        {measured && measured !== last && (
          <li>
            <Small>
              <FormattedMessage
                id="usage.hero.measured"
                defaultMessage="Usage is counted up to and including {day}."
                values={{ day: formatDay(measured) }}
              />
            </Small>
          </li>
        )}
      </List>
    </Columns>
  );
}

/** @param expected cost of the whole month in whole euros; those of all parts add up to the total */
function Part({ part: { commodity, usage, feedin, cost }, expected }: { part: CommodityForecast; expected: string }) {
  const intl = useIntl();
  const unit = energyUnit(commodity);
  return (
    <li>
      <Line>
        <strong>{commodityName(intl, commodity)}</strong>
        {cost && (
          <strong>
            {cost.so_far === null ? (
              expected
            ) : (
              <FormattedMessage
                id="usage.hero.of"
                defaultMessage="{used} of about {expected}"
                values={{ used: formatMoney(centsOf(cost.so_far)), expected }}
              />
            )}
          </strong>
        )}
      </Line>
      <Bar used={usage.so_far} of={{ ...usage, low: usage.expected, high: usage.expected }} gas={commodity === 'GAS'} />
      <Line as={Small}>
        {cost?.estimated && formatEnergy(usage.so_far + usage.added, unit) !== formatEnergy(usage.so_far, unit) ? (
          <FormattedMessage
            id="usage.hero.of_estimated"
            defaultMessage="{used} measured and {added} estimated, of about {expected}"
            values={{
              used: formatEnergy(usage.so_far, unit),
              added: formatEnergy(usage.added, unit),
              expected: formatEnergy(usage.expected, unit),
            }}
          />
        ) : (
          <FormattedMessage
            id="usage.hero.of"
            defaultMessage="{used} of about {expected}"
            values={{ used: formatEnergy(usage.so_far, unit), expected: formatEnergy(usage.expected, unit) }}
          />
        )}
        {feedin && (
          <span>
            <FormattedMessage
              id="usage.latest.feedin"
              defaultMessage="fed in: {amount}"
              values={{ amount: formatEnergy(feedin.so_far, unit) }}
            />
          </span>
        )}
      </Line>
    </li>
  );
}

/** The same month a year earlier. */
const monthOf = (month: string, locale: string) => formatMonth(`${Number(month.slice(0, 4)) - 1}${month.slice(4)}-01`, locale);

/**
 * Shows how much of the expected amount has been reached; the band is hatched. With a label it is the main bar.
 * @param before the amount a year earlier, shown as a mark
 */
function Bar(p: {
  used: number;
  of: Pick<Expected, 'expected' | 'low' | 'high'>;
  before?: number | undefined;
  label?: string;
  gas?: boolean;
}) {
  const top = Math.max(p.of.high, p.used, (p.before ?? 0) * 1.02); // the corner would cut off a mark at the end
  if (top <= 0) return null;
  const at = (value: number) => `${(Math.max(0, value) / top) * 100}%`;
  return (
    <Track
      $main={p.label !== undefined}
      $gas={p.gas}
      {...(p.label ? { role: 'img', 'aria-label': p.label } : { 'aria-hidden': true })}
    >
      <i style={{ insetInlineStart: at(p.of.low), insetInlineEnd: 0 }} />
      <b style={{ width: at(p.used) }} />
      <u style={{ insetInlineStart: at(p.of.expected) }} />
      {p.before !== undefined && <s style={{ insetInlineStart: at(p.before) }} />}
    </Track>
  );
}

export const Columns = styled.div`
  display: grid; gap: 24px 48px; align-items: center; grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr));
`;
export const List = styled.ul`list-style: none; display: grid; gap: 20px;`;
export const Line = styled.div`
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; font-variant-numeric: tabular-nums; strong { font-weight: 600; }
`;
/** The mark for a year earlier, on the bar and before its sentence. */
const mark = css`width: 3px; border-radius: 2px; background: var(--w-text); outline: 2px solid var(--w-surface); text-decoration: none;`;
const Before = styled(Small)`display: flex; align-items: center; gap: 8px; margin-top: 4px; s { ${mark} height: 14px; }`;
const Track = styled.div<{ $main: boolean; $gas?: boolean | undefined }>`
  --ink: ${(p) => (p.$gas ? 'var(--w-chart-4)' : 'var(--w-primary-ink)')};
  position: relative; overflow: hidden; border-radius: var(--w-radius-control); height: ${(p) => (p.$main ? 20 : 8)}px; margin: ${(p) => (p.$main ? 0 : '6px 0')};
  background: color-mix(in oklch, var(--ink) 14%, var(--w-surface));
  > * { position: absolute; inset-block: 0; }
  b { inset-inline-start: 0; background: var(--ink); }
  i { background: repeating-linear-gradient(135deg, transparent 0 4px, color-mix(in oklch, var(--ink) 40%, transparent) 4px 6px); }
  u { width: 3px; margin-inline-start: -3px; background: var(--ink); }
  s { ${mark} margin-inline-start: -3px; }
`;
