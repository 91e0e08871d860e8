import { addDays, type ChartPoint, dayName, monthLabel, PeriodChart } from '@wattle/charts';
import { Card, formatMonth, formatNumber, Skeleton } from '@wattle/ui';
import { lazy, Suspense, useMemo } from 'react';
import { useIntl } from 'react-intl';
import type { Say } from './gallery/example';

const Pie = lazy(() => import('./kit-pie'));
const wave = (n: number, size: number) =>
  Math.round((size + size * 0.5 * Math.sin(n / 1.9) + size * 0.2 * Math.sin(n * 1.3)) * 10) / 10;

/** Examples of what charts show besides what was measured, of a long series, and of a chart drawn with recharts itself. */
export function MoreCharts({ say }: { say: Say }) {
  const { locale } = useIntl();
  const months: ChartPoint[] = Array.from({ length: 12 }, (_, n) => {
    const month = `2026-${String(n + 1).padStart(2, '0')}`;
    const value = wave(n + 4, 210);
    return {
      start: month,
      label: monthLabel(`${month}-01`, locale),
      name: formatMonth(month, locale),
      values: { cost: n < 10 ? value : n === 10 ? 142 : null, past: wave(n + 4, 235) },
      unfinished: n === 10,
      upcoming: n > 10,
      expected: n >= 10 ? { value: 201 + n, low: 180, high: 228 + n } : undefined,
    };
  });
  const years: ChartPoint[] = [2022, 2023, 2024, 2025, 2026].map((year, n) => ({
    start: String(year),
    label: String(year),
    values: { made: [2210, 2480, 2390, 2610, 1740][n] },
    unfinished: year === 2026,
  }));
  const hours = useMemo(
    () =>
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
      }),
    [locale],
  );
  return (
    <>
      <Card title={say('Een periode die nog loopt', 'A period that is still running')} level={3}>
        <PeriodChart
          label={say('Opbrengst per jaar', 'Production by year')}
          unit="kWh"
          first={say('Jaar', 'Year')}
          series={[{ key: 'made', label: say('Opbrengst', 'Production'), kind: 'normal', look: 'line' }]}
          points={years}
        />
      </Card>
      <Card title={say('Verwachting, doel en vorig jaar', 'Forecast, target and last year')} level={3}>
        <PeriodChart
          label={say('Kosten per maand', 'Cost by month')}
          unit="€"
          format={(euros) => `€\u00a0${formatNumber(euros, 0)}`}
          first={say('Maand', 'Month')}
          series={[
            { key: 'cost', label: '2026', kind: 'normal' },
            { key: 'past', label: '2025', kind: 'compare', look: 'bar' },
          ]}
          target={{ value: 194, label: say('Termijnbedrag € 194', 'Monthly amount € 194') }}
          points={months}
        />
      </Card>
      <Card title={say('Een jaar in uren', 'A year of hours')} level={3}>
        <PeriodChart
          label={say('Verbruik per uur in 2026', 'Usage by hour in 2026')}
          unit="kWh"
          detail="hours"
          table={false}
          first={say('Uur', 'Hour')}
          series={[
            { key: 'normal', label: say('Normaal', 'Normal'), kind: 'normal' },
            { key: 'low', label: say('Dal', 'Off-peak'), kind: 'low' },
          ]}
          points={hours}
        />
      </Card>
      <Card title={say('Met recharts zelf', 'With recharts itself')} level={3}>
        <Suspense fallback={<Skeleton shape="chart" />}>
          <Pie say={say} />
        </Suspense>
      </Card>
    </>
  );
}
