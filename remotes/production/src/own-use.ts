import { usage } from './api';

/**
 * Returns the electricity in kWh that the member's only connection used in a calendar year: null if that is not completely known,
 * undefined while it is loading.
 */
export function useOwnUse(year: number): number | null | undefined {
  const connections = usage.useGet('/connections', {}, { empty: [403, 404] });
  const electric = connections.data?.filter((c) => c.commodity === 'ELECTRICITY') ?? [];
  const ean = electric.length === 1 ? electric[0]?.ean_code : undefined;
  const series = usage.useGet(
    '/usage/{ean}/series',
    { path: { ean: ean ?? '-' }, query: { unit: 'year', from: `${year}-01-01`, to: `${year + 1}-01-01` } },
    { empty: [400, 403, 404], enabled: ean !== undefined },
  );
  if (connections.isPending || (ean !== undefined && series.isPending)) return undefined;
  const used = series.data?.complete ? series.data.total.consumption : null;
  return used !== null && used > 0 ? used : null;
}
