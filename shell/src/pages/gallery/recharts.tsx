import { axisProps, Bar, BarChart, ChartBox, chartColors, motionProps, XAxis } from '@wattle/charts/recharts';
import type { Example } from './example';

export function ChartBoxExample({ say }: Example) {
  const hours = [
    { at: '08:00', minutes: 12 },
    { at: '09:00', minutes: 34 },
  ];
  return (
    <ChartBox
      label={say('Minuten zonder stroom: 12 om 8 uur, 34 om 9 uur', 'Minutes without power: 12 at 8, 34 at 9 o’clock')}
      height={160}
    >
      {(size) => (
        <BarChart {...size} data={hours} accessibilityLayer={false}>
          <XAxis dataKey="at" {...axisProps} />
          <Bar dataKey="minutes" fill={chartColors.normal} {...motionProps()} />
        </BarChart>
      )}
    </ChartBox>
  );
}
