import {
  ChartBox,
  chartColors,
  Legend,
  legendProps,
  motionProps,
  Pie,
  PieChart,
  Tooltip,
  tooltipProps,
} from '@wattle/charts/recharts';
import type { Example } from './example';

/** A chart that is not part of the kit, in the label's colors, with a legend and a card for each part. */
export default function ChartBoxVariants({ say }: Example) {
  const parts = [
    { name: say('Levering', 'Supply'), value: 98 },
    { name: say('Netbeheer', 'Grid'), value: 34 },
    { name: say('Belasting', 'Tax'), value: 61 },
  ].map((part, n) => ({ ...part, fill: chartColors.all[n] ?? chartColors.other }));
  return (
    <ChartBox
      label={`${say('Waar je bedrag uit bestaat', 'What your amount is made of')}: ${parts.map((p) => `${p.name} € ${p.value}`).join(', ')}`}
    >
      {(size) => (
        <PieChart {...size} accessibilityLayer={false}>
          <Pie data={parts} dataKey="value" innerRadius={60} stroke="var(--w-surface)" strokeWidth={2} {...motionProps()} />
          <Tooltip {...tooltipProps} />
          <Legend {...legendProps} />
        </PieChart>
      )}
    </ChartBox>
  );
}
