import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeRequest, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { createIntl } from 'react-intl';
import { afterEach, expect, test, vi } from 'vitest';
import { chartPoints } from './points';
import remote from './remote';
import { apiOf, before, card, measured, point, series, show, valued, weeks, worth } from './testing';

afterEach(cleanup);

/** Differences in offset with the same period a year earlier, with which the latest one is compared. */
const yearBack: Record<string, number> = { WEEK4_WEEKS: -13, MONTH_DAYS: -12, YEAR_MONTHS: -1, DAY_HOURS: -365 };
/** Returns the requests for the current period, without those for a year earlier. */
const requestsOf = (api: ReturnType<typeof apiOf>) =>
  api.calls
    .filter((c) => c.path.endsWith('/W-GRUTTO') || c.path.endsWith('/Z-DORP'))
    .filter((c) => Number(c.query.timeframe_offset) > (yearBack[c.query.timeframe_type ?? ''] ?? -99))
    .map((c) => `${c.path.split('/').at(-1)} ${c.query.timeframe_type} ${c.query.timeframe_offset} ${c.query.view_type}`);
row(
  ['2.1-overview-route', '2.5-overview-charts'],
  '/overview draws the production of the project and of the member’s shares',
  async () => {
    expect(remote.routes?.map((r) => r.path)).toEqual(['/overview']);
    apiOf();
    show();
    const [total, shares] = [await card('Total wind production'), await card('Production of your shares')];
    expect(await within(total).findByText('230.500')).toBeVisible();
    expect(await within(shares).findByText('231')).toBeVisible();
    for (const chart of [total, shares]) {
      const drawing = await within(chart).findByRole('group', { name: /, 26 October to 22 November$/ });
      await waitFor(() => expect(drawing.querySelector('path.recharts-line-curve[data-series="made"]')).not.toBeNull()); // a line, not bars
      expect(drawing.querySelector('.recharts-bar')).toBeNull();
      expect(drawing.querySelectorAll('[data-gap]')).toHaveLength(1);
      expect(drawing.querySelector('[data-record]')).not.toBeNull();
      expect(within(chart).getByText('Updated 20-11-2026, 10:00')).toBeVisible();
    }
    expect(total).toHaveTextContent('Highest: 120.500 kWh');
    expect(shares).toHaveTextContent('Highest: 120,50 kWh');
  },
);

row(
  '9-production-days',
  'the four weeks are asked for and drawn by day, with a label for each week; other views are not',
  async () => {
    const api = apiOf();
    show();
    for (const name of ['Total wind production', 'Production of your shares']) {
      const chart = await card(name);
      const drawing = await within(chart).findByRole('group', { name: /26 October to 22 November/ });
      await waitFor(() => expect(drawing.querySelectorAll('[data-point]')).toHaveLength(28));
      for (const monday of ['26-10', '02-11', '09-11', '16-11']) expect(within(drawing).getByText(monday)).toBeVisible();
    }
    const asked = api.calls.filter((c) => c.query.timeframe_type);
    expect(asked.map((c) => [c.query.timeframe_type, c.query.daily])).toEqual(asked.map(() => ['WEEK4_WEEKS', 'true']));
    api.calls.length = 0;
    await userEvent.click(screen.getByRole('radio', { name: 'Year' }));
    await waitFor(() => expect(api.calls.some((c) => c.query.timeframe_type === 'YEAR_MONTHS')).toBe(true));
    expect(api.calls.filter((c) => c.query.timeframe_type).every((c) => c.query.daily === undefined)).toBe(true);
  },
);

row(['9-production-unit', '9-chart-height'], 'both charts are in kWh and 300 px high', async () => {
  apiOf();
  show();
  for (const name of ['Total wind production', 'Production of your shares']) {
    const chart = await card(name);
    const drawing = await within(chart).findByRole('group', { name: /26 October to 22 November/ });
    expect(drawing).toHaveStyle({ height: '300px' });
    expect(within(drawing).getByText('kWh')).toBeVisible();
    expect(within(chart).getAllByText('kWh').length).toBeGreaterThan(1); // also after the sum
  }
});

