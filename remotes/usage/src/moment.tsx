import { clockAt, usePortal } from '@wattle/sdk';
import { formatDay } from '@wattle/ui';

/** A moment in the label's zone: `20-11-2026, 09:15`. */
export function Moment({ at }: { at: string }) {
  const { day, time } = clockAt(at, usePortal().timeZone);
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatDay(day)}, {time}
    </time>
  );
}

/** The day of a moment: `20-11-2026`. */
export function DayOf({ at }: { at: string }) {
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatDay(clockAt(at, usePortal().timeZone).day)}
    </time>
  );
}
