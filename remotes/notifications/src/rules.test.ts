// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { checkComposed, empty, momentAt, numbersOf, readTime } from './compose.rules';
import { htmlOf } from './text.rules';

describe('what staff type as HTML', () => {
  const cases: [string, string, string][] = [
    ['a paragraph', 'Dag!', '<p>Dag!</p>'],
    ['paragraphs and lines', 'Een\ntwee\n\n\ndrie', '<p>Een<br>twee</p><p>drie</p>'],
    ['a list after a sentence', 'Dit is nieuw:\n- stroom\n- gas', '<p>Dit is nieuw:</p><ul><li>stroom</li><li>gas</li></ul>'],
    ['bold', 'Het is **vandaag** zo', '<p>Het is <strong>vandaag</strong> zo</p>'],
    ['a link', '[Lees meer](https://a.example/b?c=1&d)', '<p><a href="https://a.example/b?c=1&amp;d">Lees meer</a></p>'],
    ['a page of the portal', '[facturen](/invoices)', '<p><a href="/invoices">facturen</a></p>'],
    ['an address', 'Zie https://a.example/b.', '<p>Zie <a href="https://a.example/b">https://a.example/b</a>.</p>'],
    ['no script as a link', '[klik](javascript:alert(1))', '<p>[klik](javascript:alert(1))</p>'],
    ['signs of HTML', '3 < 4 & "5" > 2', '<p>3 &lt; 4 &amp; &quot;5&quot; &gt; 2</p>'],
    ['an address of mail between brackets', 'Mail <a@b.example>', '<p>Mail &lt;a@b.example&gt;</p>'],
    ['HTML stays as it is', '<p>Dag <b>allemaal</b></p>', '<p>Dag <b>allemaal</b></p>'],
    ['nothing', ' \n ', ''],
  ];
  for (const [what, typed, html] of cases) test(what, () => expect(htmlOf(typed)).toBe(html));
});

describe('when it is sent', () => {
  test('a day and a time by the label’s clock are a moment', () => {
    expect(momentAt('2026-11-25', '09:00', 'Europe/Amsterdam')).toBe('2026-11-25T08:00:00.000Z');
    expect(momentAt('2026-07-01', '09:00', 'Europe/Amsterdam')).toBe('2026-07-01T07:00:00.000Z');
    expect(momentAt('2026-11-25', '00:15', 'Asia/Kathmandu')).toBe('2026-11-24T18:30:00.000Z');
    expect(momentAt('2026-11-25', '23:45', 'Pacific/Kiritimati')).toBe('2026-11-25T09:45:00.000Z');
  });
  test('an hour that the clock shows twice is the first, one that it skips is none', () => {
    expect(momentAt('2026-10-25', '02:30', 'Europe/Amsterdam')).toBe('2026-10-25T00:30:00.000Z');
    expect(momentAt('2026-03-29', '02:30', 'Europe/Amsterdam')).toBeUndefined();
    expect(momentAt('2026-02-30', '02:30', 'Europe/Amsterdam')).toBeUndefined();
  });
  test('times are read as they are written', () => {
    expect(['9:05', ' 09.05 ', '23:59', '24:00', '9', '9:60', ''].map(readTime)).toEqual([
      '09:05',
      '09:05',
      '23:59',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('numbers of customers as they are pasted', () => {
  expect(numbersOf(' 1001, 1002;1003\n1001\t1004 ')).toEqual(['1001', '1002', '1003', '1004']);
});

describe('what is wrong with a message', () => {
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
  test('nothing, or what is missing', () => {
    expect(check({})).toEqual({});
    expect(checkComposed(empty, now, 'Europe/Amsterdam')).toEqual({
      kind: 'required',
      'title.nl': 'required',
      'message.nl': 'required',
      'title.en': 'required',
      'message.en': 'required',
    });
    expect(check({ audience: 'project' })).toEqual({ 'audience.project': 'required' });
    expect(check({ audience: 'selection', 'audience.relations': ' , ' })).toEqual({ 'audience.relations': 'required' });
  });
  test('a moment that has passed, or that there is not', () => {
    expect(check({ when: 'planned', day: '2026-11-20', time: '11:00' })).toEqual({ day: 'notifications.date_passed' });
    expect(check({ when: 'planned', day: '2026-11-20', time: '11:01' })).toEqual({});
    expect(check({ when: 'planned', day: null, time: 'x' })).toEqual({ day: 'required', time: 'notifications.time_invalid' });
    expect(check({ when: 'planned', day: '2027-03-28', time: '02:30' })).toEqual({ time: 'notifications.time_invalid' });
    expect(check({ when: 'now', day: '2026-01-01', time: 'x' })).toEqual({});
  });
});
