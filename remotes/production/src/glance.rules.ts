import type { OwnYield, Project } from './api';

/** Adds up the values of projects as they are listed: whole kWh from 10 kWh. Returns null if none of them is known. */
export function sumOver(
  yields: readonly OwnYield[],
  field: 'current_power' | 'todays_production' | 'year_production' | 'last_year_production',
) {
  const known = yields.flatMap((y) => (y[field] === null ? [] : [y[field]]));
  const listed = (value: number) => (field !== 'current_power' && value >= 10 ? Math.round(value) : value);
  return known.length > 0 ? known.reduce((sum, value) => sum + listed(value), 0) : null;
}

/** Returns what was made in the projects, in euros; null if something was made whose value is not known (9-glance-value). */
export function worthOf(yields: readonly OwnYield[], of: 'year' | 'last_year'): number | null {
  const made = yields.filter((y) => y[`${of}_production`] !== null);
  const values = made.flatMap((y) => y[`${of}_value`] ?? []);
  return made.length > 0 && values.length === made.length ? values.reduce((sum, value) => sum + value, 0) : null;
}

/** Returns whether anything has been measured in a project since last year. */
export const isMeasured = (y: OwnYield): boolean => (y.current_power ?? y.year_production ?? y.last_year_production) !== null;

/** Returns the oldest of the last measurements: the total power is not more recent than that. */
export const measuredAt = (yields: readonly OwnYield[]): string | undefined =>
  yields.flatMap((y) => (y.measured_at === null ? [] : [y.measured_at])).sort()[0];

/** Returns power in W below 1 kW, otherwise in kW. */
export const ownPower = (kW: number): { value: number; unit: 'W' | 'kW' } =>
  kW < 1 ? { value: kW * 1_000, unit: 'W' } : { value: kW, unit: 'kW' };

/** Returns how many households use that amount from 1 January through `today`, at `use` kWh a year. */
export function households(kWh: number, use: number, today: string): number {
  const january = Date.parse(`${today.slice(0, 4)}-01-01`);
  const days = (Date.parse(today) - january) / 86_400_000 + 1;
  const year = (Date.parse(`${Number(today.slice(0, 4)) + 1}-01-01`) - january) / 86_400_000;
  return kWh / ((use * days) / year);
}

/**
 * Returns how the texts compare a yield with a usage, where `ratio` is yield divided by usage: as a multiple, as a percentage more,
 * as about the same (within 5%), or as a percentage of the usage.
 */
export function comparedTo(ratio: number): { size: 'times' | 'more' | 'same' | 'less'; n: number } {
  if (ratio >= 1.5) return { size: 'times', n: ratio };
  if (ratio > 1.05) return { size: 'more', n: (ratio - 1) * 100 };
  return ratio < 0.95 ? { size: 'less', n: ratio * 100 } : { size: 'same', n: 100 };
}

/** The things that a member can do now; what must be paid is in a card of its own (9-glance-due). */
export type Todo = { kind: 'personal'; n: number } | { kind: 'ends'; project: string; day: string };

/** The pages on which they can be done. */
export const pageOf = {
  personal: '/personal-offers',
  ends: '/participation',
} as const satisfies Record<Todo['kind'], string>;

export interface Facts {
  /** Number of personal offers. */
  personal: number;
  projects: readonly Pick<Project, 'project_name' | 'project_end_date' | 'participations'>[];
  today: string;
}

/** Number of days before the end of a project from which it is announced. */
const announced = 365;

/** Returns the things to do: personal offers, projects that end within a year. */
export function todos({ personal, projects, today }: Facts): Todo[] {
  const until = new Date(Date.parse(today) + announced * 86_400_000).toISOString().slice(0, 10);
  return [
    ...(personal > 0 ? [{ kind: 'personal', n: personal } as const] : []),
    ...projects.flatMap((p) =>
      p.participations.length > 0 && p.project_end_date && p.project_end_date >= today && p.project_end_date <= until
        ? [{ kind: 'ends', project: p.project_name, day: p.project_end_date } as const]
        : [],
    ),
  ];
}
