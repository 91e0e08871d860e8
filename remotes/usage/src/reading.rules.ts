import type { Reading } from './api';

/** Sorts by date, latest first (9-usage-history-table); equal dates keep the server's order. */
export const newestFirst = (readings: readonly Reading[]): Reading[] =>
  [...readings].sort((a, b) => b.measurement_date.localeCompare(a.measurement_date));

/** A meter shows whole kWh or m³, so the decimals of a reading are not displayed. */
export const displayed = (reading: number): number => Math.floor(reading);

/**
 * Returns readings, latest first, with the usage since the meter's previous reading. The usage is the difference of the displayed
 * values, so that a customer can check it (9-reading-difference).
 */
export const withDisplayedUsage = (readings: readonly Reading[]): Reading[] =>
  readings.map((reading, at) => {
    if (reading.consumption === null) return reading;
    const before = readings.slice(at + 1).find((r) => r.meter_number === reading.meter_number);
    if (!before) return reading;
    const registers = (['consumption_normal', 'consumption_low'] as const).filter(
      (r) => reading[r] !== null && before[r] !== null,
    );
    const of = (r: Reading) => registers.reduce((sum, register) => sum + displayed(r[register] ?? 0), 0);
    return { ...reading, consumption: of(reading) - of(before) };
  });
