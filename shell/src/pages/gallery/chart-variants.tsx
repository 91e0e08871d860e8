import { addDays, BarsByMonth, type ChartPoint, type ChartSeries, dayName, monthLabel, PeriodChart } from '@wattle/charts';
import { formatMonth, formatNumber, Stack } from '@wattle/ui';
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import type { Example } from './example';

/** Returns a wave of values: deterministic, because the examples must not change between visits. */
const wave = (n: number, size: number) =>
  Math.round((size + size * 0.6 * Math.sin(n * 1.7) + size * 0.3 * Math.sin(n * 0.9)) * 100) / 100;

/** Other things that a chart shows, a series of a year of hourly values, and a chart that is loading or has no data. */
export function PeriodChartVariants({ say }: Example) {
  const { locale } = useIntl();
  const year = useMemo(() => hours(locale), [locale]);
  const [day, month, hour] = [say('Dag', 'Day'), say('Maand', 'Month'), say('Uur', 'Hour')];
  const normal: ChartSeries = { key: 'normal', label: say('Normaal', 'Normal'), kind: 'normal' };
  const low: ChartSeries = { key: 'low', label: say('Dal', 'Off-peak'), kind: 'low' };
  const empty = { label: say('Verbruik', 'Usage'), unit: 'kWh', first: day, series: [normal, low], points: [] };
  return (
    <Stack gap={32}>
      <PeriodChart
        label={say('Verbruik in november 2026', 'Usage in November 2026')}
        unit="kWh"
        first={day}
        series={[
          normal,
          low,
          { key: 'back', label: say('Teruglevering', 'Feed-in'), kind: 'feed-in' },
          { key: 'before', label: say('November 2025', 'November 2025'), kind: 'compare' },
        ]}
        points={days(locale)}
        record={{ at: '2026-11-13', text: say('Hoogste', 'Highest') }}
        note={say('Bijgewerkt 20-11-2026, 09:15', 'Updated 20-11-2026, 09:15')}
      />
      <PeriodChart
        label={say('Gas op 25 oktober 2026', 'Gas on 25 October 2026')}
        unit="m³"
        first={hour}
        series={[
          { key: 'gas', label: 'Gas', kind: 'gas' },
          { key: 'power', label: say('Vermogen', 'Power'), kind: 'other', type: 'line' },
        ]}
        points={nightOfWinterTime([say(' zomertijd', ' summer time'), say(' wintertijd', ' winter time')])}
      />
      <PeriodChart
        label={say('Kosten per maand', 'Cost by month')}
        unit="€"
        format={(euros) => `€\u00a0${formatNumber(euros, 0)}`}
        first={month}
        series={[
          { key: 'cost', label: '2026', kind: 'normal' },
          { key: 'past', label: '2025', kind: 'compare' },
        ]}
        target={{ value: 194, label: say('Termijnbedrag € 194', 'Monthly amount € 194') }}
        points={months(locale)}
      />
      <PeriodChart
        label={say('Verbruik per uur in 2026', 'Usage by hour in 2026')}
        unit="kWh"
        detail="hours"
        table={false}
        first={hour}
        series={[normal, low]}
        points={year}
      />
      <PeriodChart {...empty} loading />
      <PeriodChart {...empty} />
    </Stack>
  );
}

/** Days of a month until today, the 20th; some were not measured. */
const days = (locale: string) =>
  Array.from({ length: 30 }, (_, n): ChartPoint => {
    const day = addDays('2026-11-01', n);
    const isMeasured = n < 20 && !(n >= 6 && n <= 10);
    return {
      start: day,
      label: String(n + 1),
      name: dayName(day, locale),
      missing: n < 20 && !isMeasured,
      upcoming: n >= 20,
      values: {
        normal: isMeasured ? wave(n, 5) : null,
        low: isMeasured ? wave(n + 3, 3.5) : null,
        back: wave(n + 2, 2.2),
        before: wave(n, 9),
      },
    };
  });

/** Hours of the night in which the clocks go back: 02:00 occurs twice. */
const nightOfWinterTime = (names: [string, string]) =>
  [0, 1, 2, 2, 3, 4, 5].map((hour, n): ChartPoint => {
    const clock = `0${hour}:00`;
    return {
      start: `2026-10-25T${clock}:00+0${n < 3 ? 2 : 1}:00`,
      label: clock,
      name: hour === 2 ? clock + names[n - 2] : clock,
      values: { gas: Math.abs(wave(n, 0.4)), power: wave(n + 1, 0.6) },
    };
  });

/** Months of a year: ten finished, one unfinished and one in the future, the last two with forecasts. */
const months = (locale: string) =>
  Array.from({ length: 12 }, (_, n): ChartPoint => {
    const month = `2026-${String(n + 1).padStart(2, '0')}`;
    return {
      start: month,
      label: monthLabel(`${month}-01`, locale),
      name: formatMonth(month, locale),
      values: { cost: n < 10 ? wave(n + 4, 210) : n === 10 ? 142 : null, past: wave(n + 4, 235) },
      unfinished: n === 10,
      upcoming: n > 10,
      expected: n >= 10 ? { value: 201 + n, low: 180, high: 228 + n } : undefined,
    };
  });

const hours = (locale: string) =>
  Array.from({ length: 8760 }, (_, n): ChartPoint => {
    const [day, hour] = [addDays('2026-01-01', Math.floor(n / 24)), n % 24];
    const clock = `${String(hour).padStart(2, '0')}:00`;
    const season = 1 + Math.cos((n / 8760) * 2 * Math.PI);
    return {
      start: `${day}T${clock}`,
      label: hour === 0 && day.endsWith('-01') ? monthLabel(day, locale) : '',
      name: `${dayName(day, locale)}, ${clock}`,
      missing: n >= 4000 && n < 4200,
      values: { normal: wave(n, 0.2 * (season + 0.4)), low: hour < 7 ? wave(n + 5, 0.3 * season) : 0 },
    };
  });

/** Includes a month without an invoice and one with a refund. */
export function BarsByMonthVariants({ say }: Example) {
  return (
    <BarsByMonth
      label={say('Per maand gefactureerd', 'Billed by month')}
      name={say('Gefactureerd', 'Billed')}
      gap={say('geen factuur', 'no invoice')}
      months={[
        { month: '2026-05', cents: 12_350 },
        { month: '2026-06', cents: -8_412 },
        { month: '2026-08', cents: 13_500 },
      ]}
      height={200}
    />
  );
}
