import { BarsByMonth } from '@wattle/charts';
import { useIntl } from 'react-intl';
import { cents } from './money';

/** Bars per month of due dates, with the same as a table behind them. A month without invoice is a gap. */
export default function BilledChart({ months }: { months: readonly { month: string; amount: number }[] }) {
  const intl = useIntl();
  return (
    <BarsByMonth
      label={intl.formatMessage({ id: 'billing.billed.label', defaultMessage: 'Billed per month, by due date' })}
      name={intl.formatMessage({ id: 'billing.billed.name', defaultMessage: 'Billed' })}
      months={months.map((m) => ({ month: m.month, cents: cents(m.amount) }))}
      gap={intl.formatMessage({ id: 'billing.billed.gap', defaultMessage: 'no invoice' })}
      empty={intl.formatMessage({ id: 'billing.billed.none', defaultMessage: 'Nothing has been billed in the past two years.' })}
    />
  );
}
