// Mirrors modules/move/dates.go; both run schemas/rules/5.2-*. The server decides.

export interface Refusal {
  field: string;
  code: string;
}
export interface Dates {
  start_date?: string;
  stop_date?: string;
}

/** Minimum number of days between today and the start at the new address (5.2-start-min-two-days). */
const minNoticeDays = 2;

/** Returns the civil day that is the given number of days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the earliest start day of a move. */
export const earliestStart = (today: string): string => addDays(today, minNoticeDays);

/** Returns the first day of the next month. */
export function nextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`;
}

/** Returns whether a string is an existing civil day `YYYY-MM-DD`; 2026-02-30 is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const millis = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text);
}

/** Validates the days of a move; returns at most one code per field (5.2-start-required … 5.2-stop-optional). */
export function checkDates({ start_date: start = '', stop_date: stop = '' }: Dates, today: string): Refusal[] {
  const wrong: Refusal[] = [];
  const refuse = (field: keyof Dates, code: string) => wrong.push({ field, code });
  if (start === '') refuse('start_date', 'move.required');
  else if (!isDay(start)) refuse('start_date', 'move.dateFormat');
  else if (start < today)
    refuse('start_date', 'move.noPastDate'); // has priority over minTwoDays, which also applies (5.2-past-precedence-reconcile)
  else if (start < earliestStart(today)) refuse('start_date', 'move.minTwoDays');
  if (stop === '') return wrong;
  if (!isDay(stop)) refuse('stop_date', 'move.dateFormat');
  else if (stop < today) refuse('stop_date', 'move.noPastDate');
  else if (isDay(start) && start > stop) refuse('stop_date', 'move.startBeforeStop');
  return wrong;
}
