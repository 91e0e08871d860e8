import { defineMessages, type IntlShape } from 'react-intl';
import type { Commodity, Reading } from './api';

const t = defineMessages({
  electricity: { id: 'usage.electricity', defaultMessage: 'Electricity' },
  gas: { id: 'usage.gas', defaultMessage: 'Gas' },
});

/** What a connection delivers, in a word. */
export const commodityName = (intl: IntlShape, commodity: Commodity): string =>
  intl.formatMessage(commodity === 'GAS' ? t.gas : t.electricity);

/** What the register of a meter counts. */
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
