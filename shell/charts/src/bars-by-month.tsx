import { formatMoney, formatMonth } from '@wattle/ui';
import { useIntl } from 'react-intl';
import { addMonths, monthLabel } from './period';
import { PeriodChart, type PeriodChartProps } from './period-chart';
import type { ChartPoint } from './types';

export interface BarsByMonthProps
  extends Pick<PeriodChartProps, 'label' | 'height' | 'loading' | 'error' | 'empty' | 'note' | 'table' | 'gap'> {
  /** Name of the series in legend and table: `Gefactureerd`. */
  name: string;
  /** Amounts in cents by month (`2026-11`), in any order. Months missing between the first and the last are gaps. */
  months: readonly { month: string; cents: number }[];
  /** First month shown; by default the first of `months`. */
  first?: string | undefined;
  /** Last month shown; by default the last of `months`. */
  last?: string | undefined;
}

/** A bar chart with an amount of money per month. */
export function BarsByMonth({ name, months, first, last, ...props }: BarsByMonthProps) {
  const intl = useIntl();
  const known = new Map(months.map(({ month, cents }) => [month.slice(0, 7), cents]));
  const all = [...known.keys()].sort();
  const [from, to] = [(first ?? all[0])?.slice(0, 7), (last ?? all.at(-1))?.slice(0, 7)];
  const points: ChartPoint[] = [];
  for (let month = from; month && to && month <= to; month = addMonths(`${month}-01`, 1).slice(0, 7)) {
    const cents = known.get(month);
    const text = formatMonth(month, intl.locale);
    points.push({
      start: month,
      label: month.endsWith('-01') ? month.slice(0, 4) : monthLabel(month, intl.locale),
      name: text,
      values: { amount: cents === undefined ? null : cents / 100 },
    });
  }
  return (
    <PeriodChart
      {...props}
      unit="€"
      format={(euros) => formatMoney(Math.round(euros * 100))}
      first={intl.formatMessage({ id: 'charts.month', defaultMessage: 'Month' })}
      series={[{ key: 'amount', label: name, kind: 'normal' }]}
      points={points}
    />
  );
}
