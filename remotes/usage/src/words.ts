import { defineMessages, type IntlShape } from 'react-intl';
import type { Commodity } from './api';

const t = defineMessages({
  electricity: { id: 'usage.electricity', defaultMessage: 'Electricity' },
  gas: { id: 'usage.gas', defaultMessage: 'Gas' },
});

/** What a connection delivers, in a word. */
export const commodityName = (intl: IntlShape, commodity: Commodity): string =>
  intl.formatMessage(commodity === 'GAS' ? t.gas : t.electricity);
