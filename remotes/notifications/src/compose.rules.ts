import { clockAt } from '@wattle/sdk';
import type { components } from './api.gen';
import { htmlOf } from './text.rules';

type Draft = components['schemas']['Draft'];

/** What staff fill in. Names of fields are those of the server's refusals. */
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

/** The numbers in what was typed or pasted, each once and in order, as the server counts them: lines, commas and semicolons divide. */
export const numbersOf = (typed: string): string[] => [...new Set(typed.split(/[\s,;]/).filter(Boolean))].sort();

/** `9:05` or `9.05` as `09:05`; undefined when it is no time of day. */
export function readTime(typed: string): string | undefined {
  const found = /^\s*(\d{1,2})[:.](\d{2})\s*$/.exec(typed);
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])];
  return found && hour < 24 && minute < 60 ? `${String(hour).padStart(2, '0')}:${found[2]}` : undefined;
}

/**
 * The moment at which the clock of a zone shows a day and a time, RFC 3339 in UTC. Of an hour that the clock shows twice it is the first;
 * undefined for one that it skips.
 */
export function momentAt(day: string, time: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wanted)) return undefined;
  // no zone is further than 14 hours from UTC, and all are a whole number of quarters from it
  for (let away = 14 * 60; away >= -14 * 60; away -= 15) {
    const moment = new Date(wanted - away * 60_000).toISOString();
    const shown = clockAt(moment, timeZone);
    if (shown.day === day && shown.time === time) return moment;
  }
  return undefined;
}

/** Codes of what is wrong, by field. `now` is day and time by the label's clock. */
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

/** What the server refused, by field of the form; unknown customers are named. */
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

/** The message and its recipients, as the API takes them. */
export const draftOf = (v: Composed): Draft => ({
  kind: v.kind as Draft['kind'],
  title: { nl: v['title.nl'].trim(), en: v['title.en'].trim() },
  message: { nl: htmlOf(v['message.nl']), en: htmlOf(v['message.en']) },
  audience: audienceOf(v),
});

/** The question to how many it goes, which is the same whatever is written; undefined while it cannot be asked. */
export function reachOf(v: Composed): Draft | undefined {
  const audience = audienceOf(v);
  if (v.kind === '' || audience.project === '' || audience.relations?.length === 0) return undefined;
  return { kind: v.kind as Draft['kind'], title: { nl: '', en: '' }, message: { nl: '', en: '' }, audience };
}
