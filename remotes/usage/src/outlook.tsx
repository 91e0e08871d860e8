import { formatEnergy } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { Commodity, Forecast } from './api';
import { energyUnit } from './connection.rules';
import { commodities, reasonOf } from './forecast.rules';
import { Quiet } from './last-reading';

/** The forecast for the month, or why there is none (9-forecast-none-shown). */
export default function Outlook({ forecast, commodity }: { forecast: Forecast; commodity: Commodity }) {
  const part = commodities(forecast).find((p) => p.commodity === commodity);
  if (part)
    return (
      <p>
        <FormattedMessage
          id="usage.month.expected"
          defaultMessage="We expect about {amount} for the whole month."
          values={{ amount: formatEnergy(part.usage.expected, energyUnit(commodity)) }}
        />
      </p>
    );
  const reason = reasonOf(forecast, commodity);
  if (!reason || reason === 'consent' || reason === 'meter') return null;
  return (
    <Quiet>
      <FormattedMessage
        id="usage.month.unexpected"
        defaultMessage="{reason, select, history {We can give a forecast once we have measured for more than a year.} gaps {We have no forecast for this month: too many measurements of last year are missing.} other {We have no forecast for this month yet: your usage is too different from last year.}}"
        values={{ reason }}
      />
    </Quiet>
  );
}
