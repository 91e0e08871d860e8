import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { FakePortal, type FakePortalProps, type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import { afterEach, expect, vi } from 'vitest';
import type { OwnYield } from './api';
import Glance from './glance';
import { comparedTo, households, measuredAt, ownPower, sumOver, todos, worthOf } from './glance.rules';
import GlanceProjects from './glance-projects';
import GlanceShort from './glance-short';
import MadeWidget from './made';
import en from './messages/en.json';
import nl from './messages/nl.json';
import remote from './remote';

afterEach(cleanup);

const yieldOf = (code: string, more: Partial<OwnYield> = {}): OwnYield => ({
  project_code: code,
  own_shares: 50,
  all_shares: 7500,
  current_power: 0.4,
  project_power: 60,
  measured_at: '2026-11-20T09:55:00Z',
  todays_production: 3.2,
  year_production: 1000.4,
  last_year_production: 1200,
  year_through_yesterday: 990,
  same_days_last_year: 900,
  year_value: 76.03,
  last_year_value: 98.4,
  ...more,
});
const projects = [
  {
    project_code: 'W-GRUTTO',
    project_name: 'Windpark De Grutto',
    project_type: 'WIND',
    project_end_date: '2036-04-30',
    participations: [{ participation_identifier: 'P-1', production: null }],
  },
  {
    project_code: 'Z-DORP',
    project_name: 'Zonnedak Dorpshuis',
    project_type: 'SOLAR',
    project_end_date: '2027-08-31',
    participations: [{ participation_identifier: 'P-2', production: null }],
  },
];
const none = refuse(404, 'module_not_enabled');
const apiOf = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'GET /sustainable/yields': [yieldOf('W-GRUTTO')],
    'GET /sustainable/projects': projects.slice(0, 1),
    'GET /sustainable/market': refuse(404, 'not_found'),
    'GET /connections': none,
    ...more,
  } as never);
const pictures = { projects: { 'W-GRUTTO': { picture: '/api/v0/labels/9999/projects/W-GRUTTO/picture?v=1' } } };
const texts = { nl: { ...kitNl, ...nl }, en: { ...kitEn, ...en } };
function show(locale: 'en' | 'nl' = 'en', portal: FakePortalProps['portal'] = pictures, View = Glance, household_use = 2500) {
  const hide = vi.fn();
  render(
    <FakePortal module="production" locale={locale} messages={texts[locale]} settings={{ household_use }} portal={portal}>
      <View hide={hide} />
    </FakePortal>,
  );
  return hide;
}
const figure = (term: string) => screen.getByText(term).nextElementSibling as HTMLElement;

row('9-glance', 'picture, power now, kWh today, this year and last, of all shares together', async () => {
  expect(remote.slots?.['account.top']?.map((s) => s.id)).toEqual(['glance']);
  expect(remote.slots?.home).toMatchObject([
    { id: 'glance', order: 5, needs: { kind: 'participant' } },
    { id: 'projects', order: 6, needs: { kind: 'participant' } },
  ]);
  const other = yieldOf('Z-DORP', { current_power: 1.1, year_production: 2000, todays_production: null, own_shares: 1 });
  for (const [locale, now, today, last, shares] of [
    ['en', 'Right now', 'Today', 'Last year', '1 share'],
    ['nl', 'Nu', 'Vandaag', 'Vorig jaar', '1 deel'],
  ] as const) {
    apiOf({ 'GET /sustainable/yields': [yieldOf('W-GRUTTO'), other], 'GET /sustainable/projects': projects });
    show(locale);
    expect((await screen.findByText('3.000')).closest('section, div')?.parentElement, '9-glance').toHaveTextContent(
      locale === 'en' ? 'made by your shares in 2 projects this year' : 'dit jaar opgewekt met je delen in 2 projecten',
    );
    expect(figure(now)).toHaveTextContent('1,5 kWLive');
    expect(figure(today)).toHaveTextContent('3,20 kWh');
    expect(figure(last)).toHaveTextContent('2.400 kWh');
    cleanup();
    show(locale, pictures, GlanceProjects);
    await screen.findAllByRole('listitem');
    const links = screen.getAllByRole('link').filter((l) => l.getAttribute('href')?.startsWith('/overview?'));
    expect(links.map((l) => l.getAttribute('href'))).toEqual(['/overview?project=Z-DORP', '/overview?project=W-GRUTTO']);
    expect(links[0]).toHaveTextContent(`Zonnedak Dorpshuis${shares}2.000 kWh`);
    cleanup();
  }
  apiOf();
  show();
  await screen.findByText('1.000');
  expect(document.querySelector('img')).toHaveAttribute('src', pictures.projects['W-GRUTTO'].picture);
  expect(figure('Right now')).toHaveTextContent('400 W');
  cleanup();
  show('en', pictures, GlanceProjects);
  const [only, all] = await screen.findAllByRole('link');
  expect(only).toHaveAttribute('href', '/overview?project=W-GRUTTO');
  expect(all).toHaveAttribute('href', '/overview');
  expect(document.querySelectorAll('img'), 'large on a phone, and small').toHaveLength(2);
  cleanup();
  apiOf();
  show('en', { projects: {} });
  await screen.findByText('1.000');
  expect(document.querySelector('img')).toBeNull();
  expect(document.querySelector('span[aria-hidden="true"] > svg')).toHaveAttribute('width', '120'); // an illustration
  cleanup();
  apiOf({ 'GET /sustainable/yields': [yieldOf('W-GRUTTO', { measured_at: '2026-11-20T08:00:00Z' })] });
  show();
  expect((await screen.findByText('Last measured')).nextElementSibling).toHaveTextContent('400 W2 hours ago');
});