row(
  ['2.5-overview-controls', '4-production-types', '4-production-default', '4-production-default-reconcile'],
  'a button per project, five periods starting with four weeks, and arrows; the view is always sent',
  async () => {
    const api = apiOf();
    show();
    await card('Total wind production');
    const chosen = within(screen.getByRole('group', { name: 'Project' })).getAllByRole('button');
    expect(chosen.map((b) => b.textContent)).toEqual(['Windpark De Grutto', 'Zonnedak Dorpshuis']);
    expect(screen.getByRole('radio', { name: '4 weeks' })).toBeChecked();
    for (const name of ['Previous period', /^Next period/]) expect(screen.getByRole('button', { name })).toBeVisible();
    expect(requestsOf(api)).toEqual(['W-GRUTTO WEEK4_WEEKS 0 SHARES_IN_PROJECT', 'W-GRUTTO WEEK4_WEEKS 0 TOTAL_PROJECT']);
    for (const [name, view] of Object.entries({
      Day: 'DAY_HOURS',
      Month: 'MONTH_DAYS',
      Year: 'YEAR_MONTHS',
      '3 years': 'YEAR3_YEARS',
      '4 weeks': 'WEEK4_WEEKS',
    })) {
      api.calls.length = 0;
      await userEvent.click(screen.getByRole('radio', { name }));
      expect(screen.getByRole('radio', { name })).toBeChecked();
      if (view !== 'WEEK4_WEEKS')
        await waitFor(() =>
          expect(requestsOf(api).filter((r) => view !== 'YEAR_MONTHS' || !r.includes('MONTH_DAYS'))).toEqual([
            `W-GRUTTO ${view} 0 SHARES_IN_PROJECT`,
            `W-GRUTTO ${view} 0 TOTAL_PROJECT`,
          ]),
        );
    }
    api.calls.length = 0;
    await userEvent.click(screen.getByRole('button', { name: 'Zonnedak Dorpshuis' }));
    expect(screen.getByRole('button', { name: 'Zonnedak Dorpshuis' })).toHaveAttribute('aria-pressed', 'true');
    await card('Total solar production');
    await waitFor(() =>
      expect(requestsOf(api)).toEqual(['Z-DORP WEEK4_WEEKS 0 SHARES_IN_PROJECT', 'Z-DORP WEEK4_WEEKS 0 TOTAL_PROJECT']),
    );
  },
);

