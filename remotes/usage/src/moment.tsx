import { usePortal } from '@wattle/sdk';
import { formatDay } from '@wattle/ui';

/** A moment as the clock of a time zone shows it: `2026-11-20` and `09:15`. */
export function clockAt(moment: string, timeZone: string): { day: string; time: string } {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [day = '', time = ''] = format.format(Date.parse(moment)).split(' ');
  return { day, time };
}

/** `20-11-2026, 09:15` by the label's clock. */
export function Moment({ at }: { at: string }) {
  const { day, time } = clockAt(at, usePortal().timeZone);
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatDay(day)}, {time}
    </time>
  );
}

/** Only the day of it: `20-11-2026`. */
export function DayOf({ at }: { at: string }) {
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatDay(clockAt(at, usePortal().timeZone).day)}
    </time>
  );
}