row('9-glance', 'the account page has one row: picture, now, today and this year, and a link to the rest', async () => {
  const other = yieldOf('Z-DORP', { year_production: 2000 });
  for (const [yields, kind, more] of [
    [[yieldOf('W-GRUTTO')], 'participant', '/overview?project=W-GRUTTO'],
    [[other, yieldOf('W-GRUTTO')], 'participant', '/home'],
    [[other, yieldOf('W-GRUTTO')], 'customer', '/overview?project=Z-DORP'],
  ] as const) {
    apiOf({ 'GET /sustainable/yields': yields });
    show('en', { ...pictures, kind }, GlanceShort);
    const link = await screen.findByRole('link');
    expect(link.textContent).toBe(yields.length > 1 ? 'More about your shares in 2 projects' : 'More about your shares');
    expect(link).toHaveAttribute('href', more);
    expect(document.querySelectorAll('img')).toHaveLength(more.endsWith('GRUTTO') ? 1 : 0);
    expect(figure('Right now').textContent?.replaceAll('\u00a0', ' ')).toBe(yields.length > 1 ? '800 W' : '400 W');
    expect(figure('Today')).toHaveTextContent(yields.length > 1 ? '6,40 kWh' : '3,20 kWh');
    expect(figure('This year')).toHaveTextContent(yields.length > 1 ? '3.000 kWh' : '1.000 kWh');
    expect(await screen.findByText(/^That is .* an average household/)).toContainElement(link);
    expect(screen.queryByText('Last year')).toBeNull();
    cleanup();
  }
  // a power that is not current is shown with its age
  apiOf({ 'GET /sustainable/yields': [yieldOf('W-GRUTTO', { measured_at: '2026-11-20T09:20:00Z' })] });
  show('en', pictures, GlanceShort);
  expect(figure((await screen.findByText('Last measured')).textContent ?? '')).toHaveTextContent('40 minutes ago');
});

row(
  '9-glance-todo',
  'directly below the number and what it is, and an answer that does not come keeps nothing back',
  async () => {
    for (const [View, number] of [
      [Glance, /^made by your shares this year/],
      [GlanceShort, 'This year'],
    ] as const) {
      apiOf({ 'GET /sustainable/market': [{}] });
      show('en', pictures, View);
      const offer = await screen.findByRole('link', { name: 'A personal offer is waiting for you' });
      const after = (e: HTMLElement) => e.compareDocumentPosition(offer) & Node.DOCUMENT_POSITION_FOLLOWING;
      expect(after(screen.getByText(number))).toBeTruthy();
      expect(after(await screen.findByText(/^That is 45% of the electricity/))).toBeTruthy();
      if (View === Glance) expect(after(screen.getByText('Right now'))).toBeFalsy();
      cleanup();
      apiOf({ 'GET /sustainable/market': refuse(503, 'unavailable') });
      show('en', pictures, View);
      expect(await screen.findByText(number)).toBeVisible();
      cleanup();
    }
  },
);