row(
  ['4-production-offset', '4-production-next', '4-production-reset'],
  'previous lowers the offset by one, next works only below 0, another view starts at 0',
  async () => {
    const api = apiOf();
    show();
    await card('Total wind production');
    const last = () => requestsOf(api).at(-1)?.split(' ').slice(1, 3).join(' ');
    const forth = () => screen.getByRole('button', { name: /^Next period/ });
    const back = () => userEvent.click(screen.getByRole('button', { name: 'Previous period' }));
    await waitFor(() => expect(last()).toBe('WEEK4_WEEKS 0'));
    expect(forth()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(forth());
    expect(screen.getByText('26 October to 22 November', { selector: 'strong' })).toBeVisible();
    await back();
    await waitFor(() => expect(last()).toBe('WEEK4_WEEKS -1'));
    expect(screen.getByText('28 September to 25 October', { selector: 'strong' })).toBeVisible();
    await back();
    await waitFor(() => expect(last()).toBe('WEEK4_WEEKS -2'));
    expect(forth()).not.toHaveAttribute('aria-disabled');
    await userEvent.click(forth());
    expect(screen.getByText('28 September to 25 October', { selector: 'strong' })).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Month' }));
    await waitFor(() => expect(last()).toBe('MONTH_DAYS 0'));
    expect(screen.getByText('november 2026', { selector: 'strong', exact: false })).toBeVisible();
    expect(forth()).toHaveAttribute('aria-disabled', 'true');
  },
);

row('9-production-fresh', 'shows the current production in both languages, live or with its age', async () => {
  for (const [locale, at, title, fresh, today] of [
    ['en', '2026-11-20T09:55:00Z', 'Whole project, now', 'Live', '12.400 kWh'],
    ['nl', '2026-11-20T09:55:00Z', 'Hele project, nu', 'Live', '12.400 kWh'],
    ['en', '2026-11-20T07:00:00Z', 'Whole project, last measured', '3 hours ago', '12.400 kWh'],
    ['nl', '2026-11-20T09:30:00Z', 'Hele project, laatst gemeten', '30 minuten geleden', '12.400 kWh'],
    ['nl', '2026-11-20T07:00:00Z', 'Hele project, laatst gemeten', '3 uur geleden', '12.400 kWh'],
    ['en', '2026-11-18T13:05:00Z', 'Whole project, last measured', 'No data since 18-11-2026, 14:05', 'Not known yet'],
    ['nl', '2026-11-18T13:05:00Z', 'Hele project, laatst gemeten', 'Geen gegevens sinds 18-11-2026, 14:05', 'Nog niet bekend'],
  ] as const) {
    apiOf({ 'GET /sustainable/measured': [measured({ measured_at: at })] });
    show(locale);
    const now = await card(title);
    expect(await within(now).findByText(fresh)).toBeVisible();
    expect(now).toHaveTextContent('1,8 MW');
    expect(now).toHaveTextContent('61%');
    expect(now.querySelectorAll('dd')[0]).toHaveTextContent(today);
    expect(now.querySelectorAll('dd')[2]).toHaveTextContent('41.200.000 kWh');
    cleanup();
  }
});

row('9-production-fresh', 'shows a text without measurements, and a retry after a failure', async () => {
  const nothing = { current_power: null, power_percentage: null, todays_production: null, year_production: null };
  apiOf({ 'GET /sustainable/measured': [measured({ ...nothing, total_production: null, measured_at: null, quality: null })] });
  show();
  expect(await screen.findByText('Nothing has been measured of this project yet.')).toBeVisible();
  cleanup();
  apiOf({ 'GET /sustainable/measured': refuse(500, 'unexpected') });
  show();
  const now = await card('Whole project, now');
  expect(await within(now).findByText('There is no data right now', {}, { timeout: 5000 })).toBeVisible();
});

row('9-production-fresh', 'is fetched again every minute', async () => {
  const api = apiOf();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    show();
    await card('Whole project, now');
    const asked = () => api.calls.filter((c) => c.path === '/sustainable/measured').length;
    await waitFor(() => expect(asked()).toBe(1));
    vi.advanceTimersByTime(59_999);
    expect(asked()).toBe(1);
    vi.advanceTimersByTime(1);
    await waitFor(() => expect(asked()).toBe(2));
  } finally {
    vi.useRealTimers();
  }
});

