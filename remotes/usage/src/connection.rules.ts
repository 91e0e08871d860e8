import type { EnergyUnit } from '@wattle/ui';
import type { Agreement, Commodity, Connection, MeterType, Series } from './api';

type Unit = Series['unit'];

/** Returns the unit for a commodity (3-unit-per-commodity); mirrors UnitOf in modules/usage/internal/meter/connection.go. */
export const unitOf = (commodity: Commodity): 'M3N' | 'KWH' => (commodity === 'GAS' ? 'M3N' : 'KWH');

/** Returns the unit for display: kWh or m³. */
export const energyUnit = (commodity: Commodity): EnergyUnit => (unitOf(commodity) === 'M3N' ? 'm³' : 'kWh');

/** The legal basis on which a label shows daily and finer values (9-usage-intervals-basis). */
export type Basis = 'consent' | 'contract';

/**
 * Returns why daily and finer values of a connection must not be shown (5.10-historical-conditions); mirrors checkDays in
 * modules/usage/internal/history/access.go.
 */
export const checkHistory = (meter: MeterType, consent: boolean, basis: Basis): string[] =>
  meter !== 'SMART' ? ['usage.not_supported'] : consent || basis === 'contract' ? [] : ['usage.consent_needed'];

/**
 * Returns why a chart must not have bars of this unit (9-usage-units); mirrors checkUnit in
 * modules/usage/internal/history/access.go.
 */
export const checkUnit = (unit: Unit, meter: MeterType, consent: boolean, basis: Basis): string[] =>
  unit === 'month' || unit === 'year' ? [] : checkHistory(meter, consent, basis);

/**
 * Returns the first day of historical data: `months` before today, or the start of the agreement if that is later
 * (9-historical-span); mirrors Start in modules/usage/internal/history/history.go.
 */
export function historyStart(contractStart: string, today: string, months: number): string {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  const start = first.toISOString().slice(0, 10);
  return contractStart > start ? contractStart : start;
}

/** Returns an agreement's connections, electricity first; matched by the EAN codes of its addresses (2.1-usage-route). */
export function connectionsOf(agreement: Agreement, connections: readonly Connection[]): Connection[] {
  const eans = new Set(agreement.addresses.flatMap((a) => a.connections.map((c) => c.ean_code)));
  return connections
    .filter((c) => eans.has(c.ean_code))
    .sort((a, b) => a.commodity.localeCompare(b.commodity) || a.ean_code.localeCompare(b.ean_code));
}

/**
 * Returns whether there is a switch between usage and feed-in: only for electricity with a smart meter
 * (2.1-usage-toggle-smart-only).
 */
export const hasSwitch = (connections: readonly Connection[]): boolean =>
  connections.some((c) => c.commodity === 'ELECTRICITY' && c.meter_type === 'SMART');

/** Returns whether the agreement includes feed-in at the connection (3-connection-delivery). */
export const feedsIn = (connection: Connection, agreement: Agreement): boolean =>
  [agreement.agreement_identifier, agreement.agreement_identifier_with_sequence].some((id) => connection.delivery[id] === true);

/**
 * Returns whether an agreement has prices for the usage of each kind of connection, and its standing charge, on a day
 * (9-usage-euro-switch).
 */
export const isPriced = ({ price_agreements: prices }: Agreement, connections: readonly Connection[], day: string): boolean =>
  connections.every((c) =>
    [/^(normal|single)$/, /^standing$/].every((kinds) =>
      prices.some(
        (p) => p.commodity === c.commodity && kinds.test(p.kind ?? '') && p.from <= day && (p.to === null || p.to >= day),
      ),
    ),
  );

/** Sorts current agreements before ended ones, each group newest first. */
export const sortAgreements = (agreements: readonly Agreement[]): Agreement[] =>
  [...agreements].sort(
    (a, b) => Number(b.status === 'ACTIVE') - Number(a.status === 'ACTIVE') || b.period.from.localeCompare(a.period.from),
  );

/** Returns whether an agreement has started: a canceled or future one has no usage and no readings. */
export const hasDelivered = (agreement: Agreement, today: string): boolean =>
  agreement.status !== 'CANCELLED' && agreement.period.from <= today;

/** Returns whether the supply under an agreement has ended. */
export const hasEnded = (agreement: Pick<Agreement, 'status' | 'period'>, today: string): boolean =>
  agreement.status === 'TERMINATED' || (agreement.period.to !== null && agreement.period.to < today);

/**
 * Returns the agreement that is initially open: the one in the path, otherwise the first (2.1-usage-deeplink,
 * 2.1-usage-first-expanded).
 */
export const openAtFirst = (agreements: readonly Agreement[], asked: string | undefined): Agreement | undefined =>
  agreements.find((a) => asked === a.agreement_identifier_with_sequence || asked === a.agreement_identifier) ?? agreements[0];

/** Returns the delivery address of an agreement on one line. */
export const placeOf = (agreement: Agreement): string => {
  const a = agreement.addresses.find((x) => x.connections.length > 0) ?? agreement.addresses[0];
  return a
    ? [[a.street, a.house_number, a.house_number_extension].filter(Boolean).join(' '), a.city].filter(Boolean).join(', ')
    : '';
};

/** Formats an EAN in groups, as on the invoice, with no-break spaces. */
export const eanText = (ean: string): string =>
  ean.replace(/^(\d{2})(\d{4})(\d{4})(\d{4})(\d{4})$/, '$1\u00a0$2\u00a0$3\u00a0$4\u00a0$5');
