import { clockAt } from '@wattle/sdk';
import type { components } from './api.gen';
import { toHtml } from './text.rules';

type Draft = components['schemas']['Draft'];

/** The form values. Their names are those of the fields in the server's errors. */
export interface Composed extends Record<string, unknown> {
  kind: string;
  audience: 'all' | 'project' | 'selection';
  'audience.project': string;
  /** Debtor numbers as typed. */
  'audience.relations': string;
  'title.nl': string;
  'message.nl': string;
  'title.en': string;
  'message.en': string;
  mail: boolean;
  when: 'now' | 'planned';
  day: string | null;
  time: string;
}

export const kinds = ['project', 'news', 'market', 'contract', 'payment', 'security'] as const;

export const empty: Composed = {
  kind: '',
  audience: 'all',
  'audience.project': '',
  'audience.relations': '',
  'title.nl': '',
  'message.nl': '',
  'title.en': '',
  'message.en': '',
  mail: false,
  when: 'now',
  day: null,
  time: '09:00',
};

/**
 * Returns the typed or pasted numbers without duplicates, in order, as the server counts them: separated by lines, commas or
 * semicolons.
 */
export const numbersOf = (typed: string): string[] => [...new Set(typed.split(/[\s,;]/).filter(Boolean))].sort();

/** Parses `9:05` or `9.05` into `09:05`; returns undefined if it is not a time of day. */
export function readTime(typed: string): string | undefined {
  const found = /^\s*(\d{1,2})[:.](\d{2})\s*$/.exec(typed);
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])];
  return found && hour < 24 && minute < 60 ? `${String(hour).padStart(2, '0')}:${found[2]}` : undefined;
}

/**
 * Returns the timestamp (RFC 3339, UTC) of a day and time in a time zone: the first one in an hour that occurs twice; undefined in
 * an hour that a clock change skips.
 */
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

/** Returns the error codes by field. `now` is day and time in the label's zone. */
export function checkComposed(
  v: Composed,
  now: { day: string; time: string },
  timeZone: string,
): Partial<Record<string, string>> {
  const wrong: Partial<Record<string, string>> = {};
  const required = ['kind', 'title.nl', 'message.nl', 'title.en', 'message.en'];
  if (v.audience === 'project') required.push('audience.project');
  for (const name of required) if (String(v[name]).trim() === '') wrong[name] = 'required';
  if (v.audience === 'selection' && numbersOf(v['audience.relations']).length === 0) wrong['audience.relations'] = 'required';
  if (v.when === 'now') return wrong;
  const time = readTime(v.time);
  if (!v.day) wrong.day = 'required';
  if (!time) wrong.time = 'notifications.time_invalid';
  if (!v.day || !time) return wrong;
  if (!momentAt(v.day, time, timeZone)) wrong.time = 'notifications.time_invalid';
  else if (`${v.day} ${time}` <= `${now.day} ${now.time}`) wrong.day = 'notifications.date_passed';
  return wrong;
}

/** Returns the server's errors by form field, including the unknown customer numbers. */
export function refusals(
  v: Composed,
  errors: readonly { field: string; code: string }[],
  text: (p: { code: string }) => string,
): Partial<Record<string, string>> {
  const wrong: Partial<Record<string, string>> = {};
  const unknown: string[] = [];
  for (const { field, code } of errors) {
    const [, place] = /^audience\.relations\.(\d+)$/.exec(field) ?? [];
    const name = place ? 'audience.relations' : field === 'publish_at' ? 'day' : field;
    if (place) unknown.push(numbersOf(v['audience.relations'])[Number(place)] ?? '');
    wrong[name] = place ? `${text({ code })} ${unknown.join(', ')}` : text({ code });
  }
  return wrong;
}

const audienceOf = (v: Composed): Draft['audience'] =>
  v.audience === 'project'
    ? { kind: v.audience, project: v['audience.project'].trim() }
    : v.audience === 'selection'
      ? { kind: v.audience, relations: numbersOf(v['audience.relations']) }
      : { kind: v.audience };

/** Returns the request body: the message and its recipients. */
export const draftOf = (v: Composed): Draft => ({
  kind: v.kind as Draft['kind'],
  title: { nl: v['title.nl'].trim(), en: v['title.en'].trim() },
  message: { nl: toHtml(v['message.nl']), en: toHtml(v['message.en']) },
  audience: audienceOf(v),
});

/** Returns the request that counts the recipients, without the message text; undefined while the form is incomplete. */
export function recipientsRequest(v: Composed): Draft | undefined {
  const audience = audienceOf(v);
  if (v.kind === '' || audience.project === '' || audience.relations?.length === 0) return undefined;
  return { kind: v.kind as Draft['kind'], title: { nl: '', en: '' }, message: { nl: '', en: '' }, audience };
}
