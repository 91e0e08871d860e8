import {
  BarsByMonth,
  type ChartPoint,
  ChartTable,
  Comparison,
  PeriodChart,
  PeriodPicker,
  type PeriodUnit,
  periodOf,
  Sparkline,
} from '@wattle/charts';
import { Big, formatNumber } from '@wattle/ui';
import { lazy, useState } from 'react';
import type { Example, Group } from './example';

export function PeriodChartExample({ say }: Example) {
  const points: ChartPoint[] = [31, 28, 40].map((used, n) => ({ start: `2026-0${n + 1}`, label: `0${n + 1}`, values: { used } }));
  return (
    <PeriodChart
      label={say('Verbruik in het eerste kwartaal', 'Usage in the first quarter')}
      unit="kWh"
      first={say('Maand', 'Month')}
      series={[{ key: 'used', label: say('Verbruik', 'Usage'), kind: 'normal' }]}
      points={points}
      height={200}
    />
  );
}

export function PeriodPickerExample() {
  const today = '2026-11-20';
  const [shown, setShown] = useState({ unit: 'month' as PeriodUnit, day: today, period: periodOf('month', today) });
  return <PeriodPicker unit={shown.unit} day={shown.day} onChange={setShown} min="2025-01-01" max={today} />;
}

export function BarsByMonthExample({ say }: Example) {
  return (
    <BarsByMonth
      label={say('Betaald per maand', 'Paid by month')}
      name={say('Betaald', 'Paid')}
      months={[
        { month: '2026-09', cents: 12_350 },
        { month: '2026-10', cents: 11_800 },
      ]}
      height={200}
    />
  );
}

export function ComparisonExample({ say }: Example) {
  return (
    <Big unit="kWh" caption={<Comparison value={187} then={204} name={say('oktober 2026', 'October 2026')} />}>
      {formatNumber(187)}
    </Big>
  );
}

export function SparklineExample({ say }: Example) {
  return (
    <Sparkline
      label={say('Verbruik deze week, het hoogst op vrijdag', 'Usage this week, highest on Friday')}
      values={[6, 7, 5, 8, 11, null, 9]}
    />
  );
}

export function ChartTableExample({ say }: Example) {
  return (
    <ChartTable
      label={say('Verbruik in cijfers', 'Usage in figures')}
      unit="kWh"
      first={say('Maand', 'Month')}
      series={[{ key: 'used', label: say('Verbruik', 'Usage'), kind: 'normal' }]}
      points={[{ start: '2026-10', label: say('oktober', 'October'), values: { used: 204 } }]}
    />
  );
}

export const charts: Group = {
  id: 'charts',
  title: ['Grafieken', 'Charts'],
  entries: {
    PeriodChart: {
      use: ['Voor hoeveelheden per periode, met toetsenbord en tabel.', 'For amounts by period, with keyboard and table.'],
      view: PeriodChartExample,
    },
    PeriodPicker: {
      use: ['Boven een grafiek: eenheid en periode kiezen.', 'Above a chart: to choose unit and period.'],
      view: PeriodPickerExample,
    },
    BarsByMonth: { use: ['Voor geld per maand.', 'For money by month.'], view: BarsByMonthExample },
    Comparison: {
      use: ['Onder een getal: meer of minder dan eerder.', 'Below a number: more or less than before.'],
      view: ComparisonExample,
    },
    Sparkline: {
      use: [
        'In een tegel, naast het getal zelf. Zonder code van grafieken.',
        'In a tile, next to the number itself. Without the code of charts.',
      ],
      view: SparklineExample,
    },
    ChartTable: {
      use: [
        'Voor de cijfers naast een eigen grafiek; PeriodChart heeft er een.',
        'For the figures next to a chart of your own; PeriodChart has one.',
      ],
      view: ChartTableExample,
    },
    ChartBox: {
      use: [
        'Voor een grafiek die de kit niet heeft, met recharts. Importeer in een bestand dat pas met de grafiek geladen wordt.',
        'For a chart that the kit does not have, with recharts. Import it in a file that is loaded with the chart only.',
      ],
      view: lazy(() => import('./recharts').then((m) => ({ default: m.ChartBoxExample }))),
    },
  },
};
