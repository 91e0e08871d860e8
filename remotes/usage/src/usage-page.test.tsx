import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Agreement, Point } from './api';
import {
  agreement,
  connection,
  consent,
  customerApi,
  eans,
  gas,
  latest,
  monthOf,
  none,
  old,
  point,
  reading,
  series,
  show,
} from './testing';
import UsagePage from './usage-page';

afterEach(() => {
  vi.useRealTimers();
  cleanup();
  localStorage.clear();
});

const Where = () => <output aria-label="address">{useLocation().search}</output>;
const address = () => new URLSearchParams(screen.getByLabelText('address').textContent ?? '');
const page = (
  <>
    <UsagePage />
    <Where />
  </>
);
const block = (name: string) => screen.getByRole('button', { name: new RegExp(name) });
const content = (name: string) => document.getElementById(block(name).getAttribute('aria-controls') ?? '') as HTMLElement;
const opened = async (name: string) => {
  await screen.findByRole('button', { name: new RegExp(name) });
  return content(name);
};
/** Opens what is initially closed. */
const unfold = async (name: string, within_: HTMLElement = document.body) =>
  userEvent.click(await within(within_).findByRole('button', { name, expanded: false }));

describe('usage page', () => {
  row(
    ['2.1-usage-route', '2.1-usage-first-expanded', '9-usage-folded'],
    'a block per agreement, the first open, with the readings of its connections',
    async () => {
      const api = customerApi();
      show(page);
      const first = await opened('Stroom en gas');
      expect(block('Stroom en gas')).toHaveAttribute('aria-expanded', 'true');
      expect(block('Stroom variabel')).toHaveAttribute('aria-expanded', 'false');
      await within(first).findByRole('region', { name: 'Electricity used, November 2026' });
      expect(within(first).queryByRole('table', { name: /^Readings/ }), '9-usage-folded').toBeNull();
      expect(
        api.calls.some((c) => /^\/readings\/|historicaldata\//.test(c.path)),
        '9-usage-folded',
      ).toBe(false);
      await unfold('Meter readings', first);
      const table = await within(first).findByRole('table', { name: 'Readings Electricity' });
      expect(within(table).getAllByRole('row')).toHaveLength(4);
      expect(within(first).getByRole('region', { name: 'Readings Gas' })).toBeVisible();
      // Each connection is fetched with its own agreement; a closed block fetches nothing.
      await waitFor(() =>
        expect(api.calls.filter((c) => c.path.startsWith('/readings/')).map((c) => c.path)).toEqual([
          `/readings/10240001/L1/${eans.electricity}`,
          `/readings/10240001/L1/${eans.gas}`,
        ]),
      );
      expect(within(first).getByRole('link', { name: 'The readings of all your meters' })).toHaveAttribute(
        'href',
        '/metermeasuring',
      );
      await userEvent.click(block('Stroom variabel'));
      // if a meter has no chart, its readings are open
      await waitFor(() => expect(api.calls.map((c) => c.path)).toContain(`/readings/10240009/L9/${eans.old}`));
      expect(content('Stroom variabel')).toBeVisible();
      expect(block('Stroom en gas')).toHaveAttribute('aria-expanded', 'true');
    },
  );

  row('9-usage-waiting', 'while it loads it has the shape of what comes: name, number, chart', async () => {
    customerApi();
    show(page);
    expect(screen.getByRole('heading', { level: 1 })).toBeVisible();
    expect(document.querySelectorAll('[aria-busy=true]')).toHaveLength(7);
    await opened('Stroom en gas');
  });

  row('2.1-usage-deeplink', 'the agreement in the path is open', async () => {
    customerApi();
    show(page, { at: '/usage/10240009-2', route: '/usage/:agreementId' });
    await opened('Stroom variabel');
    expect(block('Stroom variabel')).toHaveAttribute('aria-expanded', 'true');
    expect(block('Stroom en gas')).toHaveAttribute('aria-expanded', 'false');
  });

  row('2.1-usage-toggle-smart-only', 'has a switch only with electricity on a smart meter', async () => {
    const cases = [
      [[connection(), gas()], 1],
      [[connection({ meter_type: 'CONVENTIONAL' }), gas()], 0],
      [[gas()], 0],
      [[connection({ meter_type: 'CONVENTIONAL' }), gas({ meter_type: 'CONVENTIONAL' })], 0],
    ] as const;
    for (const [connections, switches] of cases) {
      customerApi({ 'GET /connections': connections });
      show(page, { at: '/usage?view=feedin' });
      const first = await opened('Stroom en gas');
      await within(first).findByRole('button', { name: 'Meter readings' });
      await waitFor(() => expect(first.querySelector('[aria-busy]')).toBeNull());
      expect(within(first).queryAllByRole('radiogroup', { name: 'Usage or feed-in' })).toHaveLength(switches);
      cleanup();
    }
  });

  it('feed-in is for electricity only, and is in the URL', async () => {
    customerApi({
      'GET /usage/{ean}/series': series(
        monthOf('2026-11', 5, 20).map((p) => ({ ...p, feedin_normal: p.missing ? null : 2, feedin_low: null })),
      ),
    });
    show(page);
    const first = await opened('Stroom en gas');
    await userEvent.click(await within(first).findByRole('radio', { name: 'Gas' }));
    expect(await within(first).findByRole('region', { name: 'Gas used, November 2026' })).toBeVisible();
    expect(within(first).queryByRole('radio', { name: 'Feed-in' })).toBeNull();
    await userEvent.click(within(first).getByRole('radio', { name: 'Electricity' }));
    await unfold('Display', first);
    await userEvent.click(within(first).getByRole('radio', { name: 'Feed-in' }));
    const fed = await within(first).findByRole('region', { name: 'Electricity fed in, November 2026' });
    expect(await within(fed).findByText('38')).toBeVisible();
    expect(within(first).queryByRole('region', { name: /Gas used/ })).toBeNull();
    expect(address().get('view')).toBe('feedin');
  });

  it('a future or canceled agreement shows a text, and fetches nothing', async () => {
    for (const [more, words] of [
      [{ status: 'FUTURE', period: { from: '2026-12-01', to: null } }, 'This contract starts on 01-12-2026.'],
      [{ status: 'CANCELLED' }, 'This contract was cancelled'],
      [{ addresses: [] }, 'No connection of this contract is known to us yet.'],
    ] as const) {
      const api = customerApi({ 'GET /agreements': [agreement(more as Partial<Agreement>)] });
      show(page);
      expect(await screen.findByText(new RegExp(words))).toBeVisible();
      expect(api.calls.map((c) => c.path)).toEqual(['/agreements', '/connections']);
      cleanup();
    }
  });

  row('9-usage-number-high', 'usage or feed-in and the length of a bar are behind one button, the period is not', async () => {
    customerApi();
    show(page);
    const display = await screen.findByRole('button', { name: 'Display', expanded: false });
    const behind = document.getElementById(display.getAttribute('aria-controls') ?? '') as HTMLElement;
    for (const name of ['Usage or feed-in', 'A bar per'])
      expect(behind, name).toContainElement(screen.getByRole('radiogroup', { name, hidden: true }));
    expect(behind).not.toBeVisible();
    for (const name of ['Period', 'Show']) expect(screen.getByRole('radiogroup', { name })).toBeVisible();
    await userEvent.click(display);
    expect(behind).toBeVisible();
    await userEvent.click(within(behind).getByRole('radio', { name: 'week' }));
    expect(screen.getByRole('heading', { level: 3, name: 'Electricity' })).toBeVisible();
    await userEvent.click(within(behind).getByRole('radio', { name: 'Feed-in' }));
    expect(screen.getByRole('heading', { level: 3, name: 'Feed-in' }), 'the number says what it is').toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Gas' })); // gas is never fed in
    expect(within(behind).getAllByRole('radiogroup')).toEqual([screen.getByRole('radiogroup', { name: 'A bar per' })]);
    await userEvent.click(screen.getByRole('radio', { name: 'Day' })); // nothing to choose
    expect(screen.queryByRole('button', { name: 'Display' })).toBeNull();
  });

  it('the tip links to the invoices', async () => {
    customerApi();
    show(page);
    const tip = screen.getByRole('button', { name: 'What does this cost?' });
    expect(screen.queryByRole('link', { name: 'To your invoices' })).toBeNull();
    await userEvent.click(tip);
    expect(screen.getByRole('link', { name: 'To your invoices', hidden: true })).toHaveAttribute('href', '/invoices');
  });
});

describe('chart', () => {
  const electricity = async (what = 'November 2026') => screen.findByRole('region', { name: `Electricity used, ${what}` });

  row('3-unit-per-commodity', 'electricity in kWh, gas in m³', async () => {
    customerApi();
    show(page);
    await waitFor(async () => expect((await electricity()).textContent).toMatch(/190 kWh/));
    await userEvent.click(screen.getByRole('radio', { name: 'Gas' }));
    const panel = await screen.findByRole('region', { name: 'Gas used, November 2026' });
    await waitFor(() => expect(panel.textContent).toMatch(/190 m³/));
    expect(panel.textContent).not.toMatch(/kWh/);
  });

  it('shows the amount, the comparison with the same days of last year, and the time of the last update', async () => {
    customerApi();
    show(page);
    const panel = await electricity();
    expect(await within(panel).findByText('17% less than 1 to 19 November 2025')).toBeVisible();
    expect(await within(panel).findByText('Updated 20-11-2026, 09:15')).toBeVisible();
  });

  row('9-usage-so-far', 'the number of a month or a year that is still running is called so, and no other', async () => {
    customerApi();
    show(page);
    expect(await within(await electricity()).findByText('so far in November 2026')).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Year' }));
    expect(await within(await electricity('2026')).findByText('so far in 2026')).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Week' }));
    const week = await electricity('16 – 22 Nov 2026');
    expect(await within(week).findByText('190')).toBeVisible();
    expect(week).not.toHaveTextContent('so far');
    for (const [at, more] of [
      ['/usage?day=2026-10-15', {}],
      ['/usage', { status: 'TERMINATED', period: { from: '2023-01-01', to: '2026-11-10' } }], // it does not go on
    ] as const) {
      cleanup();
      customerApi({ 'GET /agreements': [agreement(more)] });
      show(page, { at });
      const panel = await electricity(at === '/usage' ? 'November 2026' : 'October 2026');
      expect(await within(panel).findByText('190')).toBeVisible();
      expect(panel).not.toHaveTextContent('so far');
    }
  });

  it('fetches the span in the URL and writes choices to it', async () => {
    const api = customerApi();
    show(page, { at: '/usage?span=year&day=2025-06-15&unit=week' });
    await electricity('2025');
    const requests = () => api.calls.filter((c) => c.path.endsWith(`${eans.electricity}/series`)).map((c) => c.query);
    expect(requests()).toContainEqual({ unit: 'week', from: '2025-01-01', to: '2026-01-01' });
    await userEvent.click(screen.getByRole('radio', { name: 'Day' }));
    await electricity('Sunday 15 June 2025');
    expect(requests()).toContainEqual({ unit: 'hour', from: '2025-06-15', to: '2025-06-16' });
    expect(Object.fromEntries(address())).toEqual({ span: 'day', day: '2025-06-15' });
    await userEvent.click(screen.getByRole('button', { name: 'Next period' }));
    await electricity('Monday 16 June 2025');
    expect(address().get('day')).toBe('2025-06-16');
  });

  row('2.5-usage-day-last', 'Day opens the last day with measurements, unless a day is chosen', async () => {
    const measured = { 'GET /usage/latest': [latest({ last_day: '2026-11-18' }), latest({ ean_code: eans.old })] };
    customerApi(measured);
    show(page);
    await electricity();
    await userEvent.click(screen.getByRole('radio', { name: 'Day' })); // from November, whose current day is today
    await electricity('Wednesday 18 November 2026');
    expect(address().get('day')).toBe('2026-11-18');
    await userEvent.click(screen.getByRole('button', { name: 'Next period' }));
    await electricity('Thursday 19 November 2026'); // the next day, whose data has not been received yet
    cleanup();
    const api = customerApi(measured);
    show(page, { at: '/usage?span=day' });
    await electricity('Wednesday 18 November 2026');
    const asked = api.calls.filter((c) => c.path.endsWith('/series') && c.query.unit === 'hour').map((c) => c.query.from);
    expect(new Set(asked)).toEqual(new Set(['2026-11-18', '2025-11-19'])); // no request for today
    cleanup();
    customerApi({ 'GET /usage/latest': refuse(503, 'unavailable') });
    show(page, { at: '/usage?span=day' });
    await electricity('Friday 20 November 2026');
  });

  row('2.5-usage-not-yet', 'shows when the rest arrives, and calls nothing missing before that is known', async () => {
    const hours = (day: string, used: number | null) =>
      ['00', '01', '02'].map((h) => point(`${day}T${h}:00:00+01:00`, used, null, { day: undefined } as never));
    const of = (points: Point[], last = '2026-11-19') => ({
      'GET /usage/latest': [latest({ last_day: last })],
      'GET /usage/{ean}/series': series(points, { unit: 'hour', updated: `${last}T23:00:00Z` }),
    });
    const shown = async (at: string, name: RegExp, points: Point[], last?: string) => {
      cleanup();
      customerApi(of(points, last));
      show(page, { at });
      const panel = await screen.findByRole('region', { name });
      await within(panel).findAllByText(/not in yet|fed in (during|up to)|usually arrive|^Updated/);
      return (panel.textContent ?? '').replaceAll('\u00a0', ' ');
    };
    const today = hours('2026-11-20', null);
    for (const view of ['usage', 'feedin']) {
      const text = await shown(`/usage?span=day&day=2026-11-20&view=${view}`, /^Electricity/, today);
      expect(text).toMatch(/Not known yet/);
      expect(text).toMatch(/Today’s measurements are not in yet/);
      expect(text).toMatch(/Today’s measurements usually arrive tomorrow\./);
      expect(text).not.toMatch(/Nothing|no measurements/);
    }
    // Days old, but still not received.
    const late = await shown(
      '/usage?span=day&day=2026-11-19&view=feedin',
      /^Electricity/,
      hours('2026-11-19', null),
      '2026-11-17',
    );
    expect(late).toMatch(/The measurements of this period are not in yet/);
    expect(late).toMatch(/Those from 19-11-2026 on are not in yet\./);
    expect(late).not.toMatch(/Nothing/);
    // Measured without feed-in: so far, and on a complete day.
    const week = [...hours('2026-11-18', 1), ...hours('2026-11-19', 1), ...today];
    const soFar = await shown('/usage?span=week&unit=hour&day=2026-11-20&view=feedin', /^Electricity/, week);
    expect(soFar).toMatch(/Nothing was fed in up to and including 19-11-2026/);
    expect(soFar).toMatch(/Updated up to and including 19-11-2026\. Today’s measurements usually arrive tomorrow\./);
    const over = await shown('/usage?span=day&day=2026-11-19&view=feedin', /^Electricity/, hours('2026-11-19', 1));
    expect(over).toMatch(/Nothing was fed in during this period/);
    expect(over).not.toMatch(/arrive/);
    // A missing day of long ago is shown as missing.
    const lost = await shown('/usage?span=day&day=2026-10-19&view=feedin', /^Electricity/, hours('2026-10-19', null));
    expect(lost).toMatch(/We have no measurements of this period/);
    expect(lost).not.toMatch(/Nothing|arrive|not in yet/);
    // In the table of a week with days in the future.
    cleanup();
    customerApi(of([...hours('2026-11-17', 1), ...hours('2026-11-18', null)], '2026-11-17'));
    show(page, { at: '/usage?span=week&unit=hour&day=2026-11-20' });
    const panel = await screen.findByRole('region', { name: /^Electricity/ });
    await userEvent.click(await within(panel).findByRole('button', { name: 'Show as table' }));
    const table = await within(panel).findByRole('table');
    expect(within(table).getAllByText('not known yet')).toHaveLength(3);
    expect(within(table).queryByText('no data')).toBeNull();
  });

  it('shows by hour, day, week, month and year', async () => {
    const api = customerApi();
    show(page);
    await electricity();
    await unfold('Display');
    const wanted = {
      Day: ['hour'],
      Week: ['day', 'hour'],
      Month: ['day', 'week'],
      Year: ['month', 'week'],
      'All years': ['year', 'month'],
    };
    for (const [span, units] of Object.entries(wanted)) {
      await userEvent.click(screen.getByRole('radio', { name: span }));
      for (const unit of units) {
        if (units.length > 1) await userEvent.click(screen.getByRole('radio', { name: unit }));
        await waitFor(() => expect(api.calls.some((c) => c.query.unit === unit)).toBe(true));
      }
    }
  });

  row('9-usage-week-days', 'a week is named by its days', async () => {
    const weeks = ['2026-10-26', '2026-11-02', '2026-11-09'].map((day) => point(`${day}T00:00:00+01:00`, 30));
    customerApi({ 'GET /usage/{ean}/series': series(weeks, { unit: 'week' }) });
    show(page, { at: '/usage?unit=week&day=2026-11-10' });
    const panel = await electricity();
    const drawing = await within(panel).findByRole('group', { name: 'Electricity used, November 2026' });
    expect(await within(drawing).findByText('2 Nov')).toBeVisible();
    expect(within(drawing).getByRole('img', { name: /^26 Oct – 1 Nov 2026: / })).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Week' }));
    expect(await electricity('9 – 15 Nov 2026')).toBeVisible();
    expect((await screen.findAllByText('9 – 15 Nov 2026'))[0]).toHaveAttribute('aria-live', 'polite');
  });

  it('shows a gap as a gap, the repeated hour twice, and sums that add up', async () => {
    const day = [
      point('2026-10-25T01:00:00+02:00', null, 0.5, { day: undefined } as never),
      point('2026-10-25T02:00:00+02:00', null, 0.25),
      point('2026-10-25T02:00:00+01:00', null, 0.125),
      point('2026-10-25T03:00:00+01:00', null, null),
    ];
    customerApi({ 'GET /usage/{ean}/series': series(day, { unit: 'hour' }) });
    show(page, { at: '/usage?span=day&day=2026-10-25' });
    const panel = await electricity('Sunday 25 October 2026');
    await userEvent.click(await within(panel).findByRole('button', { name: 'Show as table' }));
    const table = await within(panel).findByRole('table');
    const rows = within(table)
      .getAllByRole('row')
      .map((r) => [...r.children].map((c) => c.lastElementChild?.textContent?.replace('\u00a0', ' ')));
    expect(rows.map((r) => r[0])).toEqual([
      'Hour',
      '01:00–02:00',
      '02:00–03:00 summer time',
      '02:00–03:00 winter time',
      '03:00–04:00',
      'Total',
    ]);
    expect(rows.map((r) => r[1]).slice(1)).toEqual(['0,50', '0,25', '0,13', 'no data', '0,88']);
  });

  row(
    ['9-usage-chart-months', '9-usage-units', '5.10-historical-conditions', '9-consent-version-hidden'],
    'without consent it opens on months, explains why, and accepts consent',
    async () => {
      const months = (year: string) =>
        Array.from({ length: 12 }, (_, at) =>
          point(`${year}-${String(at + 1).padStart(2, '0')}-01T00:00:00+01:00`, at < 9 || year === '2025' ? 200 : null),
        );
      const api = customerApi({
        'GET /smartmeterreadings/historicaldata': consent(false),
        'GET /usage/{ean}/series': ({ query }: { query: Record<string, string> }) =>
          query.unit === 'month'
            ? series(months(query.from?.slice(0, 4) ?? ''), { unit: 'month', updated: '2026-09-30T22:00:00Z' })
            : refuse(403, 'usage.consent_needed'),
      });
      show(page, { at: '/usage?span=day&day=2026-06-15' });
      const panel = await electricity('2026');
      expect(
        screen.getByText('You see your electricity and gas by the month; with your consent by the day and hour too.'),
      ).toBeVisible();
      const whole = screen.getByText(/of the past 24 months/);
      expect(whole).not.toBeVisible(); // the text of the consent is behind a button next to the one that gives consent
      await userEvent.click(screen.getByRole('button', { name: 'Read more', expanded: false }));
      expect(whole).toBeVisible();
      const give = screen.getByRole('button', { name: 'Give consent' });
      for (const part of [give, whole])
        expect(panel.compareDocumentPosition(part), 'below the charts').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      expect(document.body, '9-consent-version-hidden').not.toHaveTextContent(consent(false).text_version);
      expect(
        within(screen.getByRole('radiogroup', { name: 'Period' }))
          .getAllByRole('radio')
          .map((r) => r.closest('label')?.textContent),
      ).toEqual(['Year', 'All years']);
      expect(screen.queryByRole('radiogroup', { name: 'A bar per' })).toBeNull();
      expect(await within(panel).findByText('1.800')).toBeVisible();
      expect(await within(panel).findByText('as much as January to September 2025')).toBeVisible();
      expect(await within(panel).findByText('Updated up to and including 30-09-2026')).toBeVisible();
      await userEvent.click(within(panel).getByRole('button', { name: 'Show as table' }));
      const cells = within(await within(panel).findByRole('table'))
        .getAllByRole('row')
        .map((r) => r.children[1]?.lastElementChild?.textContent);
      expect(cells.slice(9, 13)).toEqual(['200', 'no data', 'not known yet', 'not known yet']); // the current month is not known yet
      const asked = () => api.calls.filter((c) => c.path.endsWith('/series')).map((c) => c.query.unit);
      expect(new Set(asked())).toEqual(new Set(['month']));

      api.answers['GET /smartmeterreadings/historicaldata'] = consent(true);
      api.answers['GET /usage/{ean}/series'] = series([point('2026-06-15T01:00:00+02:00', 0.25)], { unit: 'hour' });
      await userEvent.click(screen.getByRole('button', { name: 'Give consent' }));
      // its open table is a region of the same name
      expect((await screen.findAllByRole('region', { name: 'Electricity used, Monday 15 June 2026' }))[0]).toBeVisible();
      const given = api.calls.filter((c) => c.query.consentGiven).map((c) => c.query);
      expect(given).toEqual([
        { consentGiven: 'true', ean: eans.electricity },
        { consentGiven: 'true', ean: eans.gas },
      ]);
      expect(screen.queryByText(/with your consent/)).toBeNull();
    },
  );

  row('9-usage-intervals-basis', 'opens on days and asks no consent where the contract is the legal basis', async () => {
    customerApi({ 'GET /smartmeterreadings/historicaldata': consent(false) });
    show(page, { settings: { consent_text_version: '2026-01', history_months: 24, intervals: 'contract' } });
    expect(await electricity()).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Month' })).toBeChecked();
    expect(screen.queryByRole('button', { name: 'Give consent' })).toBeNull();
  });

  row('9-usage-chart-months', 'with consent for one of two connections, only the other is shown in months', async () => {
    const [first, second] = consent(true).connections;
    const api = customerApi({
      'GET /smartmeterreadings/historicaldata': consent(false, {
        connections: [first, { ...second, consentPresent: false, consentDateTime: null }] as never,
      }),
    });
    show(page);
    expect(await electricity()).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Gas' }));
    expect(await screen.findByRole('region', { name: 'Gas used, 2026' })).toBeVisible();
    expect(screen.getByText(/^You see your gas by the month/)).toBeVisible();
    const units = (ean: string) => new Set(api.calls.filter((c) => c.path.endsWith(`${ean}/series`)).map((c) => c.query.unit));
    expect(units(eans.electricity)).toEqual(new Set(['day']));
    expect(units(eans.gas)).toEqual(new Set(['month']));
  });

  it('waits for the consent before it fetches data, and shows when consent cannot be loaded', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const api = customerApi({ 'GET /smartmeterreadings/historicaldata': refuse(503, 'unavailable') });
    show(page);
    const first = await opened('Stroom en gas');
    await within(first).findByRole('button', { name: 'Try again' });
    await unfold('Historical meter data', first);
    await waitFor(() => expect(within(first).getAllByRole('button', { name: 'Try again' })).toHaveLength(2));
    expect(within(first).getAllByRole('button', { name: 'Try again' })).toHaveLength(2);
    expect(api.calls.some((c) => c.path.endsWith('/series'))).toBe(false);
    // the parts of the page do not fetch it repeatedly
    await vi.advanceTimersByTimeAsync(10_000);
    expect(api.calls.filter((c) => c.path === '/smartmeterreadings/historicaldata')).toHaveLength(1);
    await userEvent.click(within(first).getAllByRole('button', { name: 'Try again' })[0] as HTMLElement);
    await waitFor(() => expect(api.calls.filter((c) => c.path === '/smartmeterreadings/historicaldata')).toHaveLength(2));
  });

  row('9-number-format', 'days and sums have no decimals, hours have the decimals they need', async () => {
    customerApi({
      'GET /usage/{ean}/series': series([point('2026-11-01T00:00:00+01:00', 4.6), point('2026-11-02T00:00:00+01:00', 3.2)]),
    });
    show(page);
    const panel = await electricity();
    expect(await within(panel).findByText('8')).toBeVisible(); // 7.8
    await userEvent.click(await within(panel).findByRole('button', { name: 'Show as table' }));
    const cells = within(await within(panel).findByRole('table'))
      .getAllByRole('row')
      .map((r) => r.children[1]?.lastElementChild?.textContent);
    expect(cells.slice(1)).toEqual(['5', '3', '8']);
  });

  it('of one connection that fails does not affect the others', async () => {
    customerApi({
      'GET /usage/{ean}/series': ({ params }: { params: Record<string, string> }) =>
        params.ean === eans.gas ? refuse(500, 'internal') : series(monthOf('2026-11', 5, 20)),
    });
    show(page);
    expect(await within(await electricity()).findByText('190')).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Gas' }));
    const panel = await screen.findByRole('region', { name: 'Gas used, November 2026' });
    expect(await within(panel).findByRole('button', { name: 'Try again' })).toBeVisible();
  });

  it('explains why there is none for a conventional meter', async () => {
    const api = customerApi({ 'GET /connections': [old] });
    show(page, { at: '/usage/10240009', route: '/usage/:agreementId' });
    expect(await screen.findByText('No chart for this meter')).toBeVisible();
    expect(api.calls.some((c) => c.path.includes('/series'))).toBe(false);
  });
});

