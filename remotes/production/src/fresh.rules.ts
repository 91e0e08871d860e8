/** A moment as the label's clock shows it. */
export interface Moment {
  day: string;
  time: string;
}

/** How fresh a measurement is (9-production-fresh). */
export type Freshness =
  | { kind: 'live' }
  | { kind: 'minutes' | 'hours'; n: number }
  /** A day old or older: then its moment says more than its age. */
  | { kind: 'since' };

const liveMinutes = 15;

const minutes = ({ day, time }: Moment): number => Date.parse(`${day}T${time}Z`) / 60_000;

/** Measured a moment ahead of us is live: the meter's clock is a little fast, or the hour comes twice. */
export function freshness(measured: Moment, now: Moment): Freshness {
  const age = minutes(now) - minutes(measured);
  if (age <= liveMinutes) return { kind: 'live' };
  if (age < 60) return { kind: 'minutes', n: age };
  if (age < 24 * 60) return { kind: 'hours', n: Math.floor(age / 60) };
  return { kind: 'since' };
}

/** Power in the unit that reads best. */
export const powerIn = (kW: number): { value: number; unit: 'kW' | 'MW' } =>
  kW >= 1_000 ? { value: kW / 1_000, unit: 'MW' } : { value: kW, unit: 'kW' };
