/** Kinds of sky; `other` is an unknown description (3-weather-unknown-status). */
export type Sky = 'clear' | 'cloudy' | 'drizzle' | 'rain' | 'thunder' | 'snow' | 'fog' | 'hail' | 'other';

/** The first match counts, worst first: "onweer met hagel" is thunder, "zwaar bewolkt en regen" is rain. */
const patterns: readonly (readonly [RegExp, Sky])[] = [
  [/onweer/, 'thunder'],
  [/hagel/, 'hail'],
  [/sneeuw|winterse/, 'snow'],
  [/motregen|miezer/, 'drizzle'],
  [/regen|bui/, 'rain'],
  [/mist|nevel/, 'fog'],
  [/onbewolkt|helder|zonnig/, 'clear'],
  [/bewolk|wolk/, 'cloudy'],
  [/opklaring/, 'clear'],
];

/** 3-weather-statuses: returns the sky of a Dutch description. */
export function skyOf(overcast: string): Sky {
  const text = overcast.toLowerCase();
  return patterns.find(([word]) => word.test(text))?.[1] ?? 'other';
}

/** From how many m/s each wind force of 1 Beaufort and up begins. */
const forces = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];

/** Returns the wind force in Beaufort, 0 to 12, of a speed in m/s. */
export const beaufort = (speed: number): number => forces.filter((from) => speed >= from).length;
