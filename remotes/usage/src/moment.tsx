import { clockAt, usePortal } from '@wattle/sdk';
import { formatDay } from '@wattle/ui';

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
