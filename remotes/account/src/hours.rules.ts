// Whether customer service is open, according to the label's opening hours and the portal's clock.
import type { Portal } from '@wattle/sdk';

export type Hours = Portal['label']['hours'][number];

/** The opening is `days` after today, on `weekday` (1 is Monday), at `time`. */
export interface Opening {
  days: number;
  weekday: number;
  time: string;
}
export interface OpeningState {
  open: boolean;
  /** Today's opening hours, earliest first. */
  today: readonly Hours[];
  /** The next opening; absent if customer service is open now or never opens. */
  next?: Opening;
}

/** Returns whether customer service is open; undefined if the label has no hours by weekday. */
export function openingStateOf(
  hours: readonly Hours[],
  { weekday, time }: { weekday: number; time: string },
): OpeningState | undefined {
  if (!hours.some((h) => h.days?.length)) return undefined;
  const on = (day: number) =>
    hours.filter((h) => h.days?.includes(day) && h.from && h.to).sort((a, b) => a.from.localeCompare(b.from));
  const today = on(weekday);
  if (today.some((h) => h.from <= time && time < h.to)) return { open: true, today };
  // day 7 is the same weekday as today, with all of its hours in the future
  for (let days = 0; days <= 7; days++) {
    const day = ((weekday - 1 + days) % 7) + 1;
    const line = on(day).find((h) => days > 0 || h.from > time);
    if (line) return { open: false, today, next: { days, weekday: day, time: line.from } };
  }
  return { open: false, today };
}
