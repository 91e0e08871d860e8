/** Kinds of sky; `other` is an unknown description (3-weather-unknown-status). */
export type Sky = 'clear' | 'cloudy' | 'drizzle' | 'rain' | 'thunder' | 'snow' | 'fog' | 'hail' | 'other';

/** The first match applies, worst weather first: "onweer met hagel" is thunder, "zwaar bewolkt en regen" is rain. */
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

/** 3-weather-statuses: returns the sky for a Dutch description. */
export function skyOf(overcast: string): Sky {
  const text = overcast.toLowerCase();
  return patterns.find(([word]) => word.test(text))?.[1] ?? 'other';
}

/** Minimum wind speed in m/s for each wind force from 1 Beaufort. */
const forces = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];

/** Returns the wind force in Beaufort, 0 to 12, for a speed in m/s. */
export const beaufort = (speed: number): number => forces.filter((from) => speed >= from).length;

const radians = Math.PI / 180;
/** The center of the Netherlands, where the sun rises and sets within a quarter of an hour of any station's times. */
const place = { latitude: 52.1, longitude: 5.3 };

/** Returns whether the sun is below the horizon (with refraction, 0.83 degrees) at a time in milliseconds since 1970. */
export function isNight(at: number): boolean {
  const days = at / 86_400_000 - 10_957.5; // since noon of 1 January 2000
  const anomaly = (357.529 + 0.98560028 * days) * radians;
  const longitude = (280.459 + 0.98564736 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * radians;
  const tilt = 23.439 * radians;
  const declination = Math.asin(Math.sin(tilt) * Math.sin(longitude));
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(longitude), Math.cos(longitude));
  const sidereal = (280.46061837 + 360.98564737 * days + place.longitude) * radians;
  const latitude = place.latitude * radians;
  const height =
    Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(sidereal - ascension);
  return height < Math.sin(-0.833 * radians);
}