row('8-production-failed', 'a failed chart shows a retry in its own frame; the other is still shown', async () => {
  for (const [failing, status] of [
    ['TOTAL_PROJECT', 500],
    ['SHARES_IN_PROJECT', 500],
    ['TOTAL_PROJECT', 403],
    ['SHARES_IN_PROJECT', 503],
  ] as const) {
    let down = true;
    apiOf({
      [series]: ({ query }: FakeRequest) => (down && query.view_type === failing ? refuse(status, 'unexpected') : weeks(1)),
    });
    show();
    const names = ['Total wind production', 'Production of your shares'];
    const [bad, good] = await Promise.all((failing === 'TOTAL_PROJECT' ? names : names.reverse()).map(card));
    if (!bad || !good) throw new Error('no charts');
    expect(await within(bad).findByText('There is no data right now', {}, { timeout: 5000 })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    await within(good).findByRole('group', { name: /26 October to 22 November/ });
    expect(within(good).queryByText('There is no data right now')).toBeNull();
    down = false;
    await userEvent.click(within(bad).getByRole('button', { name: 'Try again' }));
    await within(bad).findByRole('group', { name: /26 October to 22 November/ });
    cleanup();
  }
});

row('9-production-unfinished', 'the running period is dashed and called so far, in both charts', async () => {
  apiOf();
  show();
  for (const name of ['Total wind production', 'Production of your shares']) {
    const chart = await card(name);
    const drawing = await within(chart).findByRole('group', { name: /26 October to 22 November/ });
    await waitFor(() => expect(drawing.querySelector('[data-unfinished="made"]')).not.toBeNull());
    expect(within(chart).getByText('so far')).toBeVisible(); // legend
    await userEvent.click(within(chart).getByRole('button', { name: 'Show as table' }));
    const rows = within(await within(chart).findByRole('table'))
      .getAllByRole('row')
      .map((r) => r.textContent);
    expect(rows.filter((text) => text?.includes('(so far)'))).toHaveLength(1);
    expect(rows[26]).toContain('Friday 20 November 2026 (so far)');
    drawing.focus();
    await userEvent.keyboard('{End}{ArrowLeft}{ArrowLeft}');
    await waitFor(() => expect(chart).toHaveTextContent(/Friday 20 November 2026 \(so far\)/));
    expect(within(drawing).getByRole('img', { name: /^Friday 20 November 2026 \(so far\): / }), 'spoken').toBeInTheDocument();
    expect(within(drawing).getAllByRole('img', { name: /\(so far\)/ }), 'the others are not').toHaveLength(1);
  }
  cleanup();
  const over = Array.from({ length: 28 }, (_, at) => {
    const [month, day] = at < 3 ? [9, 28 + at] : [10, at - 2];
    return point([2026, month, day], { week: 40 + Math.floor(at / 7), day }, 1000);
  });
  apiOf({ [series]: over });
  show('en', '/overview?offset=-1');
  for (const name of ['Total wind production', 'Production of your shares']) {
    const earlier = await card(name);
    const drawing = await within(earlier).findByRole('group', { name: /28 September to 25 October/ });
    await waitFor(() => expect(drawing.querySelectorAll('[data-point]')).toHaveLength(28));
    expect(drawing.querySelector('[data-unfinished]')).toBeNull();
    expect(within(earlier).queryByText('so far')).toBeNull();
  }
});

row('9-production-unfinished', 'only a period that is running and was measured', () => {
  const intl = createIntl({ locale: 'en', messages: {}, onError: () => undefined });
  const now = { day: '2026-11-20', time: '10:30' };
  const of = (day: number, value: number | null) => {
    const [drawn] = chartPoints(intl, [point([2026, 11, day], { day }, value)], 'MONTH_DAYS', now);
    return { unfinished: drawn?.unfinished, upcoming: drawn?.upcoming };
  };
  expect(of(20, 5), 'today').toEqual({ unfinished: true, upcoming: false });
  expect(of(20, null), 'today, before anything was measured').toEqual({ unfinished: false, upcoming: true });
  expect(of(19, 5), 'yesterday').toEqual({ unfinished: false, upcoming: false });
  expect(of(19, null), 'yesterday, not measured').toEqual({ unfinished: false, upcoming: false });
  expect(of(21, null), 'tomorrow').toEqual({ unfinished: false, upcoming: true });
});

row('9-production-fold', 'the chart of the whole project is closed below its name, period and sum', async () => {
  apiOf();
  show();
  const closed = await screen.findByRole('button', {
    name: /^Total wind production\s?26 October to 22 November: 230\.500\skWh$/,
    expanded: false,
  });
  const chart = closed.closest('section') as HTMLElement;
  expect(within(await card('Production of your shares')).getByText('231')).toBeVisible();
  expect(within(chart).queryByRole('group', { name: /26 October to 22 November/ })).toBeNull();
  await userEvent.click(closed);
  const drawing = await within(chart).findByRole('group', { name: /26 October to 22 November/ });
  await waitFor(() => expect(drawing.querySelectorAll('[data-point]')).toHaveLength(28));
});

row(['9-production-headline', '9-number-format'], 'headlines are whole kWh, but below 10', async () => {
  for (const [kWh, text] of [
    [230.5, '231'],
    [10, '10'],
    [9.99, '9,99'],
    [1, '1,00'],
    [0.99, '0,99'],
    [0.84, '0,84'],
    [0, '0'],
  ] as const) {
    apiOf({ [series]: [point([2026, 11, 9], { week: 46 }, kWh)] });
    show();
    for (const name of ['Total wind production', 'Production of your shares'])
      expect(
        await within(await card(name)).findByText((_, node) => node?.textContent === `${text} kWh` && node.tagName === 'P'),
      ).toBeVisible();
    cleanup();
  }
});

test('the table has each day, the running one, and missing ones', async () => {
  apiOf();
  show('nl');
  const total = await card('Totale windopbrengst');
  await userEvent.click(await within(total).findByRole('button', { name: 'Toon als tabel' }));
  const table = await within(total).findByRole('table');
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows[0]).toHaveTextContent('maandag 26 oktober 202680.000');
  expect(rows[7]).toHaveTextContent('geen gegevens');
  expect(rows[25]).toHaveTextContent('vrijdag 20 november 2026 (tot nu toe)30.000');
});