row(
  '9-glance-value',
  'what the shares made this year and last year is said in euros too, where the prices are known',
  async () => {
    const other = yieldOf('Z-DORP', { year_production: 2000, year_value: 150.5, last_year_value: 80 });
    for (const [locale, caption, last] of [
      ['en', 'made by your shares in 2 projects this year, worth € 226,53', 'Last year'],
      ['nl', 'dit jaar opgewekt met je delen in 2 projecten, goed voor € 226,53', 'Vorig jaar'],
    ] as const) {
      apiOf({ 'GET /sustainable/yields': [yieldOf('W-GRUTTO'), other], 'GET /sustainable/projects': projects });
      show(locale);
      const plain = (text: string) => text.replaceAll('\u00a0', ' ');
      expect(await screen.findByText((text) => plain(text) === caption), '9-glance-value').toBeVisible();
      expect(plain(figure(last).textContent ?? ''), '9-glance-value').toBe('2.400 kWh€ 178,40');
      cleanup();
      show(locale, pictures, GlanceProjects);
      const lines = await screen.findAllByRole('listitem');
      const list = lines.map((line) => plain(line.textContent ?? ''));
      expect(list, 'of each project').toEqual([
        expect.stringContaining('2.000 kWh€ 150,50'),
        expect.stringContaining('1.000 kWh€ 76,03'),
      ]);
      cleanup();
    }
    apiOf({ 'GET /sustainable/yields': [yieldOf('W-GRUTTO', { year_value: null, last_year_value: null })] });
    show();
    expect(await screen.findByText('made by your shares this year')).toBeVisible();
    expect(document.body, '9-glance-value: no prices').not.toHaveTextContent('€');
  },
);

row('9-glance-value', 'a sum is known only with the value of all that was made', () => {
  const unknown = yieldOf('B', { year_value: null });
  const nothing = yieldOf('C', { year_production: null, year_value: null });
  expect(worthOf([yieldOf('A'), yieldOf('D', { year_value: 1 })], 'year')).toBeCloseTo(77.03);
  expect(worthOf([yieldOf('A'), yieldOf('D', { last_year_value: 1 })], 'last_year')).toBeCloseTo(99.4);
  expect(worthOf([yieldOf('A'), unknown], 'year')).toBeNull();
  expect(worthOf([yieldOf('A'), nothing], 'year')).toBe(76.03);
  expect(worthOf([nothing], 'year')).toBeNull();
  expect(worthOf([], 'year')).toBeNull();
});

row('9-glance-meaning', 'the part of the own use where that year is known completely, otherwise households', async () => {
  const electric = { commodity: 'ELECTRICITY', ean_code: '871' };
  const used = (complete: boolean, consumption: number | null) => ({ complete, total: { consumption } });
  const own = 'Last year they made 60% of the electricity you used.';
  const more = 'Last year they made 20% more electricity than you used.';
  const household = 'That is 45% of the electricity an average household uses in that time.';
  for (const [connections, series, says] of [
    [[electric, { commodity: 'GAS', ean_code: '872' }], used(true, 2000), own],
    [[electric], used(true, 1000), more],
    [[electric], used(false, 2000), household],
    [[electric], used(true, null), household],
    [[electric], used(true, 0), household],
    [[electric], refuse(403, 'usage.consent_needed'), household],
    [[electric, { ...electric, ean_code: '873' }], used(true, 2000), household],
    [[], used(true, 2000), household],
    [none, used(true, 2000), household],
  ] as const) {
    const api = apiOf({ 'GET /connections': connections, 'GET /usage/{ean}/series': series });
    show();
    expect(await screen.findByText(says)).toBeVisible();
    const asked = api.calls.filter((c) => c.path === '/usage/871/series').map((c) => c.query);
    if (says !== household) expect(asked).toEqual([{ unit: 'year', from: '2025-01-01', to: '2026-01-01' }]);
    cleanup();
  }
  apiOf();
  show('en', pictures, Glance, 5000); // the label's setting
  expect(await screen.findByText('That is 23% of the electricity an average household uses in that time.')).toBeVisible();
  cleanup();
  apiOf({ 'GET /sustainable/yields': [yieldOf('W-GRUTTO', { year_production: 10_000 })] });
  show('nl');
  expect(await screen.findByText('Dat is evenveel stroom als 4,5 gemiddelde huishoudens in die tijd verbruiken.')).toBeVisible();
  // a fact, not something to do (9-glance-todo)
  expect(screen.queryByRole('heading', { name: 'Te doen' })).toBeNull();
  cleanup();
  for (const [year, says] of [
    [3200, 'Dat is 44% meer stroom dan een gemiddeld huishouden in die tijd verbruikt.'],
    [2250, 'Dat is ongeveer evenveel stroom als een gemiddeld huishouden in die tijd verbruikt.'],
  ] as const) {
    apiOf({ 'GET /sustainable/yields': [yieldOf('W-GRUTTO', { year_production: year })] });
    show('nl');
    const text = await screen.findByText(says);
    const number = screen.getByText(/^dit jaar opgewekt met je delen/).parentElement;
    expect(text.previousElementSibling).toBe(number);
    cleanup();
  }
});

