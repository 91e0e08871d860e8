import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import MonthlyAmountInfo from './monthly-amount-info';
import PeriodicalPage from './periodical-page';
import { sumRunning } from './term-amount.rules';
import TermAmountSummary from './term-amount-summary';
import TermAmountTile from './term-amount-tile';
import { agreement, customerApi, impersonated, periodical, show } from './testing';
import UpdateTermAmount from './update-term-amount';

afterEach(cleanup);

const page = { at: '/periodical-payments' };
const pending = { requested_new_amount: 150, request_periodical_payment_amount: 150, requested_on: '2026-11-18' };
const edit = () => screen.queryByRole('link', { name: 'Change amount' });

describe('overview', () => {
  row(['2.1-periodical-overview', '2.1-periodical-edit-link', '2.1-periodical-info-link'], 'a card per agreement', async () => {
    customerApi({
      'GET /agreements': [agreement({ id: 'A-2', from: '2025-05-01' }), agreement({ id: 'B-1', from: '2024-01-01' })],
      'GET /periodicalPayments': [
        periodical(),
        periodical({ agreement_identifier_with_sequence: 'B-1', current_amount: 61.5, payment_method: 'INVOICE' }),
      ],
    });
    show(<PeriodicalPage />, page);
    const first = await screen.findByRole('region', { name: 'Vast 3 jaar A-2' });
    expect(first).toHaveTextContent('€ 125,00');
    expect(first).toHaveTextContent('per month · next collection 28-11-2026');
    expect(within(first).getByRole('link', { name: 'Change amount' })).toHaveAttribute('href', '/periodical-payments/update/A-2');
    const second = screen.getByRole('region', { name: 'Vast 3 jaar B-1' });
    expect(second).toHaveTextContent('€ 61,50');
    expect(within(second).getByRole('link', { name: 'Change amount' })).toHaveAttribute(
      'href',
      '/periodical-payments/update/B-1',
    );
    expect(screen.getByRole('link', { name: 'How your monthly amount works' })).toHaveAttribute(
      'href',
      '/periodical-payments/monthly-amount-info',
    );
  });

  row(['4-pending-term-amount', '6-periodical-edit-requested'], 'the pending amount and a text replace the link', async () => {
    customerApi({ 'GET /periodicalPayments': [periodical({ ...pending, reason: 'billing.term_amount_pending' })] });
    show(<PeriodicalPage />, page);
    expect(await screen.findByText(/Being changed to/)).toHaveTextContent('€ 150,00');
    expect(screen.getByText(/You asked for this on 18-11-2026\. We usually process it/)).toBeVisible();
    expect(edit()).toBeNull();
    expect(screen.getByRole('region')).toHaveTextContent('€ 125,00');
    cleanup();
    customerApi({ 'GET /periodicalPayments': [periodical({ current_amount: 150 })] }); // processed
    show(<PeriodicalPage />, page);
    await waitFor(() => expect(edit()).not.toBeNull());
    expect(screen.queryByText(/Being changed to/)).toBeNull();
  });

  row('9-next-collection', 'the text is about a collection with direct debit only, else about a payment', async () => {
    for (const method of ['DIRECT_DEBIT_BUSINESS', 'DIRECT_DEBIT_CONSUMER', 'DEFAULT', 'IDEAL', 'INVOICE'] as const) {
      const collected = method.startsWith('DIRECT_DEBIT');
      customerApi({ 'GET /periodicalPayments': [periodical({ payment_method: method })] });
      for (const [where, shown] of [
        ['page', <PeriodicalPage key="page" />],
        ['tile', <TermAmountTile key="tile" />],
        ['form', <UpdateTermAmount key="form" {...overlay()} />],
      ] as const) {
        const { unmount } = show(shown, page);
        const outcomeText =
          where === 'form'
            ? `${collected ? 'We then collect' : 'You then pay'} the new amount for the first time on 28-12-2026.`
            : `per month · next ${collected ? 'collection' : 'payment'} 28-11-2026`;
        await waitFor(() => expect(document.body, `${method} ${where}`).toHaveTextContent(outcomeText));
        if (!collected) expect(document.body, `${method} ${where}`).not.toHaveTextContent(/collect/);
        unmount();
      }
    }
  });

  row('9-term-amount-from', 'the page and the form say from which day a new amount usually counts, if it is known', async () => {
    for (const [locale, soon, waits] of [
      [
        'en',
        'A new amount that you choose today usually counts from 28-12-2026.',
        'The new amount usually counts from 28-12-2026.',
      ],
      [
        'nl',
        'Kies je vandaag een nieuw bedrag, dan geldt dat meestal vanaf 28-12-2026.',
        'Het nieuwe bedrag geldt meestal vanaf 28-12-2026.',
      ],
    ] as const) {
      for (const [more, text] of [
        [{}, soon],
        [{ ...pending, reason: 'billing.term_amount_pending' }, waits],
      ] as const) {
        customerApi({ 'GET /periodicalPayments': [periodical(more)] });
        show(<PeriodicalPage />, { ...page, locale });
        await waitFor(() => expect(document.body).toHaveTextContent(text));
        cleanup();
        const { counts_from: _, ...unknown } = periodical(more);
        customerApi({ 'GET /periodicalPayments': [unknown] });
        show(<PeriodicalPage />, { ...page, locale });
        expect(await screen.findByRole('region')).toHaveTextContent('€ 125,00');
        expect(document.body).not.toHaveTextContent(/28-12-2026/);
        cleanup();
      }
    }
    customerApi({ 'GET /periodicalPayments': [periodical()] });
    show(<UpdateTermAmount {...overlay()} />, page);
    await waitFor(() =>
      expect(document.body).toHaveTextContent(
        'We usually process it within 2 working days. We then collect the new amount for the first time on 28-12-2026.',
      ),
    );
    cleanup();
    const { counts_from: _, ...unknown } = periodical();
    customerApi({ 'GET /periodicalPayments': [unknown] });
    show(<UpdateTermAmount {...overlay()} />, page);
    await waitFor(() => expect(document.body).toHaveTextContent('We then collect the new amount for the first time next month.'));
  });

  row('6-impersonator-periodical', 'an impersonator reads why there is no link', async () => {
    const year = { expected_cost: 1680, paid: 750, months_left: 6, months_unchanged: 0, settles_on: '2027-05-01' };
    customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: 155, year_end: year })] });
    const forms = () => screen.getAllByRole('link').filter((a) => a.getAttribute('href')?.includes('/update/'));
    const own = show(<PeriodicalPage />, page);
    await screen.findByRole('link', { name: 'Change amount' });
    expect(forms()).toHaveLength(2); // and with the advised amount
    expect(screen.queryByText(/only viewing this portal/)).toBeNull();
    own.unmount();
    show(<PeriodicalPage />, { ...page, ...impersonated });
    expect(await screen.findByText(/only viewing this portal/)).toBeVisible();
    expect(edit()).toBeNull();
    expect(forms()).toEqual([]);
  });

  test('shows why an amount cannot be changed', async () => {
    customerApi({ 'GET /periodicalPayments': [periodical({ reason: 'billing.term_amount_ended' })] });
    show(<PeriodicalPage />, page);
    expect(await screen.findByText(/This contract has ended/)).toBeVisible();
    expect(edit()).toBeNull();
  });

  test('shows how the amount is composed', async () => {
    const details = { current_amount: 125, proposed_amount: 140, min_amount: 90, max_amount: 180 };
    customerApi({
      'GET /agreements': [
        agreement({
          id: 'A-2',
          from: '2025-05-01',
          periodical_payment: {
            details,
            items: [{ category: 'TAX', description: 'Vermindering energiebelasting', amount: -34.5 }],
            payment_method: 'DIRECT_DEBIT_CONSUMER',
            bank_account_number: 'NL38WATT0000001117',
          },
        }),
      ],
    });
    show(<PeriodicalPage />, page);
    await userEvent.click(await screen.findByRole('button', { name: 'What this amount is made of' }));
    expect(screen.getByRole('listitem')).toHaveTextContent('Vermindering energiebelasting€ -34,50');
    expect(document.body).not.toHaveTextContent(/WATT/);
  });
});

