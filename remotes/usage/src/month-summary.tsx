import { formatEnergy, formatEuros } from '@wattle/ui';
import { api } from './api';
import { energyUnit } from './connection.rules';

/** The expected cost of this month, or its usage, in the title row of its tile. */
export default function MonthSummary() {
  const total = api.useGet('/usage/forecast', {}, { empty: [404] }).data?.total;
  const month = api.useGet('/usage/summary', {}, { empty: [404] }).data;
  if (total) return formatEuros(total.expected);
  return month && month.consumption !== null ? formatEnergy(month.consumption, energyUnit(month.commodity)) : null;
}