row(
  ['9-glance-todo', '9-market-empty'],
  'says what needs doing, with the page to do it on, and nothing when there is nothing',
  async () => {
    apiOf();
    show();
    await screen.findByText('1.000');
    expect(screen.queryByRole('heading', { name: 'To do' })).toBeNull();
    cleanup();
    for (const [locale, heading, lines] of [
      [
        'en',
        'To do',
        [
          ['A personal offer is waiting for you', '/personal-offers'],
          ['Zonnedak Dorpshuis ends on 31-08-2027', '/participation'],
        ],
      ],
      [
        'nl',
        'Te doen',
        [
          ['Er ligt een persoonlijk aanbod voor je klaar', '/personal-offers'],
          ['Zonnedak Dorpshuis stopt op 31-08-2027', '/participation'],
        ],
      ],
    ] as const) {
      const api = apiOf({
        'GET /sustainable/projects': projects,
        // without `empty`, a member without personal offers gets a 404, which the browser's console reports as an error
        'GET /sustainable/market': ({ query }: FakeRequest) =>
          query.personal === 'true' && query.empty === 'true' ? [{}] : refuse(404, 'not_found'),
      });
      show(locale);
      const list = within((await screen.findByRole('heading', { name: heading })).closest('section') as HTMLElement);
      await waitFor(() => expect(list.getAllByRole('link')).toHaveLength(2));
      expect(list.getAllByRole('link').map((l) => [l.textContent?.replaceAll('\u00a0', ' '), l.getAttribute('href')])).toEqual(
        lines,
      );
      // what must be paid is in a card of its own (9-glance-due)
      expect(api.calls.filter((c) => /orders|openInvoices/.test(c.path))).toEqual([]);
      cleanup();
    }
  },
);

row('9-glance', 'is absent without shares, without measurements, without a marketplace and after a failure', async () => {
  const unmeasured = yieldOf('W-GRUTTO', { current_power: null, year_production: null, last_year_production: null });
  for (const View of [Glance, GlanceShort, GlanceProjects])
    for (const yields of [[], [unmeasured], none, refuse(500, 'unexpected')]) {
      apiOf({ 'GET /sustainable/yields': yields });
      const hide = show('en', pictures, View);
      await waitFor(() => expect(hide).toHaveBeenCalled(), { timeout: 5000 });
      expect(screen.queryByRole('term')).toBeNull();
      cleanup();
    }
});

