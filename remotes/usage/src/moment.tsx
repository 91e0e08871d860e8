import { clockAt, usePortal } from '@wattle/sdk';
import { formatDay } from '@wattle/ui';

/** A timestamp in the label's time zone: `20-11-2026, 09:15`. */
export function Moment({ at }: { at: string }) {
  const { day, time } = clockAt(at, usePortal().timeZone);
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatDay(day)}, {time}
    </time>
  );
}

/** The day of a timestamp: `20-11-2026`. */
export function DayOf({ at }: { at: string }) {
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatDay(clockAt(at, usePortal().timeZone).day)}
    </time>
  );
}
