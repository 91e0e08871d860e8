import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionCost } from './api';
import { CostUnknown } from './cost-unknown';
import {
  agreement,
  connection,
  consent,
  cost,
  costRow,
  customerApi,
  eans,
  gas,
  latest,
  monthOf,
  point,
  prices,
  series,
  show,
} from './testing';
import UsagePage from './usage-page';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const plain = (element: HTMLElement) => (element.textContent ?? '').replaceAll('\u00a0', ' ');
const units = async (name = 'Show') =>
  within(await screen.findByRole('radiogroup', { name }))
    .getAllByRole('radio')
    .map((r) => r.closest('label')?.textContent);
const euros = async () => userEvent.click(await screen.findByRole('radio', { name: 'Costs' }));
const panel = (what: string, period = 'November 2026') => screen.findByRole('region', { name: `Cost of ${what}, ${period}` });
/** Opens the table that explains an amount. */
const explain = async (of: HTMLElement) => {
  expect(within(of).queryByRole('table', { name: /What this consists of/ })).toBeNull(); // initially closed
  await userEvent.click(within(of).getByRole('button', { name: /adds up$/, expanded: false }));
  return within(of).getByRole('table', { name: /What this consists of/ });
};
const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((r) => [...r.children].map((c) => plain(c.lastElementChild as HTMLElement)));