row(['9-glance', '9-glance-meaning', '9-glance-todo'], 'sums, comparisons and what needs doing, at their limits', () => {
  const [a, b] = [
    yieldOf('A', { measured_at: null, current_power: null }),
    yieldOf('B', { measured_at: '2026-11-19T09:55:00Z' }),
  ];
  expect(sumOver([a, b], 'current_power')).toBe(0.4);
  expect(sumOver([a], 'current_power')).toBeNull();
  const last = (...all: number[]) =>
    sumOver(
      all.map((n) => yieldOf('A', { last_year_production: n })),
      'last_year_production',
    );
  expect([last(2630.6, 570.7), last(0.4, 0.4)]).toEqual([3202, 0.8]); // the sum of the listed values
  expect(measuredAt([a, b, yieldOf('C')])).toBe('2026-11-19T09:55:00Z');
  expect(measuredAt([a])).toBeUndefined();
  expect([ownPower(0.9994), ownPower(1)]).toEqual([
    { value: 999.4, unit: 'W' },
    { value: 1, unit: 'kW' },
  ]);
  expect(households(2500, 2500, '2026-12-31')).toBe(1);
  expect(households(2500 / 366, 2500, '2024-01-01')).toBeCloseTo(1);
  expect([2.04, 1.5, 1.44, 1.05, 1, 0.95, 0.9].map(comparedTo).map(({ size, n }) => [size, Math.round(n * 10) / 10])).toEqual([
    ['times', 2],
    ['times', 1.5],
    ['more', 44],
    ['same', 100],
    ['same', 100],
    ['same', 100],
    ['less', 90],
  ]);
  const facts = { personal: 0, projects: [], today: '2026-11-20' };
  expect(todos(facts)).toEqual([]);
  expect(todos({ ...facts, personal: 2 })).toEqual([{ kind: 'personal', n: 2 }]);
  const ends = (project_end_date: string | null, participations = [{}] as never) =>
    todos({ ...facts, projects: [{ project_name: 'P', project_end_date, participations }] }).length;
  expect([ends('2026-11-19'), ends('2026-11-20'), ends('2027-11-20'), ends('2027-11-21'), ends(null)]).toEqual([0, 1, 1, 0, 0]);
  expect(ends('2027-01-01', [] as never)).toBe(0);
});

function made(props: { project: string; participation?: string }, locale: 'en' | 'nl' = 'en') {
  const hide = vi.fn();
  render(
    <FakePortal module="production" locale={locale} messages={texts[locale]}>
      <MadeWidget {...props} hide={hide} />
    </FakePortal>,
  );
  return hide;
}

row('9-participation-yield', 'this year and last, in kWh and where known in euro, and the same days of last year', async () => {
  expect(remote.slots?.participation?.map((s) => s.id)).toEqual(['made', 'yield', 'weather']);
  for (const [locale, caption, more, last, part] of [
    [
      'en',
      'this year so far, worth € 76,03',
      '10% more than on the same days of last year, up to and including yesterday',
      'Last year',
      '50 of 7.500',
    ],
    [
      'nl',
      'dit jaar tot nu toe, goed voor € 76,03',
      '10% meer dan op dezelfde dagen van vorig jaar, tot en met gisteren',
      'Vorig jaar',
      '50 van 7.500',
    ],
  ] as const) {
    const other = yieldOf('Z-DORP', { year_production: 7, last_year_production: 8, current_power: 9, own_shares: 1 });
    apiOf({ 'GET /sustainable/yields': [other, yieldOf('W-GRUTTO')] });
    made({ project: 'W-GRUTTO' }, locale);
    expect(await screen.findByText('1.000')).toBeVisible();
    expect(figure(locale === 'en' ? 'Right now' : 'Nu')).toHaveTextContent(/^400\sW$/);
    expect(
      screen.getByText((_, node) => node?.tagName === 'P' && node.textContent?.replaceAll('\u00a0', ' ') === caption),
    ).toBeVisible();
    expect(screen.getByText(more, { exact: false })).toBeVisible();
    const charts = screen.getByRole('link', { name: locale === 'en' ? 'See your production' : 'Bekijk je opbrengst' });
    expect(charts, '9-participation-yield').toHaveAttribute('href', '/overview?project=W-GRUTTO');
    expect(figure(last)).toHaveTextContent(locale === 'en' ? '1.200 kWh, worth € 98,40' : '1.200 kWh, goed voor € 98,40');
    expect(screen.getByText(part)).toBeVisible();
    cleanup();
  }
  apiOf({
    'GET /sustainable/yields': [
      yieldOf('W-GRUTTO', { year_value: null, last_year_value: null, last_year_production: null, same_days_last_year: null }),
    ],
  });
  made({ project: 'W-GRUTTO' });
  expect(await screen.findByText('this year so far')).toBeVisible();
  expect(figure('Last year')).toHaveTextContent('–');
  expect(document.body).not.toHaveTextContent(/worth|same days/);
  expect(screen.getByRole('link', { name: 'See your production' }).parentElement).toHaveTextContent(/^See your production$/);
  cleanup();
  apiOf();
  for (const hide of [made({ project: 'OTHER' }), made({ project: 'W-GRUTTO', participation: 'P-1' })])
    await waitFor(() => expect(hide).toHaveBeenCalled());
});
