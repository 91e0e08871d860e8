import { useEffect, useState } from 'react';
import { useHost } from './context';
import type { CivilDate } from './remote';

/** Returns the civil day of a timestamp (milliseconds since 1970) in a time zone. */
export const day = (millis: number, timeZone: string): CivilDate =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(millis);

/** Returns the time of day of a timestamp in a time zone: `09:05`. */
const time = (millis: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(millis);

/** Returns day and time of an API timestamp (RFC 3339) in a time zone: `2026-11-20` and `09:15`. */
export function clockAt(moment: string, timeZone: string): { day: CivilDate; time: string } {
  const millis = Date.parse(moment);
  return { day: day(millis, timeZone), time: time(millis, timeZone) };
}

/** Reads the server's clock in the label's time zone every 15 seconds, and renders the component again when the result changes. */
function useClock(read: (millis: number, timeZone: string) => string): string {
  const { now, portal } = useHost();
  const [current, setCurrent] = useState(() => read(now(), portal.timeZone));
  useEffect(() => {
    const update = () => setCurrent(read(now(), portal.timeZone));
    update();
    const timer = setInterval(update, 15_000);
    return () => clearInterval(timer);
  }, [read, now, portal.timeZone]);
  return current;
}

/** Returns today according to the server's clock (`--clock`) in the label's time zone. `new Date()` is a lint error in remotes. */
export function useToday(): CivilDate {
  return useClock(day);
}

/**
 * Returns the day, ISO weekday (1 is Monday) and time to the minute, according to the server's clock in the label's time zone.
 * Times can be compared as strings: `'08:30' <= time`.
 */
export function useNow(): { day: CivilDate; weekday: number; time: string } {
  const [today = '', minute = ''] = useClock(moment).split(' ');
  return { day: today, weekday: weekday(today), time: minute };
}
const moment = (millis: number, timeZone: string): string => `${day(millis, timeZone)} ${time(millis, timeZone)}`;
/** 1970-01-01 was a Thursday. */
const weekday = (civil: CivilDate): number => ((Date.parse(civil) / 86_400_000 + 3) % 7) + 1;
