import { useEffect, useState } from 'react';
import { useHost } from './context';
import type { CivilDate } from './remote';

/** The civil day of a moment in a time zone. */
export const day = (millis: number, timeZone: string): CivilDate =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(millis);

/** Today by the server's clock (`--clock`) in the label's zone. `new Date()` is a lint error in remotes. */
export function useToday(): CivilDate {
  const { now, portal } = useHost();
  const [today, setToday] = useState(() => day(now(), portal.timeZone));
  useEffect(() => {
    const look = () => setToday(day(now(), portal.timeZone));
    look();
    const timer = setInterval(look, 30_000);
    return () => clearInterval(timer);
  }, [now, portal.timeZone]);
  return today;
}
