/** What a sky looks like; `other` is a description that we do not know (3-weather-unknown-status). */
export type Sky = 'clear' | 'cloudy' | 'drizzle' | 'rain' | 'thunder' | 'snow' | 'fog' | 'hail' | 'other';

/** The worst counts: "onweer met hagel" is thunder, "zwaar bewolkt en regen" is rain. */
const words: readonly (readonly [RegExp, Sky])[] = [
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

/** 3-weather-statuses: which sky a Dutch description speaks of. */
export function skyOf(overcast: string): Sky {
  const text = overcast.toLowerCase();
  return words.find(([word]) => word.test(text))?.[1] ?? 'other';
}
