// Mirrors modules/marketplace's rule for the gain of shares; both run schemas/rules/9-offer-payback.json.

/** An offer with the known data of its project. */
export interface Prospect {
  /** Price of a share in euros. */
  price: number;
  /** Yield of a share in kWh, in each of some years; null if unknown. */
  energies: readonly (number | null)[];
  /** In euros; null if unknown. */
  kwh_price: number | null;
  /** First day on which the buyer can own the shares. */
  from: string;
  /** Last day of the project; null if unknown. */
  end: string | null;
}

/** The cost and gain of a number of shares, with money in cents. Unknown values are null. */
export interface Gain {
  cost: number;
  /** kWh per year. */
  energy: number | null;
  /** Value of that energy. */
  value: number | null;
  /** Number of years, with one decimal, until the value of the energy equals the cost. */
  years: number | null;
  /** Whether that is before the project ends. */
  in_time: boolean | null;
}

const daysInYear = 365.25;
const roundToTenth = (n: number): number => Math.round(n * 10) / 10;

/**
 * Returns the gain of a number of shares (9-offer-payback). The yearly yield is the mean of the known years, and each kWh has
 * today's value. Administration costs and taxes are not included.
 */
export function gainOf(p: Prospect, shares: number): Gain {
  const cost = Math.round(p.price * 100) * shares;
  const known = p.energies.filter((e) => e !== null);
  const unknown: Gain = { cost, energy: null, value: null, years: null, in_time: null };
  if (known.length === 0) return unknown;
  const energy = (known.reduce((sum, e) => sum + e, 0) / known.length) * shares;
  if (p.kwh_price === null) return { ...unknown, energy: roundToTenth(energy) };
  const worth = energy * p.kwh_price;
  const years = worth > 0 ? cost / 100 / worth : null;
  return {
    cost,
    energy: roundToTenth(energy),
    value: Math.round(worth * 100),
    years: years && roundToTenth(years),
    in_time: years === null || p.end === null ? null : years * daysInYear <= daysFrom(p.from, p.end) + 1,
  };
}

const daysFrom = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
