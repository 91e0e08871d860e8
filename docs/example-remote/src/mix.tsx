import { ChartBox, chartColors, Legend, legendProps, motionProps, Pie, PieChart } from '@wattle/charts/recharts';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';

/** How much of the heat comes from the pump, drawn with recharts in the colors of the label. */
export default function Mix({ pump }: { pump: number }): ReactElement {
  const intl = useIntl();
  const parts = [
    { name: intl.formatMessage({ id: 'acme.mix_pump', defaultMessage: 'Heat pump' }), value: pump, fill: chartColors.normal },
    { name: intl.formatMessage({ id: 'acme.mix_gas', defaultMessage: 'Gas' }), value: 100 - pump, fill: chartColors.gas },
  ];
  return (
    <ChartBox label={parts.map(({ name, value }) => `${name} ${value}%`).join(', ')} height={200}>
      {(size) => (
        <PieChart {...size} accessibilityLayer={false}>
          <Pie data={parts} dataKey="value" innerRadius="60%" {...motionProps()} />
          <Legend {...legendProps} />
        </PieChart>
      )}
    </ChartBox>
  );
}
