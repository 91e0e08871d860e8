// @vitest-environment node

import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import type { Preference } from './api';
import {
  checkComposed,
  draftOf,
  empty,
  kinds,
  momentAt,
  numbersOf,
  readTime,
  recipientsRequest,
  refusals,
} from './compose.rules';
import { ofProject, onPage, pageAt, pageSize, projectsOf } from './list.rules';
import { byUrgency, dismiss, firstLine, isShownOn, readIds } from './notice.rules';
import { channelsOf, switchesOf, withSwitches } from './preference.rules';
import { toHtml } from './text.rules';

describe('typed text as HTML', () => {
  const cases: [string, string, string][] = [
    ['a paragraph', 'Dag!', '<p>Dag!</p>'],
    ['paragraphs and lines', 'Een\ntwee\n\n\ndrie', '<p>Een<br>twee</p><p>drie</p>'],
    ['paragraphs with blanks between them', ' Een \n \t\n  \ntwee', '<p>Een </p><p>twee</p>'],
    ['lines of Windows and of an old Mac', 'Een\r\ntwee\rdrie\r\n\r\nvier', '<p>Een<br>twee<br>drie</p><p>vier</p>'],
    [
      'a sentence after a list',
      '- stroom\n  •   gas\n* water\nMeer niet',
      '<ul><li>stroom</li><li>gas</li><li>water</li></ul><p>Meer niet</p>',
    ],
    [
      'a dash within a sentence',
      'Stroom - en gas\nStroom- en gas\n-5 graden',
      '<p>Stroom - en gas<br>Stroom- en gas<br>-5 graden</p>',
    ],
    ['a list after a paragraph', 'Nieuw\n\n- **gas**', '<p>Nieuw</p><ul><li><strong>gas</strong></li></ul>'],
    ['a line separator', '- a\u2028b', '<p>- a\u2028b</p>'],
    ['a list after a sentence', 'Dit is nieuw:\n- stroom\n- gas', '<p>Dit is nieuw:</p><ul><li>stroom</li><li>gas</li></ul>'],
    ['bold', 'Het is **vandaag** zo', '<p>Het is <strong>vandaag</strong> zo</p>'],
    ['a link', '[Lees meer](https://a.example/b?c=1&d)', '<p><a href="https://a.example/b?c=1&amp;d">Lees meer</a></p>'],
    ['a link with one letter, and one without a lock', '[a](http://b.example)', '<p><a href="http://b.example">a</a></p>'],
    [
      'a mail and a call',
      '[m](mailto:a@b.example), [t](tel:+31201234567)',
      '<p><a href="mailto:a@b.example">m</a>, <a href="tel:+31201234567">t</a></p>',
    ],
    [
      'several marks on a line',
      '**Een** en **2 & 3** op https://a.example',
      '<p><strong>Een</strong> en <strong>2 &amp; 3</strong> op <a href="https://a.example">https://a.example</a></p>',
    ],
    ['marks that are not closed', '**Een\n[Lees](/a b) [](/a) 2 ** 3', '<p>**Een<br>[Lees](/a b) [](/a) 2 ** 3</p>'],
    ['brackets of several links', '[a] [b](/c) (/d)', '<p>[a] <a href="/c">b</a> (/d)</p>'],
    ['a link that is to hurt', '[x](/a"onclick="b)', '<p><a href="/a&quot;onclick=&quot;b">x</a></p>'],
    ['a page of the portal', '[facturen](/invoices)', '<p><a href="/invoices">facturen</a></p>'],
    ['an address', 'Zie https://a.example/b.', '<p>Zie <a href="https://a.example/b">https://a.example/b</a>.</p>'],
    [
      'addresses at the end of a sentence',
      '(http://a.example/b?c=1&d=2) https://a.example/é!',
      '<p>(<a href="http://a.example/b?c=1&amp;d=2">http://a.example/b?c=1&amp;d=2</a>) <a href="https://a.example/é">https://a.example/é</a>!</p>',
    ],
    [
      'an address in quotes',
      '"https://a.example/b" <https://a.example/c>',
      '<p>&quot;<a href="https://a.example/b">https://a.example/b</a>&quot; &lt;<a href="https://a.example/c">https://a.example/c</a>&gt;</p>',
    ],
    ['no script as a link', '[klik](javascript:alert(1))', '<p>[klik](javascript:alert(1))</p>'],
    ['signs of HTML', '3 < 4 & "5" > 2', '<p>3 &lt; 4 &amp; &quot;5&quot; &gt; 2</p>'],
    ['an address of mail between brackets', 'Mail <a@b.example>', '<p>Mail &lt;a@b.example&gt;</p>'],
    ['HTML stays as it is', '<p>Dag <b>allemaal</b></p>', '<p>Dag <b>allemaal</b></p>'],
    ['HTML with one tag, whatever its letters', 'Een<BR>twee\ndrie', 'Een<BR>twee\ndrie'],
    ['HTML with attributes', ' Een<br class="ruim">twee ', 'Een<br class="ruim">twee'],
    ['HTML with a heading', '<h2>Kop', '<h2>Kop'],
    ['HTML that only closes', 'Kop</b\n>', 'Kop</b\n>'],
    ['HTML with a tag that closes itself', 'a<br/>b', 'a<br/>b'],
    ['what looks like a tag', '<abc> <h7> < b> <br', '<p>&lt;abc&gt; &lt;h7&gt; &lt; b&gt; &lt;br</p>'],
    ['nothing', ' \n ', ''],
  ];
  for (const [what, typed, html] of cases) test(what, () => expect(toHtml(typed)).toBe(html));
});