describe('usage in euros', () => {
  row('9-usage-euro-switch', 'offers the units of the connections, and remembers the choice for this customer', async () => {
    for (const [connections, offered] of [
      [
        [connection(), gas()],
        ['Costs', 'Electricity', 'Gas'],
      ],
      [[gas()], ['Costs', 'Gas']],
      [[connection()], ['Costs', 'Electricity']],
      [
        [connection(), gas({ meter_type: 'CONVENTIONAL' })],
        ['Costs', 'Electricity'],
      ],
    ] as const) {
      customerApi({ 'GET /connections': connections });
      show(<UsagePage />);
      expect(await units()).toEqual(offered);
      cleanup();
    }
    customerApi();
    show(<UsagePage />, { locale: 'nl' });
    expect(await units('Toon'), '9-usage-euro-switch').toEqual(['Kosten', 'Stroom', 'Gas']);
    cleanup();
    const api = customerApi();
    show(<UsagePage />);
    expect(await screen.findByRole('region', { name: 'Electricity used, November 2026' })).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Electricity' })).toBeChecked();
    expect(screen.queryByRole('region', { name: /^Gas/ })).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Gas' }));
    expect(await screen.findByRole('region', { name: 'Gas used, November 2026' })).toBeVisible();
    expect(screen.queryByRole('region', { name: /^Electricity/ })).toBeNull();
    expect(screen.queryByRole('radio', { name: 'Feed-in' })).toBeNull(); // gas is never fed in
    cleanup();
    show(<UsagePage />); // opened again
    expect(await screen.findByRole('region', { name: 'Gas used, November 2026' })).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Electricity' }));
    await screen.findByRole('region', { name: 'Electricity used, November 2026' });
    expect(api.calls.some((c) => /cost|net-metering/.test(c.path))).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Display', expanded: false }));
    await userEvent.click(screen.getByRole('radio', { name: 'Feed-in' }));
    expect(await screen.findByRole('region', { name: /^Electricity fed in/ })).toBeVisible();
    expect(screen.queryByRole('region', { name: /^Gas/ })).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Usage' }));
    await euros();
    expect(await panel('electricity')).toBeVisible();
    expect(await panel('gas')).toBeVisible();
    expect(screen.queryByRole('region', { name: /used/ })).toBeNull();
    cleanup();
    show(<UsagePage />); // opened again
    expect(await panel('electricity')).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Costs' })).toBeChecked();
    // a choice stored by a release that showed both units at once
    cleanup();
    localStorage.setItem(localStorage.key(0) ?? '', 'ENERGY');
    show(<UsagePage />);
    expect(await screen.findByRole('region', { name: 'Electricity used, November 2026' })).toBeVisible();
    await euros();
    cleanup();
    show(<UsagePage />, { portal: { session: { id: 'customer-2', role: 'customer', name: 'A. Jansen' } } });
    expect(await screen.findByRole('region', { name: 'Electricity used, November 2026' })).toBeVisible(); // another customer
  });

  row(
    '9-usage-euro-switch',
    'opens in euros with daily values and prices of all connections, unless chosen otherwise',
    async () => {
      const priced = (more = prices) => ({ 'GET /agreements': [agreement({ price_agreements: more })] });
      customerApi(priced());
      show(<UsagePage />);
      expect(await panel('electricity')).toBeVisible();
      expect(await panel('gas')).toBeVisible();
      await userEvent.click(screen.getByRole('radio', { name: 'Electricity' }));
      expect(await screen.findByRole('region', { name: /^Electricity used/ })).toBeVisible();
      cleanup();
      show(<UsagePage />); // opened again
      expect(await screen.findByRole('region', { name: /^Electricity used/ })).toBeVisible();
      const [first, second] = consent(true).connections;
      const consentOfOne = consent(false, { connections: [first, { ...second, consentPresent: false }] as never });
      const onlyGas = { 'GET /connections': [gas()] };
      for (const [answers, at, unit] of [
        [priced(prices.slice(0, 3))], // no standing charge for gas
        [priced(prices.slice(1))], // no price for electricity usage
        [priced(prices.map((p) => ({ ...p, to: '2026-10-31' })))],
        [priced(prices.map(({ kind: _, ...p }) => p))],
        [{ ...priced(), 'GET /smartmeterreadings/historicaldata': consent(false) }],
        [{ ...priced(), 'GET /smartmeterreadings/historicaldata': consentOfOne }],
        [priced(), '/usage?view=feedin'],
        [priced(), '/usage?span=years'],
        // only gas
        [{ ...priced(prices.slice(0, 3)), ...onlyGas }, '/usage', 'Gas'],
        [{ ...priced(), ...onlyGas }, '/usage?view=feedin', 'Gas'],
        [{ ...priced(), ...onlyGas }, '/usage?span=years', 'Gas'],
        [{ ...priced(prices.slice(2)), ...onlyGas }, '/usage', 'Costs'],
        // a conventional meter is ignored
        [
          { ...priced(prices.slice(0, 2)), 'GET /connections': [connection(), gas({ meter_type: 'CONVENTIONAL' })] },
          '/usage',
          'Costs',
        ],
      ] as const) {
        cleanup();
        localStorage.clear();
        customerApi(answers);
        show(<UsagePage />, { at: at ?? '/usage' });
        expect(await screen.findByRole('radio', { name: unit ?? 'Electricity' })).toBeChecked();
      }
    },
  );

  row(
    ['9-usage-euro-headline', '9-usage-euro-times', '9-usage-so-far'],
    'the amount is the sum of the rows and of the bars; each row explains its part',
    async () => {
      const api = customerApi();
      show(<UsagePage />);
      await euros();
      const electricity = await panel('electricity');
      // 55.10 + 4.43, the sum of the rows, and no second headline
      expect(await within(electricity).findAllByText('€ 59,53')).toHaveLength(1);
      const asked = api.calls.find((c) => c.path === `/usage/${eans.electricity}/cost`);
      expect(asked?.query).toEqual({ unit: 'day', from: '2026-11-01', to: '2026-11-20' }); // up to the last complete day
      const rows = await explain(electricity);
      expect(within(electricity).getByRole('heading', { name: 'Electricity: how this amount adds up' })).toBeVisible();
      expect(cells(rows)).toEqual([
        ['What', 'How much', 'Price', 'Amount'],
        ['Normal rate190 kWh × € 0,28941', '190 kWh', '€ 0,29exactly € 0,28941', '€ 55,10'],
        ['Standing charge19 of 30 days × € 6,99 per month', '19 of 30 days', '€ 6,99 per month', '€ 4,43'],
        ['Total', '', '', '€ 59,53'],
      ]);
      await userEvent.click(within(electricity).getByRole('button', { name: 'Show as table' }));
      const bars = cells(await within(electricity).findByRole('table', { name: 'Cost of electricity, November 2026' }));
      expect(bars[1]?.[1]).toBe('€ 3,13');
      expect(bars.at(-2)?.[1]).toBe('not known yet');
      expect(bars.at(-1)).toEqual(['Total', '€ 59,53']);
      const together = await screen.findByRole('region', { name: 'Cost of everything together' });
      expect(plain(together), '9-usage-so-far').toMatch(/€ 139,09so far in November 2026/);
      for (const chart of [electricity, await panel('gas')])
        expect(together.compareDocumentPosition(chart), 'above the charts').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      expect(within(together).getAllByRole('listitem').map(plain)).toEqual(['Electricity190 kWh€ 59,53', 'Gas190 m³€ 79,56']);
    },
  );

  row('9-usage-euro-than', 'compares with the same days of last year, and says what the month is expected to cost', async () => {
    const then = (from: string, to: string, amount: number) => cost([costRow({ from, to, amount })], { from, to });
    const answers = {
      'GET /usage/{ean}/cost': ({ params, query }: { params: Record<string, string>; query: Record<string, string> }) =>
        query.from?.startsWith('2025')
          ? then(query.from, query.to ?? '', params.ean === eans.gas ? 90 : 60)
          : cost([costRow({ amount: 60 })]),
      'GET /usage/forecast': {
        month: '2026-11',
        connections: [eans.electricity, eans.gas].map((ean_code) => ({ ean_code, commodity: 'GAS', unit: 'M3N', unknown: [] })),
        total: { estimated: false, so_far: 120, expected: 201.4, low: 180, high: 220, last_year: null },
      },
    };
    const api = customerApi(answers);
    show(<UsagePage />);
    await euros();
    const together = () => plain(screen.getByRole('region', { name: 'Cost of everything together' }));
    await waitFor(() => expect(together()).toMatch(/20% less than 1 to 19 November 2025/)); // € 120 versus € 150
    expect(together()).toMatch(/Expected for the whole month: € 201/);
    const before = api.calls.filter((c) => c.path.endsWith('/cost') && c.query.from === '2025-11-01' && !c.query.unit);
    expect(before.map((c) => c.query.to)).toEqual(['2025-11-20', '2025-11-20']);
    await userEvent.click(screen.getByRole('button', { name: 'Previous period' }));
    expect(await panel('electricity', 'October 2026')).toBeVisible();
    await waitFor(() => expect(together()).toMatch(/€ 120/));
    expect(together()).not.toMatch(/Expected/); // only for the current month
    cleanup();
    // with one connection, its own headline contains them; there is no comparison with only some of these days or with an unknown
    // cost
    const one = { 'GET /connections': [connection()] };
    customerApi({ ...answers, ...one });
    show(<UsagePage />);
    const alone = await panel('electricity');
    await waitFor(() => expect(plain(alone)).toMatch(/as much as 1 to 19 November 2025/));
    expect(plain(alone)).not.toMatch(/Expected/); // the forecast includes gas
    for (const past of [then('2025-11-05', '2025-11-20', 60), { ...then('2025-11-01', '2025-11-20', 60), total: null }]) {
      cleanup();
      customerApi({
        ...one,
        'GET /usage/{ean}/cost': ({ query }: { query: Record<string, string> }) =>
          query.from?.startsWith('2025') ? past : cost([costRow()]),
      });
      show(<UsagePage />);
      const panelOf = await panel('electricity');
      expect((await within(panelOf).findAllByText('€ 55,10'))[0]).toBeVisible();
      expect(plain(panelOf)).not.toMatch(/2025/);
    }
  });

  row('9-usage-ghost', 'last year stands next to each bar, in euros and in kWh, with its own sum in the table', async () => {
    const november = (year: number, amount: number, days: number) =>
      cost([costRow({ amount: days * amount })], {
        from: `${year}-11-01`,
        to: `${year}-11-${days + 1}`,
        bars: Array.from({ length: days }, (_, at) => ({
          start: `${year}-11-${String(at + 1).padStart(2, '0')}T00:00:00+01:00`,
          day: `${year}-11-${String(at + 1).padStart(2, '0')}`,
          amount,
        })),
      });
    const api = customerApi({
      'GET /connections': [connection()],
      'GET /usage/{ean}/cost': ({ query }: { query: Record<string, string> }) =>
        query.from?.startsWith('2025') ? november(2025, 2, 30) : november(2026, 3, 19),
    });
    show(<UsagePage />);
    await euros();
    const electricity = await panel('electricity');
    await within(electricity).findByRole('button', { name: 'November 2025', pressed: true }); // the legend
    const drawing = within(electricity).getByRole('group', { name: 'Cost of electricity, November 2026' });
    const dashes = (chart: HTMLElement) => chart.querySelector('path[data-series="past"]')?.getAttribute('d')?.match(/M/g);
    await waitFor(() => expect(dashes(drawing)).toHaveLength(30)); // also for future days
    expect(api.calls.map((c) => c.query)).toContainEqual({ unit: 'day', from: '2025-11-01', to: '2025-12-01' });
    await userEvent.click(within(electricity).getByRole('button', { name: 'Show as table' }));
    const table = cells(await within(electricity).findByRole('table', { name: 'Cost of electricity, November 2026' }));
    expect([table[1]?.slice(1), table.at(-1)]).toEqual([
      ['€ 3,00', '€ 2,00'],
      ['Total', '€ 57,00', '€ 60,00'],
    ]);
    await userEvent.click(screen.getByRole('radio', { name: 'Electricity' }));
    const used = await screen.findByRole('region', { name: 'Electricity used, November 2026' });
    const kWh = await within(used).findByRole('group', { name: 'Electricity used, November 2026' });
    await waitFor(() => expect(dashes(kWh)).toHaveLength(30));
  });

  row('9-usage-past-gap', 'names the days without a comparison, in euros and in kWh', async () => {
    const past = cost([costRow()], {
      from: '2025-11-01',
      to: '2025-12-01',
      bars: monthOf('2025-11', 5).map(({ start, day = '' }, at) => ({ start, day, amount: at === 14 ? null : 2 })),
    });
    const gap = monthOf('2025-11', 6).map((p, at) => (at === 14 ? point(p.start, null) : p));
    customerApi({
      'GET /connections': [connection()],
      'GET /usage/{ean}/cost': ({ query }: { query: Record<string, string> }) =>
        query.from?.startsWith('2025') ? past : cost([costRow()]),
      'GET /usage/{ean}/series': ({ query }: { query: Record<string, string> }) =>
        series(query.from?.startsWith('2025') ? gap : monthOf('2026-11', 5, 20)),
    });
    show(<UsagePage />);
    await euros();
    expect(await screen.findByText('We do not know the cost of 15 November 2025.')).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'Electricity' }));
    expect(await screen.findByText(/We have no measurements of 15 November 2025\.$/)).toBeVisible();
  });

  row('9-usage-many', 'of three or more connections the first chart is open, and the others have a line', async () => {
    const at = (ean_code: string, house_number: string) =>
      connection({ ean_code, address: { ...connection().address, house_number } });
    const all = [at(eans.electricity, '1'), at('871600000000000116', '2'), at('871600000000000123', '3')];
    customerApi({
      'GET /connections': all,
      'GET /usage/latest': all.map(({ ean_code }) => latest({ ean_code })),
      'GET /agreements': [
        agreement({
          addresses: agreement().addresses.map((a) => ({
            ...a,
            connections: all.map(({ ean_code, commodity }) => ({ ean_code, commodity })),
          })),
        }),
      ],
      'GET /smartmeterreadings/historicaldata': consent(true, {
        connections: all.map((c) => ({ ...(consent(true).connections[0] as never as object), ean_code: c.ean_code })) as never,
      }),
    });
    show(<UsagePage />);
    const line = (words: string, expanded: boolean) => screen.findByRole('button', { name: new RegExp(words), expanded });
    expect(await line('^Electricity Molenweg 1.190.kWh$', true)).toBeVisible();
    expect(await line('^Electricity Molenweg 2.190.kWh$', false)).toBeVisible();
    expect(await screen.findAllByRole('region', { name: 'Electricity used, November 2026' })).toHaveLength(1);
    await userEvent.click(await line('^Electricity Molenweg 3', false));
    expect(await screen.findAllByRole('region', { name: 'Electricity used, November 2026' })).toHaveLength(2);
    await euros();
    expect(await line('^Electricity Molenweg 1.€.59,53$', true)).toBeVisible();
    expect(await line('^Electricity Molenweg 2.€.59,53$', false)).toBeVisible();
    expect(await screen.findAllByRole('region', { name: 'Cost of electricity, November 2026' })).toHaveLength(1);
  });

  row('9-usage-euro-unknown', 'says why a cost is not known, with the days, and draws the bars that are', async () => {
    const known = cost([costRow()]);
    const unknown: ConnectionCost = {
      ...known,
      total: null,
      rows: [],
      unknown: [
        { reason: 'measurement', from: '2026-11-03', to: '2026-11-04' },
        { reason: 'price', kind: 'standing', from: '2026-11-05', to: '2026-11-08' },
      ],
      bars: known.bars.map((bar, at) => (at === 2 || (at > 3 && at < 7) ? { ...bar, amount: null } : bar)),
    };
    customerApi({ 'GET /usage/{ean}/cost': unknown, 'GET /connections': [connection()] });
    show(<UsagePage />);
    await euros();
    const electricity = await panel('electricity');
    await within(electricity).findByText('Cost of electricity, November 2026: not known');
    expect(plain(electricity)).toMatch(/We have no complete measurements for 3 November 2026\./);
    expect(plain(electricity)).toMatch(/We have no price for 5 to 7 November 2026: standing charge\./);
    expect(plain(electricity)).not.toMatch(/€ 0,00|€ 55,10/); // neither zero nor the sum of the known days
    expect(within(electricity).queryByRole('table', { name: /What this consists of/ })).toBeNull();
    const drawing = await within(electricity).findByRole('group', { name: 'Cost of electricity, November 2026' });
    await waitFor(() => expect(drawing.querySelectorAll('[data-gap]')).toHaveLength(2)); // one day, and three successive days
    for (const gap of drawing.querySelectorAll('[data-gap]')) {
      expect(gap.getAttribute('fill')).toMatch(/-gap\)$/); // hatched
      expect(Number(gap.getAttribute('height'))).toBeGreaterThan(200);
    }
    expect(within(drawing).getAllByRole('img', { name: /2026: cost not known$/ })).toHaveLength(4);
    expect(plain(within(electricity).getByRole('group', { name: 'Legend' }))).toContain('cost not known');
    await userEvent.click(await within(electricity).findByRole('button', { name: 'Show as table' }));
    const bars = cells(await within(electricity).findByRole('table'));
    expect([bars[2]?.[1], bars[3]?.[1]]).toEqual(['€ 2,90', 'cost not known']);
    expect(bars.at(-1)?.[0]).not.toBe('Total'); // the sum of some days would look like the total
  });

  row('9-usage-euro-unknown', 'has words for each reason', async () => {
    const of = { from: '2026-11-03', to: '2026-11-04' };
    const single = { kind: 'single', ...of } as const;
    for (const [unknown, says] of [
      [{ reason: 'measurement', ...of }, 'We have no complete measurements for 3 November 2026.'],
      [{ reason: 'price', ...single }, 'We have no price for 3 November 2026: single rate.'],
      [{ reason: 'price_kind', ...of }, 'Your contract has a price for 3 November 2026, but we do not know what it is for.'],
      [{ reason: 'vat', ...single }, 'We do not know whether this price includes VAT: single rate, 3 November 2026.'],
      [{ reason: 'price_change', ...single }, 'This price changed between two meter readings: single rate, 3 November 2026.'],
      [{ reason: 'ambiguous', ...single }, 'Your contract has two prices for 3 November 2026: single rate.'],
      [{ reason: 'amount', ...single }, 'The amount for 3 November 2026 is too large to show.'],
    ] as const) {
      const view = show(<CostUnknown unknown={[unknown]} what="Cost" commodity="ELECTRICITY" />);
      expect(plain(screen.getByRole('listitem')), unknown.reason).toBe(says);
      expect(view.container).not.toHaveTextContent(/€/);
      cleanup();
    }
  });

  row(
    '9-usage-euro-estimate',
    'days that were not measured are drawn at their estimate, which is named in all places',
    async () => {
      const whole = cost([
        costRow({ amount: 37.07 }),
        costRow({ kind: 'standing', unit: 'month', quantity: 0.633, amount: 4.43 }),
      ]);
      const days = [{ from: '2026-11-03', to: '2026-11-04' }];
      const bars = whole.bars.map((bar, at) => ({ ...bar, estimated: at === 2 }));
      const unknown: ConnectionCost = {
        ...whole,
        total: null,
        rows: [],
        unknown: [{ reason: 'measurement', from: '2026-11-03', to: '2026-11-04' }],
        bars: whole.bars.map((bar, at) => (at === 2 ? { ...bar, amount: null } : bar)),
        estimate: { total: 41.5, rows: whole.rows, bars, days, added: 6.2 },
      };
      customerApi({
        'GET /usage/{ean}/cost': ({ params, query }: { params: Record<string, string>; query: Record<string, string> }) => {
          const { estimate: _, ...past } = unknown;
          if (params.ean === eans.gas) return cost([costRow({ kind: 'single', amount: 80 })], { commodity: 'GAS' });
          return query.from?.startsWith('2026-10') ? past : unknown;
        },
      });
      show(<UsagePage />);
      await euros();
      const electricity = await panel('electricity');
      await within(electricity).findByText('Not measured completely, and therefore estimated: 3 November 2026.');
      expect(plain(within(electricity).getByRole('group', { name: 'Legend' }))).toBe('Costestimated'); // and not a gap
      const drawing = within(electricity).getByRole('group', { name: 'Cost of electricity, November 2026' });
      expect(drawing.querySelectorAll('[data-estimated] path[fill$="-estimated)"]'), 'hatched').toHaveLength(1);
      expect(drawing.querySelector('[data-gap]')).toBeNull();
      within(drawing)
        .getByRole('img', { name: /3 November 2026 \(estimated\): Cost €.2,18$/ }) // the accessible name
        .focus();
      expect(await within(drawing).findByText(/3 November 2026 \(estimated\)$/)).toBeVisible(); // the card
      const rows = await explain(electricity);
      expect(within(electricity).getByRole('heading', { name: 'Electricity: how this estimate adds up' })).toBeVisible();
      expect(cells(rows).at(-1)?.at(-1)).toBe('€ 41,50');
      expect(plain(electricity)).toMatch(/Calculated from your measurements, estimates and the prices/);
      await userEvent.click(await within(electricity).findByRole('button', { name: 'Show as table' }));
      const table = cells(await within(electricity).findByRole('table', { name: 'Cost of electricity, November 2026' }));
      expect([table[2], table[3]]).toEqual([
        [expect.stringMatching(/2 November 2026$/), '€ 2,18'],
        [expect.stringMatching(/3 November 2026 \(estimated\)$/), '€ 2,18'],
      ]);
      expect(table.at(-1)).toEqual(['Total', '€ 41,50']);
      const gasPanel = await panel('gas');
      expect(within(gasPanel).getByRole('heading', { name: 'Gas: how this amount adds up' })).toBeVisible();
      expect(plain(gasPanel)).not.toMatch(/estimate/);
      const together = plain(await screen.findByRole('region', { name: 'Cost of everything together' }));
      expect(together).toMatch(/€ 121,50partly estimated, so far in November 2026/);
      expect(together).toMatch(/Electricity190 kWh measured, 6 kWh estimated€ 41,50/);
      await userEvent.click(screen.getByRole('button', { name: 'Previous period' }));
      const october = await panel('electricity', 'October 2026');
      await within(october).findByText('Cost of electricity, October 2026: not known');
      expect(plain(october)).not.toMatch(/€ 41,50|estimated/);
    },
  );

  row(
    '9-usage-euro-unknown',
    'without consent it is the cost of the last complete month, with a way to give consent',
    async () => {
      const october = { last_month: true, consent_needed: true, from: '2026-10-01', to: '2026-11-01', bars: [] };
      const api = customerApi({
        'GET /smartmeterreadings/historicaldata': consent(false),
        'GET /usage/{ean}/cost': cost([costRow({ from: '2026-10-01', to: '2026-11-01', amount: 61.5 })], october),
        'GET /connections': [connection()],
      });
      show(<UsagePage />);
      await euros();
      const electricity = await panel('electricity', 'October 2026');
      expect((await within(electricity).findAllByText('€ 61,50'))[0]).toBeVisible();
      expect(plain(electricity)).toMatch(/October 2026/);
      expect(screen.queryByRole('radiogroup', { name: 'Period' })).toBeNull();
      expect(api.calls.find((c) => c.path.endsWith('/cost'))?.query).toEqual({});
      expect(screen.getByRole('button', { name: 'Give consent' })).toBeVisible();
      api.answers['GET /smartmeterreadings/historicaldata'] = consent(true);
      api.answers['GET /usage/{ean}/cost'] = cost([costRow()]);
      await userEvent.click(screen.getByRole('button', { name: 'Give consent' }));
      expect(await panel('electricity')).toBeVisible();
    },
  );

  row('9-usage-euro-comparison', 'compares a year with and without net metering, and names the assumptions', async () => {
    const year = { from: '2025-11-01', to: '2026-11-01' };
    const of = (total: number | null, rows = [costRow()]) => ({ ...year, total, rows, unknown: [] });
    const feedin = [
      costRow({ kind: 'feed_in', price: 0.07, amount: -168 }),
      costRow({ kind: 'feed_in_cost', price: 0.05, amount: 120 }),
    ];
    const compared = {
      ...year,
      ean_code: eans.electricity,
      applies: true,
      net_metering_until: '2026-12-31',
      fed_in: 2400,
      with: of(552),
      without: of(1104, feedin),
    };
    const api = customerApi({ 'GET /usage/{ean}/net-metering': compared, 'GET /connections': [connection()] });
    show(<UsagePage />);
    await screen.findByRole('region', { name: 'Electricity used, November 2026' });
    const name = 'What changes without net metering';
    expect(screen.queryByRole('region', { name })).toBeNull();
    await euros();
    const closed = await screen.findByRole('region', { name });
    await userEvent.click(within(closed).getByRole('button', { name: /more a year without net metering$/, expanded: false }));
    expect(within(closed).getByText('With net metering')).toBeVisible();
    const text = plain(closed);
    expect(text).toMatch(/Up to and including 31 December 2026/);
    expect(text).toMatch(/1 November 2025 to 31 October 2026/);
    expect(text).toMatch(/€ 552,00 more a year without net meteringWith net metering€ 552,00Without net metering€ 1\.104,00/);
    for (const assumed of [
      /use as much.*feed in as much: 2\.400 kWh/,
      /prices.*of today/,
      /paid € 0,07/,
      /feed-in costs of € 0,05/,
    ])
      expect(text).toMatch(assumed);
    await userEvent.click(screen.getByRole('radio', { name: 'Electricity' })); // one connection
    await userEvent.click(screen.getByRole('button', { name: 'Display', expanded: false }));
    await userEvent.click(await screen.findByRole('radio', { name: 'Feed-in' }));
    expect(await screen.findByRole('region', { name })).toBeVisible(); // where customers with solar panels look for it
    cleanup();
    api.answers['GET /usage/{ean}/net-metering'] = {
      ...compared,
      without: { ...of(null, []), unknown: [{ reason: 'price', kind: 'feed_in_cost', ...year }] },
    };
    show(<UsagePage />, { at: '/usage?view=feedin' });
    const unknown = plain(await screen.findByRole('region', { name }));
    expect(unknown).toMatch(/no price for 1 November 2025 to 31 October 2026: feed-in costs/);
    expect(unknown).not.toMatch(/more a year|With net metering€/);
    cleanup();
    api.answers['GET /usage/{ean}/net-metering'] = { ...compared, applies: false };
    api.calls.length = 0;
    show(<UsagePage />, { at: '/usage?view=feedin' });
    await screen.findByRole('region', { name: /^Electricity fed in/ });
    await waitFor(() => expect(api.calls.some((c) => c.path.endsWith('/net-metering'))).toBe(true));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      await vi.advanceTimersByTimeAsync(50); // the response has been handled
      expect(screen.queryByRole('region', { name })).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('shows that nothing was measured yet, what is paid back, and a failure of one connection', async () => {
    const api = customerApi({ 'GET /connections': [connection()], 'GET /usage/latest': [] });
    show(<UsagePage />);
    await euros();
    expect(await screen.findByText('The cost of November 2026 is not known yet')).toBeVisible();
    expect(api.calls.some((c) => c.path.endsWith('/cost'))).toBe(false);
    cleanup();
    customerApi({
      'GET /connections': [connection()],
      'GET /usage/{ean}/cost': cost([costRow({ kind: 'feed_in', amount: -12.5 })]),
    });
    show(<UsagePage />);
    const credit = await panel('electricity');
    await waitFor(() => expect(plain(credit)).toMatch(/€ -12,50so far in November 2026: you get this back190 kWh measured/));
    cleanup();
    customerApi({ 'GET /connections': [connection()], 'GET /usage/{ean}/cost': refuse(503, 'unavailable') });
    show(<UsagePage />);
    expect(await within(await panel('electricity')).findByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

row('9-usage-so-far', 'in euro the days of a running month stand there if not all up to yesterday were counted', async () => {
  customerApi({
    'GET /connections': [connection()],
    'GET /usage/{ean}/cost': cost([costRow()], { to: '2026-11-18' }),
  });
  show(<UsagePage />);
  await euros();
  await waitFor(async () => expect(plain(await panel('electricity'))).toMatch(/€ 55,101 to 17 November 2026/));
  expect(plain(await panel('electricity'))).not.toMatch(/so far/);
});
