import { clockAt } from '@wattle/sdk';
import type { components } from './api.gen';

type Report = components['schemas']['ReportInputBody'];

/** The values of the staff form, with the field names of the server's errors. A moment has separate fields for day and time. */
export interface Typed extends Record<string, unknown> {
  commodity: string;
  kind: 'fault' | 'planned';
  areas: string;
  starts_day: string | null;
  starts_time: string;
  end_day: string | null;
  end_time: string;
  operator: string;
  text_nl: string;
  text_en: string;
}

/** Parses `9:05` or `9.05` to `09:05`. Returns undefined for anything that is not a time of day. */
export function readTime(typed: string): string | undefined {
  const found = /^\s*(\d{1,2})[:.](\d{2})\s*$/.exec(typed);
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])];
  return found && hour < 24 && minute < 60 ? `${String(hour).padStart(2, '0')}:${found[2]}` : undefined;
}

/** Returns the moment (RFC 3339, UTC) of a day and time in a time zone, or undefined if a clock change skips that hour. */
export function momentAt(day: string, time: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wanted)) return undefined;
  // zones differ from UTC by at most 14 hours, in steps of a quarter of an hour
  for (let away = 14 * 60; away >= -14 * 60; away -= 15) {
    const moment = new Date(wanted - away * 60_000).toISOString();
    const shown = clockAt(moment, timeZone);
    if (shown.day === day && shown.time === time) return moment;
  }
  return undefined;
}

/** Returns the distinct postal codes in a string, separated by commas, spaces or newlines. `1234 AB` is one postal code. */
export const readAreas = (typed: string): string[] => [
  ...new Set(
    typed
      .toUpperCase()
      .replace(/\b([1-9]\d{3}) ([A-Z]{2})\b/g, '$1$2')
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];

/** Returns the error codes by field. */
export function checkReport(v: Typed, timeZone: string): Partial<Record<keyof Typed & string, string>> {
  const wrong: Partial<Record<keyof Typed & string, string>> = {};
  const areas = readAreas(v.areas);
  if (!v.commodity) wrong.commodity = 'required';
  if (areas.length === 0) wrong.areas = 'required';
  else if (!areas.every((a) => /^[1-9]\d{3}([A-Z]{2})?$/.test(a))) wrong.areas = 'outages.area_invalid';
  const moment = (day: 'starts_day' | 'end_day', time: 'starts_time' | 'end_time') => {
    const at = readTime(v[time]);
    if (!v[day]) wrong[day] = 'required';
    if (!at) wrong[time] = 'outages.time_invalid';
    const found = v[day] && at ? momentAt(v[day], at, timeZone) : undefined;
    if (v[day] && at && !found) wrong[time] = 'outages.time_invalid';
    return found;
  };
  const start = moment('starts_day', 'starts_time');
  const hasEnd = v.kind === 'planned' || v.end_day !== null || v.end_time.trim() !== '';
  const end = hasEnd ? moment('end_day', 'end_time') : undefined;
  if (start && end && end < start) wrong.end_day = 'outages.end_before_start';
  return wrong;
}

/** Returns the request body for values that checkReport accepts. */
export function reportOf(v: Typed, timeZone: string): Report {
  const moment = (day: string | null, time: string) => {
    const at = readTime(time);
    return (day && at && momentAt(day, at, timeZone)) || null;
  };
  return {
    commodity: v.commodity as Report['commodity'],
    planned: v.kind === 'planned',
    areas: readAreas(v.areas),
    starts_at: moment(v.starts_day, v.starts_time) ?? '',
    expected_end: moment(v.end_day, v.end_time),
    operator: v.operator.trim(),
    text: { nl: v.text_nl.trim(), en: v.text_en.trim() },
  };
}

/** Returns the form field for a field in the server's errors. */
export const fieldOf = (field: string): keyof Typed & string =>
  field === 'starts_at' ? 'starts_day' : field === 'expected_end' ? 'end_day' : (field.replace('.', '_') as keyof Typed & string);