describe('the time of sending', () => {
  test('converts day and time in the label’s zone to a moment', () => {
    expect(momentAt('2026-11-25', '09:00', 'Europe/Amsterdam')).toBe('2026-11-25T08:00:00.000Z');
    expect(momentAt('2026-07-01', '09:00', 'Europe/Amsterdam')).toBe('2026-07-01T07:00:00.000Z');
    expect(momentAt('2026-11-25', '00:15', 'Asia/Kathmandu')).toBe('2026-11-24T18:30:00.000Z');
    expect(momentAt('2026-11-25', '23:45', 'Pacific/Kiritimati')).toBe('2026-11-25T09:45:00.000Z');
    expect(momentAt('2026-11-25', '09:00', 'Pacific/Honolulu')).toBe('2026-11-25T19:00:00.000Z');
    expect(momentAt('2026-11-25', '09:00', 'UTC')).toBe('2026-11-25T09:00:00.000Z');
  });
  test('an hour that occurs twice is the first, a skipped one is invalid', () => {
    expect(momentAt('2026-10-25', '02:30', 'Europe/Amsterdam')).toBe('2026-10-25T00:30:00.000Z');
    expect(momentAt('2026-03-29', '02:30', 'Europe/Amsterdam')).toBeUndefined();
    expect(momentAt('2026-02-30', '02:30', 'Europe/Amsterdam')).toBeUndefined();
    expect(momentAt('2026-13-01', '02:30', 'Europe/Amsterdam')).toBeUndefined();
  });
  test('parses usual notations of times', () => {
    for (const [typed, time] of [
      ['9:05', '09:05'],
      ['  09.05  ', '09:05'],
      ['0:00', '00:00'],
      ['23:59', '23:59'],
    ] as const)
      expect(readTime(typed), typed).toBe(time);
    for (const typed of ['24:00', '9', '9:60', '', '109:05', '9:055', '9:5', 'om 9:05', '9:05 uur', '9-05', ':05', '-9:05'])
      expect(readTime(typed), typed).toBeUndefined();
  });
});

test('pasted customer numbers', () => {
  expect(numbersOf(' 1004, 1002;1003\n1002\t1001 ')).toEqual(['1001', '1002', '1003', '1004']);
  expect(numbersOf(' ')).toEqual([]);
});