row('9-production-euro', 'what the shares made is shown in euro too, with the price, where the label has prices', async () => {
  const ofShares = ({ query }: FakeRequest) =>
    query.timeframe_offset === '-13' ? [] : query.view_type === 'TOTAL_PROJECT' ? weeks(1) : worth(0.076);
  apiOf({ ...valued(180.5), [series]: ofShares });
  show();
  const shares = await card('Production of your shares');
  await waitFor(() =>
    expect(shares).toHaveTextContent(
      /231 kWhkWh€worth € 17,5226 October to 22 November.*At € 0,076 per kWh, the price that .* uses/,
    ),
  );
  await userEvent.click(await screen.findByRole('radio', { name: '€' }));
  await waitFor(() => expect(shares).toHaveTextContent(/€ 17,52kWh€231 kWh26 October to 22 November.*At € 0,076 per kWh/));
  expect(shares).toHaveTextContent('Highest: € 9,16');
  await userEvent.click(within(shares).getByRole('button', { name: 'Show as table' }));
  const rows = within(await within(shares).findByRole('table')).getAllByRole('row');
  expect(rows[1]).toHaveTextContent('€ 6,08');
  // the project's production has no value in euros, because it does not belong to one member
  expect(await card('Total wind production')).toHaveTextContent('230.500 kWh');
  expect(await card('Total wind production')).not.toHaveTextContent('€');
  cleanup();
  apiOf(valued(null));
  show('en', '/overview?in=eur');
  const plain = await card('Production of your shares');
  expect(await within(plain).findByText('231')).toBeVisible();
  expect(screen.queryByRole('radio', { name: '€' })).toBeNull();
  expect(plain).not.toHaveTextContent('€');
});

