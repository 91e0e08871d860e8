import { formatEnergy } from '@wattle/ui';
import { api } from './api';
import { energyUnit } from './connection.rules';

/** The usage of this month, in the title row of its tile. */
export default function MonthSummary() {
  const month = api.useGet('/usage/summary', {}, { empty: [404] }).data;
  return month && month.consumption !== null ? formatEnergy(month.consumption, energyUnit(month.commodity)) : null;
}