describe('errors of a message', () => {
  const now = { day: '2026-11-20', time: '11:00' };
  const whole = {
    ...empty,
    kind: 'news',
    'title.nl': 'Dag',
    'message.nl': 'Dag',
    'title.en': 'Hi',
    'message.en': 'Hi',
  };
  const check = (more: Partial<typeof whole>) => checkComposed({ ...whole, ...more }, now, 'Europe/Amsterdam');
  test('none, or the missing fields', () => {
    expect(check({})).toEqual({});
    expect(checkComposed(empty, now, 'Europe/Amsterdam')).toEqual({
      kind: 'required',
      'title.nl': 'required',
      'message.nl': 'required',
      'title.en': 'required',
      'message.en': 'required',
    });
    expect(check({ 'title.en': ' ', 'message.nl': '\n' })).toEqual({ 'title.en': 'required', 'message.nl': 'required' });
    expect(check({ audience: 'project' })).toEqual({ 'audience.project': 'required' });
    expect(check({ audience: 'project', 'audience.project': 'WND' })).toEqual({});
    expect(check({ audience: 'selection', 'audience.relations': '1001' })).toEqual({});
    expect(check({ audience: 'all', 'audience.relations': '', 'audience.project': '' })).toEqual({});
    expect(check({ audience: 'selection', 'audience.relations': ' , ' })).toEqual({ 'audience.relations': 'required' });
  });
  test('a moment in the past, or one that does not exist', () => {
    expect(check({ when: 'planned', day: '2026-11-20', time: '11:00' })).toEqual({ day: 'notifications.date_passed' });
    expect(check({ when: 'planned', day: '2026-11-20', time: '11:01' })).toEqual({});
    expect(check({ when: 'planned', day: '2026-11-20', time: '9:05' })).toEqual({ day: 'notifications.date_passed' });
    expect(check({ when: 'planned', day: '2026-11-19', time: '23:00' })).toEqual({ day: 'notifications.date_passed' });
    expect(check({ when: 'planned', day: '2026-11-21', time: '9:05' })).toEqual({});
    expect(check({ when: 'planned', day: null, time: '10:00' })).toEqual({ day: 'required' });
    expect(check({ when: 'planned', day: '2026-11-21', time: '' })).toEqual({ time: 'notifications.time_invalid' });
    expect(check({ when: 'planned', day: null, time: 'x' })).toEqual({ day: 'required', time: 'notifications.time_invalid' });
    expect(check({ when: 'planned', day: '2027-03-28', time: '02:30' })).toEqual({ time: 'notifications.time_invalid' });
    expect(check({ when: 'now', day: '2026-01-01', time: 'x' })).toEqual({});
  });
});

test('the initial message is empty: to all, at once, in the portal only', () => {
  expect(empty).toEqual({
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
  });
  expect(kinds).toEqual(['project', 'news', 'market', 'contract', 'payment', 'security']);
});

describe('errors of the server', () => {
  const typed = { ...empty, audience: 'selection', 'audience.relations': '1005, 1001, 1003' } as const;
  const text = ({ code }: { code: string }) => `<${code}>`;
  row('6-staff-notifications-refused', 'are at their field; unknown customers are listed', () => {
    const errors = [
      { field: 'title.nl', code: 'required' },
      { field: 'publish_at', code: 'passed' },
      { field: 'audience.relations.0', code: 'unknown' },
      { field: 'audience.relations.2', code: 'unknown' },
    ];
    expect(refusals(typed, errors, text)).toEqual({
      'title.nl': '<required>',
      day: '<passed>',
      'audience.relations': '<unknown> 1001, 1005',
    });
  });
  test('about the whole selection, or another field, list no customers', () => {
    expect(
      refusals(
        typed,
        [
          { field: 'audience.relations.1', code: 'unknown' },
          { field: 'kind', code: 'invalid' },
        ],
        text,
      ),
    ).toEqual({
      'audience.relations': '<unknown> 1003',
      kind: '<invalid>',
    });
    for (const field of ['audience.relations', 'audience.relations.1.x', 'my.audience.relations.1', 'audience.relations.x'])
      expect(refusals(typed, [{ field, code: 'nobody' }], text), field).toEqual({ [field]: '<nobody>' });
    const many = { ...typed, 'audience.relations': Array.from({ length: 12 }, (_, n) => `10${n + 10}`).join(' ') };
    expect(refusals(many, [{ field: 'audience.relations.11', code: 'unknown' }], text)).toEqual({
      'audience.relations': '<unknown> 1021',
    });
    expect(refusals(typed, [{ field: 'audience.relations.9', code: 'unknown' }], text)).toEqual({
      'audience.relations': '<unknown> ',
    });
    expect(refusals(typed, [], text)).toEqual({});
  });
});