describe('readings on the page', () => {
  row('8-readings-empty', 'show a notice when there are none and after a failure', async () => {
    customerApi({
      'GET /readings/{agreement}/{location}/{ean}': ({ params }: { params: Record<string, string> }) =>
        params.ean === eans.gas ? refuse(500, 'internal') : [],
    });
    show(page);
    await unfold('Meter readings');
    const words = 'There are no readings for this meter';
    expect(await within(await screen.findByRole('region', { name: 'Readings Electricity' })).findByText(words)).toBeVisible();
    const failed = await screen.findByRole('region', { name: 'Readings Gas' });
    expect(await within(failed).findByText(words)).toBeVisible();
    expect(within(failed).getByRole('button', { name: 'Try again' })).toBeVisible();
  });

  it('leave out feed-in when the agreement has none', async () => {
    const all = { 'GET /readings/{agreement}/{location}/{ean}': [reading(0), reading(1, { ...none })] };
    customerApi(all);
    show(page);
    await unfold('Meter readings');
    const heads = async () =>
      within(await screen.findByRole('table', { name: 'Readings Electricity' }))
        .getAllByRole('columnheader')
        .map((h) => h.textContent);
    expect(await heads()).toEqual([
      'Date',
      'Normal',
      'Off-peak',
      'Feed-in normal',
      'Feed-in off-peak',
      'Used since the previous reading',
    ]);
    cleanup();
    customerApi({ ...all, 'GET /connections': [connection({ delivery: { '10240001': false } })] });
    show(page);
    await unfold('Meter readings');
    expect(await heads()).toEqual(['Date', 'Normal', 'Off-peak', 'Used since the previous reading']);
  });
});