const overlay = (agreementId = 'A-2') => ({ params: { agreementId }, close: vi.fn(), setDirty: vi.fn() });
const save = () => screen.getByRole('button', { name: 'Save' });
const field = () => screen.findByRole('textbox', { name: 'New monthly amount' });
const slider = () => screen.getByRole('slider', { name: 'New monthly amount' });
const sent = (api: ReturnType<typeof customerApi>) => api.calls.filter((c) => c.method === 'PUT').map((c) => [c.path, c.body]);
async function type(text: string) {
  const input = await field();
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
  return input;
}
const outcome = () => document.querySelector('[data-outcome]');

describe('changing it', () => {
  row(
    ['2.3-overlay-update-periodical', '7.2-periodical-refetch', '7.2-periodical-two-calls-reconcile', '6-customer-edits'],
    'saves, fetches all amounts again, and closes',
    async () => {
      const api = customerApi({ 'PUT /periodicalPayments/{id}': periodical(pending) });
      const props = overlay();
      const notified = vi.fn();
      show(<UpdateTermAmount {...props} />, { ...page, onNotify: notified });
      await type('150,5');
      expect(props.setDirty).toHaveBeenLastCalledWith(true);
      const before = api.calls.length;
      await userEvent.click(save());
      await waitFor(() => expect(props.close).toHaveBeenCalled());
      expect(sent(api)).toEqual([['/periodicalPayments/A-2', { request_periodical_payment_amount: 150.5 }]]);
      expect(api.calls.slice(before + 1).map((c) => `${c.method} ${c.path}`)).toContain('GET /periodicalPayments');
      expect(notified).toHaveBeenCalledWith(expect.objectContaining({ tone: 'good', text: expect.stringContaining('150,50') }));
    },
  );

  row('2.3-overlay-update-periodical', 'no form when there is no periodical payment', async () => {
    customerApi({ 'GET /periodicalPayments': [] });
    show(<UpdateTermAmount {...overlay()} />, page);
    expect(await screen.findByText('You have no monthly amount')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  row('9-term-amount-advice', 'with the advised amount nothing remains to be paid; otherwise the form says so', async () => {
    const year = { expected_cost: 1680, paid: 750, months_left: 6, months_unchanged: 0, settles_on: '2027-05-01' };
    customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: 155, year_end: year })] });
    const { unmount } = show(<UpdateTermAmount {...overlay()} />, page);
    expect(await field()).toHaveValue('125,00');
    expect(outcome()).toHaveAttribute('data-outcome', 'pay');
    expect(screen.getByText('We advise € 155,00')).toBeVisible();
    await type('155');
    expect(outcome()).toHaveAttribute('data-outcome', 'even');
    expect(screen.queryByText(/Even with the highest amount/)).toBeNull();
    unmount();
    customerApi({
      'GET /periodicalPayments': [periodical({ proposed_amount: 180, year_end: { ...year, expected_cost: 1900 } })],
    });
    show(<UpdateTermAmount {...overlay()} />, page);
    await type('180');
    expect(outcome()).toHaveAttribute('data-outcome', 'pay');
    expect(outcome()).toHaveTextContent('€ 70,00');
    expect(screen.getByText(/Even with the highest amount/)).toHaveTextContent('you pay € 70,00 extra at the annual statement');
    for (const [expected_cost, says] of [
      [1830, false], // the highest amount just suffices
      [1830.01, true],
    ] as const) {
      cleanup();
      customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: 180, year_end: { ...year, expected_cost } })] });
      show(<UpdateTermAmount {...overlay()} />, page);
      await field();
      expect(screen.queryAllByText(/Even with the highest amount/), String(expected_cost)).toHaveLength(says ? 1 : 0);
    }
  });

  row(
    '9-term-amount-forecast',
    'terms before the new amount counts keep the current one, and only its range has a forecast',
    async () => {
      const year = { expected_cost: 1680, paid: 750, months_left: 6, months_unchanged: 1, settles_on: '2027-05-01' };
      customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: 161, year_end: year })] });
      const form = show(<UpdateTermAmount {...overlay()} />, page);
      const input = await type('160');
      expect(outcome()).toHaveTextContent('You come out about even: € 5,00 to pay');
      expect(outcome()).toHaveTextContent('Still to pay: 1 × € 125,00 + 5 × € 160,00€ -925,00');
      await userEvent.clear(input);
      await userEvent.type(input, '161');
      expect(outcome()).toHaveTextContent('You come out exactly even');
      for (const [typed, forecast] of [
        ['89,99', false],
        ['90', true],
        ['180', true],
        ['180,01', false],
        ['9999', false],
      ] as const) {
        await userEvent.clear(input);
        await userEvent.type(input, typed);
        expect(outcome() !== null, typed).toBe(forecast);
        expect(
          screen.queryAllByRole('status').filter((s) => /^Choose an amount from/.test(s.textContent)),
          typed,
        ).toHaveLength(forecast ? 0 : 1);
      }
      form.unmount();
      const last = { ...year, months_left: 2, months_unchanged: 2 };
      customerApi({ 'GET /periodicalPayments': [periodical({ year_end: last })] });
      const late = show(<UpdateTermAmount {...overlay()} />, page);
      await type('160');
      expect(outcome()).toHaveTextContent('You will probably pay € 680,00 extra');
      expect(outcome()).toHaveTextContent(/Still to pay: 2 × € 125,00.*A new amount counts only after the annual statement\.$/);
      late.unmount();
      // a pending amount, and the result with the current one, which is the same whether or not it can be changed
      for (const [more, text, sum] of [
        [pending, '1 × € 125,00 + 5 × € 150,00', '€ 55,00'],
        [{}, 'Still to pay: 6 × € 125,00', '€ 180,00'],
      ] as const) {
        customerApi({ 'GET /periodicalPayments': [periodical({ ...more, year_end: year })] });
        const shown = show(<PeriodicalPage />, page);
        await waitFor(() => expect(outcome()).toHaveTextContent(text));
        expect(outcome()).toHaveTextContent(`pay ${sum} extra`);
        shown.unmount();
      }
    },
  );

  row(
    '9-term-amount-even',
    'the page and the form say what the result follows from, and fill in the amount that ends at zero',
    async () => {
      const year = { expected_cost: 1680, paid: 750, months_left: 6, months_unchanged: 0, settles_on: '2027-05-01' };
      const sum = () =>
        [...document.querySelectorAll('[data-outcome] dl > div')].map((line) => line.textContent?.replaceAll('\u00a0', ' '));
      const want = [
        'Expected costs of the year€ 1.680,00',
        'Already paid€ -750,00',
        'Still to pay: 6 × € 125,00€ -750,00',
        'You pay extra€ 180,00',
      ];
      const back = [
        'Already paid€ 750,00',
        'Still to pay: 6 × € 125,00€ 750,00',
        'Expected costs of the year€ -1.400,00',
        'You get back€ 100,00',
      ];
      customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: 155, year_end: year })] });
      const first = show(<PeriodicalPage />, page);
      const advice = 'With € 155,00 per month, usually from 28-12-2026, you come out around zero.';
      await waitFor(() => expect(document.body).toHaveTextContent(advice));
      expect(document.body).not.toHaveTextContent('A new amount that you choose'); // when it counts is said once
      expect(sum()).toEqual(want);
      const choose = screen.getByRole('link', { name: /^Choose €\s155,00$/ });
      expect(choose).toHaveAttribute('href', '/periodical-payments/update/A-2?advice');
      const change = screen.getByRole('link', { name: 'Change amount' });
      expect(choose.compareDocumentPosition(change), 'the advised amount comes first').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      first.unmount();
      const { counts_from: _day, ...undated } = periodical({ proposed_amount: 155, year_end: year });
      customerApi({ 'GET /periodicalPayments': [undated] });
      const unsure = show(<PeriodicalPage />, page);
      await waitFor(() => expect(document.body).toHaveTextContent('With € 155,00 per month, you come out around zero.'));
      unsure.unmount();
      for (const [more, result] of [
        [{ expected_cost: 1400 }, 'You get back€ 100,00'],
        [{ expected_cost: 1500 }, 'Difference€ 0,00'],
        [{ months_left: 0 }, 'You pay extra€ 930,00'],
      ] as const) {
        customerApi({ 'GET /periodicalPayments': [periodical({ year_end: { ...year, ...more } })] });
        const other = show(<PeriodicalPage />, page);
        await waitFor(() => expect(sum().at(-1)).toBe(result));
        if (result === back.at(-1)) expect(sum(), '9-term-amount-even: the lines add up').toEqual(back);
        if ('months_left' in more) expect(sum()[2]).toBe('Still to pay€ 0,00');
        other.unmount();
      }
      customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: 155, year_end: year })] });
      const form = show(<UpdateTermAmount {...overlay()} />, page);
      expect(await field()).toHaveValue('125,00');
      expect(sum()).toEqual(want);
      await type('130');
      expect(sum()).toEqual([...want.slice(0, 2), 'Still to pay: 6 × € 130,00€ -780,00', 'You pay extra€ 150,00']);
      form.unmount();
      const { year_end: _, ...unknown } = periodical({ proposed_amount: 155 });
      customerApi({ 'GET /periodicalPayments': [unknown] });
      for (const what of [<PeriodicalPage key="page" />, <UpdateTermAmount key="form" {...overlay()} />]) {
        const without = show(what, page);
        await waitFor(() => expect(document.body).toHaveTextContent('€ 125,00'));
        expect(document.body).not.toHaveTextContent(/Expected costs|around zero/);
        without.unmount();
      }
      customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: 155, year_end: year })] });
      const advised = show(<UpdateTermAmount {...overlay()} />, { at: '/periodical-payments/update/A-2?advice' });
      expect(await field()).toHaveValue('155,00');
      expect(save()).not.toHaveAttribute('aria-disabled');
      advised.unmount();
      // the highest amount does not suffice, the lowest is too much, or the amount is already set or fits
      for (const more of [
        { proposed_amount: 180, year_end: { ...year, expected_cost: 1900 } },
        { proposed_amount: 90, year_end: { ...year, expected_cost: 900 } },
        { proposed_amount: 125, year_end: { ...year, expected_cost: 1500 } },
        { proposed_amount: 155, year_end: year, reason: 'billing.term_amount_pending' },
        { current_amount: 152, proposed_amount: 155, year_end: year }, // it fits
      ]) {
        customerApi({ 'GET /periodicalPayments': [periodical(more)] });
        const { unmount } = show(<PeriodicalPage />, page);
        await screen.findByRole('region');
        expect(screen.queryByText(/around zero/), JSON.stringify(more)).toBeNull();
        expect(screen.queryByRole('link', { name: /^Choose/ }), JSON.stringify(more)).toBeNull();
        unmount();
      }
    },
  );

  row(
    '9-term-amount-choice',
    'the advice follows the sum, the range is there before an error, and a collection leads to the account',
    async () => {
      const details = { current_amount: 125, proposed_amount: 155, min_amount: 90, max_amount: 180 };
      for (const [method, links] of [
        ['DIRECT_DEBIT_CONSUMER', 1],
        ['INVOICE', 0],
      ] as const) {
        customerApi({
          'GET /agreements': [
            agreement({
              id: 'A-2',
              from: '2025-05-01',
              periodical_payment: { details, items: [], payment_method: method, bank_account_number: 'NL38WATT0000001117' },
            }),
          ],
          'GET /periodicalPayments': [periodical({ proposed_amount: 155, payment_method: method })],
        });
        const { unmount } = show(<PeriodicalPage />, page);
        const choose = await screen.findByRole('link', { name: /^Choose/ });
        const advice = screen.getByText(/you come out around zero\.$/);
        const sum = document.querySelector('[data-outcome] dl') as HTMLElement;
        for (const [before, after] of [
          [sum, advice],
          [advice, choose],
        ] as const)
          expect(before.compareDocumentPosition(after)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
        expect(screen.getByText('Account number (IBAN)')).toBeVisible();
        const change = screen.queryAllByRole('link', { name: 'Change bank account' });
        expect(change.map((a) => a.getAttribute('href'))).toEqual(links ? ['/iban'] : []);
        unmount();
      }
      customerApi();
      show(<UpdateTermAmount {...overlay()} />, page);
      expect(await field()).toHaveAccessibleDescription(/^Choose an amount from €\s90,00 to €\s180,00\.$/);
    },
  );

  row('9-term-amount-fits', 'under € 25 or 2% of the year the amount fits, and nothing is advised', async () => {
    const [solid, others] = [new Set<string>(), new Set<string>()];
    for (const [cost, paid, fit] of [
      [1529, 750, true], // € 29 on € 1.529
      [1531, 750, false],
      [1471, 750, true],
      [824, 50, true], // € 24 on € 824
      [825, 50, false], // not below € 25
      [826, 50, false],
      [776, 50, true], // a refund of € 24
      [774, 50, false],
      [1500, 720.01, true],
      [1500, 720, false], // 2%
    ] as const) {
      const year = { expected_cost: cost, paid, months_left: 6, months_unchanged: 0, settles_on: '2027-05-01' };
      const advised = Math.ceil((cost - paid) / 6);
      customerApi({ 'GET /periodicalPayments': [periodical({ proposed_amount: advised, year_end: year })] });
      const { unmount } = show(<PeriodicalPage />, page);
      await waitFor(() => expect(outcome()).toHaveTextContent('annual statement on 01-05-2027'));
      expect(outcome()?.getAttribute('data-outcome') === 'even', String(cost)).toBe(fit);
      const rest = Math.round((paid + 6 * 125 - cost) * 100) / 100;
      const sum = `€ ${Math.abs(rest).toFixed(2).replace('.', ',')}`;
      const says = (outcome()?.textContent ?? '').replaceAll('\u00a0', ' ');
      expect(says.startsWith(`You come out about even: ${sum} ${rest < 0 ? 'to pay' : 'back'}`), says).toBe(fit);
      expect(says.endsWith(`${rest < 0 ? 'You pay extra' : 'You get back'}${sum}`), 'the sum has the same amount').toBe(true);
      expect(outcome()).toHaveTextContent(/Still to pay: 6 × € 125,00/);
      expect(screen.queryAllByText(/around zero/), String(cost)).toHaveLength(fit ? 0 : 1);
      for (const a of screen.getAllByRole('link')) (/^Choose/.test(a.textContent ?? '') ? solid : others).add(a.className);
      expect(screen.queryAllByRole('link', { name: /^Choose/ }), String(cost)).toHaveLength(fit ? 0 : 1);
      unmount();
    }
    show(<TermAmountTile />, { at: '/dashboard' });
    await waitFor(() => expect(outcome()).toHaveTextContent('You will probably pay € 30,00 extra'));
    cleanup();
    const year = { expected_cost: 1510.57, paid: 750, months_left: 6, months_unchanged: 0, settles_on: '2027-05-01' };
    customerApi({ 'GET /periodicalPayments': [periodical({ year_end: year })] });
    show(<TermAmountTile />, { at: '/dashboard' });
    await waitFor(() => expect(outcome()).toHaveTextContent('You come out about even: € 10,57 to pay'));
    cleanup();
    expect(solid.size).toBe(1);
    expect(
      [...solid].filter((look) => others.has(look)),
      'only the advised amount has a solid button',
    ).toEqual([]);
  });

  row('2.3-update-id-reconcile', 'the parameter is the identifier with sequence', async () => {
    customerApi({
      'GET /periodicalPayments': [
        periodical({ agreement_identifier_with_sequence: 'A-1', current_amount: 99 }),
        periodical({ agreement_identifier_with_sequence: 'A-2' }),
      ],
    });
    show(<UpdateTermAmount {...overlay('A-1')} />, page);
    expect(await field()).toHaveValue('99,00');
    cleanup();
    show(<UpdateTermAmount {...overlay('A')} />, page);
    expect(await screen.findByText('You have no monthly amount')).toBeVisible();
  });

  const refusals: [id: string, typed: string, text: RegExp][] = [
    ['5.6-amount-range', '89,99', /^Choose an amount between the lowest and the highest.*from €\s90,00 to €\s180,00/],
    ['5.6-amount-range', '180,01', /^Choose an amount between the lowest and the highest.*from €\s90,00 to €\s180,00/],
    ['5.6-amount-differs', '125,00', /This is what you pay now/],
  ];
  for (const [id, typed, text] of refusals)
    row(id, `${typed} is refused`, async () => {
      const api = customerApi();
      show(<UpdateTermAmount {...overlay()} />, page);
      const input = await type('130');
      await userEvent.clear(input);
      await userEvent.type(input, typed);
      await userEvent.click(save());
      expect(input).toHaveAccessibleDescription(text);
      expect(sent(api)).toEqual([]);
    });

  row('5.6-amount-range', 'minimum and maximum can be chosen', async () => {
    for (const [typed, amount] of [
      ['90', 90],
      ['180', 180],
    ] as const) {
      const api = customerApi({ 'PUT /periodicalPayments/{id}': periodical(pending) });
      const { unmount } = show(<UpdateTermAmount {...overlay()} />, page);
      await type(typed);
      await userEvent.click(save());
      await waitFor(() => expect(sent(api)[0]?.[1]).toEqual({ request_periodical_payment_amount: amount }));
      unmount();
    }
  });

  row('5.6-amount-decimals', 'only digits and two decimals can be typed', async () => {
    customerApi();
    show(<UpdateTermAmount {...overlay()} />, page);
    expect(await type('13a0-,505')).toHaveValue('130,50');
  });

  row(['5.6-stepper-slider', '5.6-slider-marker'], 'stepper and slider stay in the range; the advice is marked', async () => {
    customerApi({ 'GET /periodicalPayments': [periodical({ current_amount: 179.5 })] });
    show(<UpdateTermAmount {...overlay()} />, page);
    const input = await field();
    expect(slider()).toHaveAttribute('min', '9000');
    expect(slider()).toHaveAttribute('max', '18000');
    const more = screen.getByRole('button', { name: /^More/ });
    const less = screen.getByRole('button', { name: /^Less/ });
    const marker = screen.getByText('We advise € 140,00');
    expect(marker.style.left, '5.6-slider-marker').toMatch(/^calc\(55\.55/); // (140 - 90) / (180 - 90)
    await userEvent.click(more);
    expect(input).toHaveValue('180,00');
    await userEvent.click(more);
    expect(input).toHaveValue('180,00');
    fireEvent.change(slider(), { target: { value: '99999' } });
    expect(input).toHaveValue('180,00');
    expect(more).toHaveAttribute('aria-disabled', 'true');
    expect(more).toHaveAccessibleDescription('It cannot be higher');
    fireEvent.keyDown(slider(), { key: 'ArrowRight' });
    expect(input).toHaveValue('180,00');
    fireEvent.keyDown(slider(), { key: 'Home' });
    expect(input).toHaveValue('90,00');
    expect(less).toHaveAttribute('aria-disabled', 'true');
    expect(less).toHaveAccessibleDescription('It cannot be lower');
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(input).toHaveValue('90,00');
    await userEvent.click(less);
    expect(input).toHaveValue('90,00');
    await type('90,5');
    await userEvent.click(less);
    expect(input).toHaveValue('90,00');
    expect(marker).toBeVisible();
  });

  test('the year-end outcome follows the slider', async () => {
    customerApi();
    show(<UpdateTermAmount {...overlay()} />, page);
    await field();
    expect(outcome()).toHaveTextContent('You will probably pay € 180,00 extra'); // 750 + 6 × 125 − 1680
    await type('170');
    expect(outcome()).toHaveTextContent('You will probably get back € 90,00');
    await type('160');
    expect(outcome()).toHaveTextContent('You come out about even: € 30,00 back'); // below 2% of the year
    await type('155');
    expect(outcome()).toHaveTextContent('You come out exactly even');
    expect(outcome()).toHaveAttribute('role', 'status');
    expect(outcome()).toHaveTextContent('01-05-2027');
  });

  row('8-term-amount-failed', async () => {
    for (const answer of [
      refuse(500, 'internal'),
      refuse(409, 'change_pending'),
      refuse(400, 'invalid', [{ field: 'request_periodical_payment_amount', code: 'billing.amount_range' }]),
    ]) {
      const api = customerApi({ 'PUT /periodicalPayments/{id}': answer });
      const props = overlay();
      show(<UpdateTermAmount {...props} />, page);
      const input = await type('150');
      expect(screen.queryByText('Error with updating of periodical payment!')).toBeNull();
      await userEvent.click(save());
      expect(await screen.findByText('Error with updating of periodical payment!')).toBeVisible();
      expect(sent(api)).toHaveLength(1);
      expect(input).toHaveValue('150,00');
      expect(props.close).not.toHaveBeenCalled();
      cleanup();
    }
  });

  test('a change requested in the meantime replaces the form', async () => {
    customerApi({ 'GET /periodicalPayments': [periodical({ ...pending, reason: 'billing.term_amount_pending' })] });
    show(<UpdateTermAmount {...overlay()} />, page);
    expect(await screen.findByText(/Being changed to/)).toHaveTextContent('€ 150,00');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  row('6-impersonator-periodical', 'opened by deep link, the form cannot be saved', async () => {
    const api = customerApi();
    show(<UpdateTermAmount {...overlay()} />, { ...page, ...impersonated });
    expect(await field()).toHaveAttribute('readonly');
    expect(save()).toHaveAccessibleDescription(/only viewing this portal/);
    await userEvent.click(save());
    expect(sent(api)).toEqual([]);
  });
});

row('2.3-overlay-monthly-amount-info', 'explains the monthly amount', () => {
  show(<MonthlyAmountInfo />, page);
  expect(screen.getByText(/twelve equal parts/)).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
});

test('the tile adds up current agreements and shows the next collection', async () => {
  customerApi({
    'GET /periodicalPayments': [
      periodical(),
      periodical({ agreement_identifier_with_sequence: 'B-1', current_amount: 61.5, next_collection: '2026-11-25' }),
      periodical({ agreement_identifier_with_sequence: 'A-1', reason: 'billing.term_amount_ended' }),
    ],
  });
  show(<TermAmountTile />, { at: '/dashboard' });
  expect(await screen.findByText('€ 186,50')).toBeVisible();
  expect(screen.getByText(/per month for 2 contracts · next collection/)).toHaveTextContent('25-11-2026');
});

row('9-dashboard-folded', 'on a phone the title row has what will probably be paid extra or come back', async () => {
  const year = { expected_cost: 1700, paid: 800, months_left: 5, months_unchanged: 0, settles_on: '2027-04-01' };
  for (const [more, want] of [
    [{}, /^€ 125,00probably € 275,00 extra$/],
    [{ year_end: { ...year, expected_cost: 1345 } }, /^€ 125,00probably € 80,00 back$/],
    [{ year_end: { ...year, expected_cost: 1453 } }, /^€ 125,00$/], // € 28 on € 1.453: it fits
    [{ year_end: { ...year, expected_cost: 1455 } }, /^€ 125,00probably € 30,00 extra$/],
    [{ requested_new_amount: 180 }, /^€ 125,00$/], // the figures apply to the previous amount
    [{ year_end: undefined }, /^€ 125,00$/],
  ] as const) {
    customerApi({ 'GET /periodicalPayments': [periodical({ current_amount: 125, year_end: year, ...more } as object)] });
    const { container } = show(<TermAmountSummary />, { at: '/dashboard' });
    await waitFor(() => expect(container.textContent?.replaceAll('\u00a0', ' ')).toMatch(want));
    cleanup();
  }
});

row('9-dashboard-folded', 'the title row has the amount of all running contracts, and nothing without one', async () => {
  customerApi({
    'GET /periodicalPayments': [
      periodical({ current_amount: 125 }),
      periodical({ agreement_identifier_with_sequence: 'A-3', current_amount: 61.5 }),
      periodical({ agreement_identifier_with_sequence: 'A-1', reason: 'billing.term_amount_ended' }),
    ],
  });
  const { container } = show(<TermAmountSummary />, { at: '/dashboard' });
  await waitFor(() => expect(container).toHaveTextContent(/^€ 186,50$/));
  expect(sumRunning([])).toEqual({ running: [], total: undefined });
});