describe('the request body of a message', () => {
  const whole = {
    ...empty,
    kind: 'news',
    'audience.project': ' WND ',
    'audience.relations': '1002 1001',
    'title.nl': ' Dag ',
    'message.nl': 'Een\n\ntwee',
    'title.en': ' Hi ',
    'message.en': '**One**',
  };
  test('has both languages, and only its audience', () => {
    expect(draftOf(whole)).toEqual({
      kind: 'news',
      title: { nl: 'Dag', en: 'Hi' },
      message: { nl: '<p>Een</p><p>twee</p>', en: '<p><strong>One</strong></p>' },
      audience: { kind: 'all' },
    });
    expect(draftOf({ ...whole, audience: 'project' }).audience).toEqual({ kind: 'project', project: 'WND' });
    expect(draftOf({ ...whole, audience: 'selection' }).audience).toEqual({ kind: 'selection', relations: ['1001', '1002'] });
  });
  row('6-staff-notifications-compose', 'the number of recipients can be requested before the text is written', () => {
    const nothing = { nl: '', en: '' };
    expect(recipientsRequest({ ...empty, kind: 'news' })).toEqual({
      kind: 'news',
      title: nothing,
      message: nothing,
      audience: { kind: 'all' },
    });
    expect(recipientsRequest({ ...whole, audience: 'project' })?.audience).toEqual({ kind: 'project', project: 'WND' });
    expect(recipientsRequest({ ...whole, audience: 'selection' })?.audience).toEqual({
      kind: 'selection',
      relations: ['1001', '1002'],
    });
    expect(recipientsRequest(empty)).toBeUndefined();
    expect(recipientsRequest({ ...whole, audience: 'project', 'audience.project': ' ' })).toBeUndefined();
    expect(recipientsRequest({ ...whole, audience: 'selection', 'audience.relations': ' ' })).toBeUndefined();
  });
});

describe('the list', () => {
  const message = (n: number, codes: string[] = [], names = codes) => ({ id: `n${n}`, project_codes: codes, projects: names });
  const all = Array.from({ length: 11 }, (_, n) => message(n));
  const ids = (some: readonly { id: string }[]) => some.map((n) => n.id).join(' ');
  row('2.5-notifications-list', 'five per page', () => {
    expect(pageSize).toBe(5);
    expect([1, 2, 3, 4].map((page) => ids(onPage(all, page)))).toEqual(['n0 n1 n2 n3 n4', 'n5 n6 n7 n8 n9', 'n10', '']);
  });
  row('2.1-notifications-link', 'the requested page, or that of a link; never beyond the last', () => {
    for (const [requestedPage, id, page] of [
      [1, '', 1],
      [2, '', 2],
      [3, 'n0', 3],
      [4, '', 3],
      [0, 'n4', 1],
      [0, 'n5', 2],
      [0, 'n10', 3],
      [0, 'gone', 1],
      [-1, 'n10', 3],
      [1.5, 'n10', 3],
      [Number.NaN, '', 1],
    ] as const)
      expect(pageAt(all, requestedPage, id), `${requestedPage} ${id}`).toBe(page);
    expect(pageAt([], 3, 'gone')).toBe(1);
    expect(pageAt(all.slice(0, 5), 2, '')).toBe(1);
  });
  row('2.5-notifications-filter', 'filters by existing projects, sorted by name', () => {
    const some = [
      message(1, ['ZON', 'WND'], ['Zonneveld', 'Ánemoi']),
      message(2),
      message(3, ['WND', 'BIO'], ['Ánemoi']),
      message(4, ['ZON'], ['Zonneveld']),
    ];
    expect(projectsOf(some)).toEqual([
      { value: 'WND', text: 'Ánemoi' },
      { value: 'BIO', text: 'BIO' },
      { value: 'ZON', text: 'Zonneveld' },
    ]);
    expect(projectsOf([message(2)])).toEqual([]);
    expect(ids(ofProject(some, 'WND'))).toBe('n1 n3');
    expect(ids(ofProject(some, 'BIO'))).toBe('n3');
    expect(ofProject(some, '')).toBe(some);
  });
});

