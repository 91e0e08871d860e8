import {
  BarsByMonth,
  type ChartPoint,
  type ChartSeries,
  Comparison,
  dayName,
  PeriodChart,
  PeriodPicker,
  type PeriodUnit,
  periodName,
  periodOf,
  Sparkline,
} from '@wattle/charts';
import { Big, Card, formatNumber, Stack } from '@wattle/ui';
import KitPage from '@wattle/ui/kit-page';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Say } from './gallery/example';
import { Gallery } from './gallery/gallery';
import { MoreCharts } from './kit-charts';

/**
 * The gallery of components, and every part of the kit and of the charts in all its states. The charts are here because neither package
 * imports those of the other.
 */
export default function Kit() {
  return (
    <KitPage
      first={(say) => [
        {
          id: 'componenten',
          title: say('Componenten', 'Components'),
          note: say(
            'Wanneer je elk gebruikt, met een werkend voorbeeld, de eigenschappen en broncode om te kopiëren.',
            'When to use each, with a live example, its props and source to copy.',
          ),
          content: <Gallery say={say} />,
        },
      ]}
      more={(say) => [
        {
          id: 'grafieken',
          title: say('Grafieken', 'Charts'),
          note: say(
            'Pijltjestoetsen lopen door de perioden; wat ontbreekt is een gat en nooit nul.',
            'Arrow keys walk through the periods; what is missing is a gap and never zero.',
          ),
          content: <Charts say={say} />,
        },
      ]}
    />
  );
}

const today = '2026-11-20';
/** Returns a wave of values for the examples: deterministic, because they need no random values. */
const wave = (n: number, size: number) =>
  Math.round((size + size * 0.6 * Math.sin(n * 1.7) + size * 0.3 * Math.sin(n * 0.9)) * 100) / 100;

function Charts({ say }: { say: Say }) {
  const { locale } = useIntl();
  const [shown, setShown] = useState({ unit: 'month' as PeriodUnit, day: today, period: periodOf('month', today) });
  const days: ChartPoint[] = Array.from({ length: 30 }, (_, n) => {
    const day = `2026-11-${String(n + 1).padStart(2, '0')}`;
    const isMeasured = n < 20 && ![6, 7, 8, 9, 10].includes(n) && n !== 15;
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
  const hours: ChartPoint[] = ['00', '01', '02', '02', '03', '04', '05', '06', '07', '08'].map((hour, n) => ({
    start: `2026-10-25T${hour}:00:00+0${n < 3 ? 2 : 1}:00`,
    label: `${hour}:00`,
    name: `${hour}:00${hour === '02' ? (n === 2 ? say(' zomertijd', ' summer time') : say(' wintertijd', ' winter time')) : ''}`,
    values: { gas: Math.abs(wave(n, 0.4)), power: wave(n + 1, 0.6) },
  }));
  const both: ChartSeries[] = [
    { key: 'normal', label: say('Normaal', 'Normal'), kind: 'normal' },
    { key: 'low', label: say('Dal', 'Off-peak'), kind: 'low' },
    { key: 'back', label: say('Teruglevering', 'Feed-in'), kind: 'feed-in' },
    { key: 'before', label: say('November 2025', 'November 2025'), kind: 'compare' },
  ];
  const name = periodName(shown.unit, shown.period, locale);
  return (
    <Stack gap={24}>
      <Card>
        <Stack gap={16}>
          <PeriodPicker
            units={['day', 'week', 'month', 'year', 'years']}
            unit={shown.unit}
            day={shown.day}
            onChange={setShown}
            min="2025-03-01"
            max={today}
          />
          <Big unit="kWh" caption={<Comparison value={312} then={355} name={say('november 2025', 'November 2025')} />}>
            {formatNumber(312)}
          </Big>
          <PeriodChart
            label={`${say('Verbruik in', 'Usage in')} ${name}`}
            unit="kWh"
            first={say('Dag', 'Day')}
            series={both}
            points={days}
            record={{ at: '2026-11-13', text: say('Hoogste', 'Highest') }}
            note={say('Bijgewerkt 20-11-2026, 09:15', 'Updated 20-11-2026, 09:15')}
          />
        </Stack>
      </Card>
      <Card title={say('Gas en vermogen in de nacht van de wintertijd', 'Gas and power in the night of winter time')} level={3}>
        <PeriodChart
          label={say('Gas op 25 oktober 2026', 'Gas on 25 October 2026')}
          unit="m³"
          first={say('Uur', 'Hour')}
          series={[
            { key: 'gas', label: 'Gas', kind: 'gas' },
            { key: 'power', label: say('Vermogen', 'Power'), kind: 'other', look: 'line' },
          ]}
          points={hours}
        />
      </Card>
      <Card title={say('Per maand gefactureerd', 'Billed by month')} level={3}>
        <BarsByMonth
          label={say('Per maand gefactureerd', 'Billed by month')}
          name={say('Gefactureerd', 'Billed')}
          gap={say('geen factuur', 'no invoice')}
          months={[12_350, 12_350, 12_350, -8_412, 12_350, 13_500, 0, 13_500, 13_500, 21_200, 13_500, 13_500]
            .map((cents, n) => ({ month: n < 10 ? `2026-${String(n + 1).padStart(2, '0')}` : `2025-${n + 1}`, cents }))
            .filter(({ cents }) => cents !== 0)}
        />
      </Card>
      <MoreCharts say={say} />
      <Card title={say('Laden en leeg', 'Loading and empty')} level={3}>
        <Stack gap={24}>
          <PeriodChart label={say('Verbruik', 'Usage')} unit="kWh" first={say('Dag', 'Day')} loading series={both} points={[]} />
          <PeriodChart label={say('Verbruik', 'Usage')} unit="kWh" first={say('Dag', 'Day')} series={both} points={[]} />
          <Sparkline label={say('Verbruik in november', 'Usage in November')} values={days.map((d) => d.values.normal ?? null)} />
        </Stack>
      </Card>
    </Stack>
  );
}
