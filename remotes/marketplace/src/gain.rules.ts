// Mirrors modules/marketplace's rule for what shares bring; both run schemas/rules/9-offer-payback.json.

/** An offer with what is known of its project. */
export interface Prospect {
  /** Of a share, in euros. */
  price: number;
  /** kWh that a share yielded in each of some years; null: not known. */
  energies: readonly (number | null)[];
  /** Euros; null: not known. */
  kwh_price: number | null;
  /** First day on which the shares can be those of the buyer. */
  from: string;
  /** Last day of the project; null: not known. */
  end: string | null;
}

/** What a number of shares costs and brings; money in cents. What is not known is null. */
export interface Gain {
  cost: number;
  /** kWh a year. */
  energy: number | null;
  /** Of that energy. */
  value: number | null;
  /** Until the value of the energy is the cost, with one decimal. */
  years: number | null;
  /** Whether that is before the project ends. */
  in_time: boolean | null;
}

const daysInYear = 365.25;
const tenth = (n: number): number => Math.round(n * 10) / 10;

/**
 * Returns the gain of a number of shares (9-offer-payback): a year brings the mean of the known years, each kWh what one is worth today.
 * Administration costs and taxes are not in it.
 */
export function gainOf(p: Prospect, shares: number): Gain {
  const cost = Math.round(p.price * 100) * shares;
  const known = p.energies.filter((e) => e !== null);
  const unknown: Gain = { cost, energy: null, value: null, years: null, in_time: null };
  if (known.length === 0) return unknown;
  const energy = (known.reduce((sum, e) => sum + e, 0) / known.length) * shares;
  if (p.kwh_price === null) return { ...unknown, energy: tenth(energy) };
  const worth = energy * p.kwh_price;
  const years = worth > 0 ? cost / 100 / worth : null;
  return {
    cost,
    energy: tenth(energy),
    value: Math.round(worth * 100),
    years: years && tenth(years),
    in_time: years === null || p.end === null ? null : years * daysInYear <= daysFrom(p.from, p.end) + 1,
  };
}

const daysFrom = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