describe('notices', () => {
  row('9-notice-one', 'those of the label first, then what ends first, then what is newer', () => {
    const one = (id: string, until: string | null, from: string, kind = 'notice') => ({
      id,
      kind,
      until,
      publication_date_time: `${from}T00:00:00+01:00`,
    });
    const all = [
      one('market', '2026-11-29', '2026-11-28', 'market_message'),
      one('endless', null, '2026-11-28'),
      one('taxes', '2027-01-15', '2026-11-16'),
      one('b', '2026-11-30', '2026-11-24'),
      one('a', '2026-11-30', '2026-11-24'),
      one('newer', '2026-11-30', '2026-11-25'),
    ];
    expect(byUrgency(all).map((n) => n.id)).toEqual(['newer', 'a', 'b', 'taxes', 'endless', 'market']);
    expect(byUrgency(all.toReversed()).map((n) => n.id)).toEqual(['newer', 'a', 'b', 'taxes', 'endless', 'market']);
    expect(all[0]?.id, 'the response of the API keeps its order').toBe('market');
  });
  row('9-notice-one', 'has a line of its own for 60 days', () => {
    expect(firstLine('2026-09-21', '2026-11-20')).toBe(true);
    expect(firstLine('2026-09-20', '2026-11-20')).toBe(false);
  });
  row('2.1-notices-place', 'are for a page, the pages below it, or all pages', () => {
    expect(isShownOn({ pages: [] }, '/usage')).toBe(true);
    expect(isShownOn({ pages: ['/usage'] }, '/usage')).toBe(true);
    expect(isShownOn({ pages: ['usage'] }, '/usage/8716')).toBe(true);
    expect(isShownOn({ pages: ['invoices', 'usage'] }, '/usage')).toBe(true);
    expect(isShownOn({ pages: ['/usage'] }, '/usages')).toBe(false);
    expect(isShownOn({ pages: ['usage'] }, '/invoices')).toBe(false);
    expect(isShownOn({ pages: ['/usage'] }, '/')).toBe(false);
    expect(isShownOn({ pages: ['/usage'] }, '/my/usage')).toBe(false);
  });
  test('a device stores the dismissed ids that still exist, whatever was stored before', () => {
    for (const stood of [null, '', '{', '{"a":1}', '"a"', 'null']) expect(readIds(stood), String(stood)).toEqual([]);
    expect(readIds('["a",1,null,"b"]')).toEqual(['a', 'b']);
    expect(dismiss(['old', 'a'], 'b', ['a', 'b', 'c'])).toEqual(['a', 'b']);
    expect(dismiss([], 'gone', ['a'])).toEqual([]);
  });
});

describe('preferences', () => {
  const kind = (name: Preference['kind'], portal: boolean, mail: boolean, fixed = false): Preference => ({
    kind: name,
    portal,
    mail,
    fixed,
  });
  const chosen = [
    kind('project', true, true),
    kind('news', true, false),
    kind('market', false, false),
    kind('payment', false, true),
    kind('security', true, true, true),
    kind('contract', false, false, true),
  ];
  row('2.1-account-messages-section', 'have the channels of each kind', () => {
    expect(chosen.map(channelsOf)).toEqual(['both', 'portal', 'none', 'mail', 'always', 'always']);
  });
  row('2.3-overlay-message-preferences', 'convert to switches by kind and channel, and back; fixed kinds have none', () => {
    const switches = {
      'project.portal': true,
      'project.mail': true,
      'news.portal': true,
      'news.mail': false,
      'market.portal': false,
      'market.mail': false,
      'payment.portal': false,
      'payment.mail': true,
    };
    expect(switchesOf(chosen)).toEqual(switches);
    expect(withSwitches(chosen, switches)).toEqual(chosen);
    expect(withSwitches(chosen, {}), 'what no switch says stays').toEqual(chosen);
    expect(withSwitches(chosen.slice(0, 3), { 'project.mail': false, 'news.portal': false, 'market.mail': true })).toEqual([
      kind('project', true, false),
      kind('news', false, false),
      kind('market', false, true),
    ]);
  });
});
