/** A day and time in the label's time zone. */
export interface Moment {
  day: string;
  time: string;
}

/** The age of a measurement (9-production-fresh). */
export type Freshness =
  | { kind: 'live' }
  | { kind: 'minutes' | 'hours'; n: number }
  // a day old or older: day and time are shown instead of the age
  | { kind: 'since' };

const liveMinutes = 15;

const minutes = ({ day, time }: Moment): number => Date.parse(`${day}T${time}Z`) / 60_000;

/**
 * Returns how old a measurement is. A measurement slightly in the future counts as live: the meter's clock is fast, or the hour
 * occurs twice.
 */
export function freshness(measured: Moment, now: Moment): Freshness {
  const age = minutes(now) - minutes(measured);
  if (age <= liveMinutes) return { kind: 'live' };
  if (age < 60) return { kind: 'minutes', n: age };
  if (age < 24 * 60) return { kind: 'hours', n: Math.floor(age / 60) };
  return { kind: 'since' };
}

/** Returns power in kW, or in MW from 1,000 kW. */
export const powerIn = (kW: number): { value: number; unit: 'kW' | 'MW' } =>
  kW >= 1_000 ? { value: kW / 1_000, unit: 'MW' } : { value: kW, unit: 'kW' };