row('9-production-one-chart', 'a label may choose one chart with a switch; without that setting there are two', async () => {
  apiOf();
  show('en', '/overview', { charts: 'one' });
  await card('Production of your shares');
  expect(screen.queryByRole('heading', { name: /^Total wind production/ })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Whole project' }));
  await card('Total wind production');
  expect(screen.queryByRole('heading', { name: 'Production of your shares' })).toBeNull();
  cleanup();
  show('en', '/overview', { charts: 'two' });
  await card('Total wind production');
  await card('Production of your shares');
  expect(screen.queryByRole('radio', { name: 'Whole project' })).toBeNull();
});

const ran = (more = {}) => ({
  [`${series}/running`]: { from: '2026-11-13', until: '2026-11-19', hours: 160, producing: 98, production: 34_120.4, ...more },
});

row('9-production-running', 'says how much of the last week a project produced, to tell others', async () => {
  const written: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (t: string) => written.push(t) },
  });
  apiOf(ran());
  show();
  const text = await screen.findByText(
    /^Windpark De Grutto was turning in 61% of the hours of the last seven days and generated 34\.120.kWh, as much as 712 households use in that time\.$/,
  );
  expect(screen.getByText('13-11-2026 to 19-11-2026: 98 of 160 measured hours with production.')).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Tell others' }));
  await waitFor(() => expect(written).toEqual([`${text.textContent} ${location.origin}`]));
  const shared: unknown[] = [];
  Object.defineProperty(navigator, 'share', { configurable: true, value: async (what: unknown) => shared.push(what) });
  fireEvent.click(screen.getByRole('button', { name: 'Tell others' }));
  await waitFor(() => expect(shared).toEqual([{ text: text.textContent, url: location.origin }]));
  Reflect.deleteProperty(navigator, 'share');
  const share = () => screen.queryByRole('button', { name: 'Tell others' });
  for (const enough of [{ hours: 120 }, { producing: 1 }]) {
    cleanup();
    apiOf(ran(enough));
    show();
    await waitFor(() => expect(share(), JSON.stringify(enough)).not.toBeNull());
  }
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    for (const little of [{ hours: 119 }, { producing: 0 }]) {
      cleanup();
      const api = apiOf(ran(little));
      show();
      await waitFor(() => expect(api.calls.some((c) => c.path.endsWith('/running'))).toBe(true));
      await vi.advanceTimersByTimeAsync(50); // the response has been handled
      expect(share(), JSON.stringify(little)).toBeNull();
    }
  } finally {
    vi.useRealTimers();
  }
});

row(
  '9-production-first',
  'first is what the shares made in the period and its comparison, then the choice of the period, then the chart',
  async () => {
    apiOf({
      ...valued(180.5),
      [series]: ({ query }: FakeRequest) =>
        query.timeframe_offset === '-13' ? before({ 0: 50, 7: 70, 14: 110, 25: 90 }) : worth(0.076),
    });
    show();
    const shares = within(await card('Production of your shares'));
    const order = [
      await shares.findByText('231'),
      await shares.findByText('worth € 17,52'),
      await shares.findByText(/(less|more) than a year earlier/),
      shares.getByRole('radiogroup', { name: 'Period' }),
      shares.getByRole('button', { name: 'Previous period' }),
      await shares.findByRole('group', { name: /26 October to 22 November/ }),
      shares.getByText(/^At € 0,076 per kWh/),
    ];
    for (const [at, one] of order.slice(1).entries())
      expect(order[at]?.compareDocumentPosition(one), `9-production-first: ${at}`).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getAllByRole('radiogroup', { name: 'Period' }), 'once for both charts').toHaveLength(1);
  },
);

row('9-production-waiting', 'while it loads it has the shape of what comes: project, number, period, chart', async () => {
  apiOf();
  show();
  expect(screen.getAllByRole('status')).toHaveLength(5);
  await card('Total wind production');
});

test('without projects there is a link to offers; a failed list offers a retry', async () => {
  apiOf({ 'GET /sustainable/projects': [] });
  show();
  expect(await screen.findByRole('link', { name: 'See the offers' })).toHaveAttribute('href', '/offers');
  cleanup();
  apiOf({ 'GET /sustainable/projects': refuse(503, 'unavailable') });
  show();
  expect(await screen.findByRole('button', { name: 'Try again' }, { timeout: 5000 })).toBeEnabled();
});

test('a project without measurements is empty, not failed', async () => {
  apiOf({ [series]: refuse(404, 'not_found'), [`${series}/updated`]: refuse(404, 'not_found') });
  show();
  await waitFor(() => expect(screen.getAllByText('There is no data for this period')).toHaveLength(2));
  expect(screen.queryByText('There is no data right now')).toBeNull();
});

test('the view in the URL is shown', async () => {
  const api = apiOf();
  show('en', '/overview?project=Z-DORP&view=DAY_HOURS&offset=-3');
  await card('Total solar production');
  expect(requestsOf(api)[0]).toBe('Z-DORP DAY_HOURS -3 SHARES_IN_PROJECT');
});
