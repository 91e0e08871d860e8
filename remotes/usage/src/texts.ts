import { defineMessages, type IntlShape } from 'react-intl';
import type { Commodity, CostRow, Reading } from './api';

const t = defineMessages({
  electricity: { id: 'usage.electricity', defaultMessage: 'Electricity' },
  gas: { id: 'usage.gas', defaultMessage: 'Gas' },
});

/** Returns the name of a commodity. */
export const commodityName = (intl: IntlShape, commodity: Commodity): string =>
  intl.formatMessage(commodity === 'GAS' ? t.gas : t.electricity);

/** Returns the name of a register of a meter. */
export const registerName = (
  intl: IntlShape,
  register: keyof Pick<Reading, 'consumption_normal' | 'consumption_low' | 'feedin_normal' | 'feedin_low'>,
): string =>
  intl.formatMessage(
    {
      id: 'usage.readings.register',
      defaultMessage:
        '{register, select, consumption_normal {Normal} consumption_low {Off-peak} feedin_normal {Feed-in normal} other {Feed-in off-peak}}',
    },
    { register },
  );

/** Returns the name of a price kind. */
export const priceName = (intl: IntlShape, kind: CostRow['kind'], commodity: Commodity): string =>
  kind === 'single' && commodity === 'GAS'
    ? commodityName(intl, commodity)
    : intl.formatMessage(
        {
          id: 'usage.cost.kind',
          defaultMessage:
            '{kind, select, normal {Normal rate} low {Off-peak rate} single {Single rate} feed_in {Payment for feed-in} feed_in_cost {Feed-in costs} standing {Standing charge} grid {Grid costs} energy_tax {Energy tax} other {Energy tax reduction}}',
        },
        { kind },
      );
