import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { type FakePortalProps, type FakeRequest, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { clearToasts, Toasts } from '@wattle/ui';
import kitEn from '@wattle/ui/messages/en.json';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Basket, Order } from './api';
import type { components } from './api.gen';
import Cart from './cart';
import CheckoutPage from './checkout-page';
import en from './messages/en.json';
import { basket, beach, impersonated, item, marketProject, memberApi, order, project, settings, show } from './testing';

afterEach(clearToasts);
const full = basket(
  item('1', 24),
  item('2', 2, 100, { project_code: 'ZON', project_name: 'Zonneveld', address: beach }),
  item('3', 1),
);
const projects = [
  project('WND-WJ'),
  project('ZON', {
    project_name: 'Zonneveld',
    statutes_location: '',
    administration_costs: [{ from_date: '2020-01-01', amount: 7.5 }],
  }),
];
const api = (content: Basket = full, more: Record<string, unknown> = {}) =>
  memberApi({ 'GET /sustainable/basket': content, 'GET /sustainable/projects': projects, ...more });
function Here() {
  return <output aria-label="where">{useLocation().pathname}</output>;
}
const open = (more: Partial<FakePortalProps> = {}) =>
  show(
    <>
      <Cart hide={() => undefined} />
      <CheckoutPage />
      <Here />
      <Toasts />
    </>,
    { at: '/checkout', ...more },
  );
const button = () => screen.findByRole('button', { name: 'Order and pay' });
const boxes = () => screen.getAllByRole('checkbox');
const checkAllBoxes = async () => {
  await button();
  for (const box of boxes()) await userEvent.click(box);
};
const placed = (calls: FakeRequest[]) => calls.filter((c) => c.path === '/sustainable/basket/order');
const outcome = (status: string, left: Basket) => ({ 'POST /sustainable/basket/order': { status, basket: left } });

describe('checkout', () => {
  row('2.1-checkout-route', 'shows offers, date, terms and price', async () => {
    api();
    open();
    await button();
    for (const name of ['What you buy', 'Transfer date', 'Terms', 'Cooling-off period', 'Your order'])
      expect(screen.getByRole('region', { name: new RegExp(name) })).toBeVisible();
    const what = within(screen.getByRole('region', { name: /What you buy/ }));
    await what.findAllByText(/running since/);
    expect(what.getAllByRole('listitem').map((l) => l.textContent?.replaceAll('\u00a0', ' '))).toEqual([
      'Windpark Westerwind24 shares × € 49,00running since 2016 · 312 kWh per share in 2025For your connection: Molenweg 12 A, Grootegast€ 1.176,00Remove',
      'Zonneveld2 shares × € 100,00For your connection: Strandweg 1, Grootegast€ 200,00Remove',
      'Windpark Westerwind1 share × € 49,00running since 2016 · 312 kWh per share in 2025For your connection: Molenweg 12 A, Grootegast€ 49,00Remove',
    ]);
    expect(screen.getByRole('region', { name: 'Your order' })).toHaveTextContent(/To be paid now.*€ 1.425/);
  });

  row(
    '9-checkout-summary',
    'above the button is each purchase with number and price, the day, and what is paid when',
    async () => {
      api();
      open();
      const place = await button();
      const summary = screen.getByRole('region', { name: 'Your order' });
      const lines = () => [...summary.querySelectorAll('dl > *')].map((d) => d.textContent?.replaceAll('\u00a0', ' '));
      await waitFor(() =>
        expect(lines(), '9-checkout-summary').toEqual([
          'Transfer date21-12-2026',
          'Windpark Westerwind 24 × € 49,00€ 1.176,00',
          'Windpark Westerwind 1 × € 49,00€ 49,00',
          'Zonneveld 2 × € 100,00€ 200,00',
          'To be paid now€ 1.425,00',
          'Administration costs Windpark Westerwind€ 10,00',
          'Administration costs Zonneveld€ 7,50You do not pay these costs with this order. They apply to a transfer on 21-12-2026.',
          'Total, with what you pay later€ 1.442,50',
        ]),
      );
      expect(summary.querySelectorAll('dl'), 'one receipt').toHaveLength(1);
      const when = within(summary).getByText(/^Then you go to the payment page of your bank/);
      expect(when.compareDocumentPosition(place), '9-checkout-summary').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    },
  );

  row('9-checkout-why', 'the box of the cooling-off period comes with why it is there', async () => {
    api();
    open();
    await button();
    const part = screen.getByRole('region', { name: /Cooling-off period/ });
    const why = within(part).getByText(/^You have 14 days to change your mind\. .* only if you ask us to\.$/);
    expect(why.compareDocumentPosition(within(part).getByRole('checkbox')), '9-checkout-why').toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
  });

  row('9-checkout-steps', 'a step that is complete has a check mark instead of its number', async () => {
    api();
    open();
    await button();
    const numbers = () =>
      screen.getAllByRole('heading', { level: 2 }).flatMap((h) => {
        const mark = h.querySelector('i');
        return mark ? [mark.textContent || 'done'] : [];
      });
    expect(numbers(), '9-checkout-steps').toEqual(['done', 'done', '3', '4']);
    await userEvent.click(boxes()[0] as HTMLElement);
    expect(numbers(), 'one of two projects').toEqual(['done', 'done', '3', '4']);
    await userEvent.click(boxes()[1] as HTMLElement);
    expect(numbers()).toEqual(['done', 'done', 'done', '4']);
    await userEvent.click(boxes()[2] as HTMLElement);
    expect(numbers()).toEqual(['done', 'done', 'done', 'done']);
    await userEvent.clear(screen.getByRole('textbox', { name: 'Transfer on (from 21-12-2026)' }));
    expect(numbers(), 'a step can be undone').toEqual(['done', '2', 'done', 'done']);
  });

  row('2.1-offers-back-link', 'a link back to the offers', async () => {
    api();
    open();
    const summary = await screen.findByRole('region', { name: 'Your order' });
    expect(within(summary).getByRole('link', { name: 'See the offers' })).toHaveAttribute('href', '/offers');
  });

  row('5.7-checkout-checkboxes', 'a checkbox per project and one for the withdrawal period, all required', async () => {
    const calls = api(full, outcome('SUCCESS', basket())).calls;
    open();
    const place = await button();
    expect(boxes()).toHaveLength(3); // two projects, one of them with two offers, and the withdrawal period
    for (const left of [0, 1, 2]) {
      for (const [i, box] of boxes().entries())
        if ((box as HTMLInputElement).checked === (i === left)) await userEvent.click(box);
      expect(place).toHaveAttribute('aria-disabled', 'true');
      await userEvent.click(place);
    }
    expect(placed(calls)).toEqual([]);
    await userEvent.click(boxes()[2] as HTMLElement);
    expect(place).not.toHaveAttribute('aria-disabled');
  });

  row('9-submit-reasons', 'next to the button is what each step still needs, with links to the fields', async () => {
    api();
    open();
    expect(await button()).toHaveAccessibleDescription('2 steps left:'); // the terms of two projects are one step
    const summary = within(screen.getByRole('region', { name: 'Your order' }));
    const missing = () => summary.queryAllByRole('listitem').map((l) => l.textContent);
    expect(missing(), '9-submit-reasons').toEqual([
      'Tick the terms of Windpark Westerwind',
      'Tick the terms of Zonneveld',
      'Tick that we may start right away',
    ]);
    await userEvent.click(await button());
    expect(boxes()[0], 'a press leads to the first').toHaveFocus();
    await userEvent.click(summary.getByRole('link', { name: 'Tick the terms of Zonneveld' }));
    expect(boxes()[1]).toHaveFocus();
    await userEvent.keyboard(' ');
    expect(missing()).toEqual(['Tick the terms of Windpark Westerwind', 'Tick that we may start right away']);
    await userEvent.click(await button());
    expect(boxes()[0], 'a press leads to the first').toHaveFocus();
    await userEvent.keyboard(' ');
    expect(await button()).toHaveAccessibleDescription('One step left:');
    expect(screen.getByText('One step left:', { selector: 'div > span' }), '9-submit-reasons').toBeVisible();
    cleanup();
    api(basket(item('1', 24)));
    open();
    await button();
    expect(screen.getByRole('link', { name: 'Tick the terms' }), 'the only project needs no name').toBeVisible();
  });

  test('documents open in a new tab and are marked PDF; a missing one is no link', async () => {
    const calls = api().calls;
    open();
    await screen.findAllByRole('link', { name: /PDF/ });
    const terms = within(screen.getByRole('region', { name: /Terms/ }));
    expect(terms.getAllByRole('link').map((l) => [l.textContent, l.getAttribute('href'), l.getAttribute('target')])).toEqual([
      ['articles of association (PDF) (opens in a new tab)', '/documents/statutes.pdf', '_blank'],
      ['member agreement (PDF) (opens in a new tab)', '/documents/member-agreement.pdf', '_blank'],
      ['member agreement (PDF) (opens in a new tab)', '/documents/member-agreement.pdf', '_blank'],
    ]);
    expect(calls.find((c) => c.path === '/sustainable/projects')?.query).toEqual({ projectCodes: 'WND-WJ,ZON' });
  });

  row('5.7-checkout-date-min', 'a day before the earliest one is refused, with a text', async () => {
    const calls = api().calls;
    open();
    await checkAllBoxes();
    const day = screen.getByRole('textbox', { name: 'Transfer on (from 21-12-2026)' });
    expect(day).toHaveValue('21-12-2026');
    await userEvent.clear(day);
    await userEvent.type(day, '20-12-2026');
    expect(day).toHaveAccessibleDescription(/This day is too soon/);
    expect(await button()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(await button());
    expect(placed(calls)).toEqual([]);
    await userEvent.click(screen.getByRole('link', { name: 'Choose another transfer date' }));
    expect(day).toHaveFocus();
    await userEvent.clear(day);
    await userEvent.type(day, '5-1-2027');
    expect(await button()).not.toHaveAttribute('aria-disabled');
  });

  row(
    ['5.7-checkout-date-default', '3-basket-start-date-alias'],
    'without an earliest date it is today plus 31 days, or the date under its alias',
    async () => {
      const bare = { items: full.items, total_amount: full.total_amount };
      for (const [content, day] of [
        [bare, '21-12-2026'],
        [{ ...bare, start_date: '2027-03-01' }, '01-03-2027'],
        [{ ...bare, first_valid_start_date: '2027-02-01', start_date: '2027-03-01' }, '01-02-2027'],
      ] as const) {
        api(content as Basket);
        const page = open();
        expect(await screen.findByRole('textbox', { name: `Transfer on (from ${day})` })).toHaveValue(day);
        page.unmount();
      }
    },
  );

  row('2.1-checkout-costs', 'shows the costs that apply on the transfer date', async () => {
    api();
    open();
    const summary = await screen.findByRole('region', { name: 'Your order' });
    await waitFor(() => expect(summary).toHaveTextContent(/Administration costs Windpark Westerwind€ 10,00/));
    expect(summary).toHaveTextContent(/Zonneveld.*€ 7,50/);
    const day = screen.getByRole('textbox', { name: 'Transfer on (from 21-12-2026)' });
    await userEvent.clear(day);
    await userEvent.type(day, '31-12-2026');
    expect(summary).toHaveTextContent(/Windpark Westerwind€ 10,00/);
    await userEvent.clear(day);
    await userEvent.type(day, '1-1-2027');
    expect(summary).toHaveTextContent(/Windpark Westerwind€ 12,50/);
    expect(summary).toHaveTextContent(/Zonneveld.*€ 7,50/);
  });

  row('9-checkout-now', 'costs that are not charged with the order stand apart, and no sum without them is a total', async () => {
    api();
    open();
    const summary = await screen.findByRole('region', { name: 'Your order' });
    await waitFor(() => expect(summary).toHaveTextContent(/You do not pay these costs with this order\..*21-12-2026/));
    expect(within(summary).getByText('To be paid now', { selector: 'dt' }).nextElementSibling).toHaveTextContent('€ 1.425,00');
    await userEvent.click(screen.getByRole('button', { name: /Basket/ }));
    expect(await screen.findByText('Shares together')).toBeVisible();
    expect(document.body.textContent?.match(/total/gi), '9-checkout-now').toHaveLength(1);
    expect(summary).toHaveTextContent(/Total, with what you pay later€ 1\.442,50/);
    // in the label's own words, if it has any
    cleanup();
    api();
    open({ messages: { ...kitEn, ...en, 'marketplace.checkout.costs_later': 'You pay these later, after {day}.' } });
    expect(await screen.findByText('You pay these later, after 21-12-2026.')).toBeVisible();
    expect(screen.queryByText(/You do not pay these costs/)).toBeNull();
  });
  test('nothing is said about costs that there are not', async () => {
    api(full, { 'GET /sustainable/projects': projects.map((p) => ({ ...p, administration_costs: [] })) });
    open();
    await screen.findAllByRole('link', { name: /PDF/ });
    expect(document.body).not.toHaveTextContent(/You do not pay these costs|total/i);
  });

  row('9-checkout-project', 'each line has its project with picture, year and yield, as far as they are known', async () => {
    const market = [
      marketProject('WND-WJ'),
      {
        project_code: 'ZON',
        project_name: 'Zonneveld',
        project_type: 'SOLAR',
        place: '',
        project_start_date: null,
        offer_count: 1,
      },
    ];
    api(full, { 'GET /sustainable/market/projects': market });
    open({ portal: { projects: { 'WND-WJ': { picture: '/assets/west.webp' } } } });
    await button();
    const [wind, sun] = within(screen.getByRole('region', { name: /What you buy/ })).getAllByRole('listitem');
    await waitFor(() => expect(wind).toHaveTextContent(/running since 2016 · 312 kWh per share in 2025/));
    expect(wind?.querySelector('img')).toHaveAttribute('src', '/assets/west.webp');
    expect(sun).not.toHaveTextContent(/running|kWh/);
    expect(sun?.querySelector('svg')).not.toBeNull();
    for (const line of [wind, sun])
      expect(within(line as HTMLElement).getByRole('button', { name: /^Remove .* from your basket$/ }).textContent).toBe(
        'Remove',
      );
  });

  const charging = { settings: { ...settings, order: { ...settings.order, administration_costs: true } } };
  row(
    '9-order-costs',
    'where the label charges them, the costs of each project on the transfer date are in what is paid',
    async () => {
      const { calls } = api(full, outcome('BASKET_CHANGED', full));
      open(charging);
      const summary = await screen.findByRole('region', { name: 'Your order' });
      await waitFor(() => expect(summary).toHaveTextContent(/To be paid.*€ 1\.442,50/));
      expect(summary).toHaveTextContent(
        /Windpark Westerwind 1 × € 49,00€ 49,00Administration costs€ 10,00Zonneveld 2 × € 100,00€ 200,00Administration costs€ 7,50To be paid/,
      );
      expect(summary).not.toHaveTextContent('You do not pay these costs');
      const day = screen.getByRole('textbox', { name: 'Transfer on (from 21-12-2026)' });
      await userEvent.clear(day);
      await userEvent.type(day, '1-1-2027');
      expect(summary).toHaveTextContent(/To be paid.*€ 1\.445,00/);
      await checkAllBoxes();
      const before = calls.filter((c) => c.path === '/sustainable/projects').length;
      await userEvent.click(await button());
      expect(placed(calls)[0]?.body).toMatchObject({ start_date: '2027-01-01', amount_due: 1445 });
      // the costs differ from those shown, so nothing was ordered, and the costs are fetched again
      expect(await screen.findByRole('alert')).toHaveTextContent('Your basket has changed. Check it and order again.');
      await waitFor(() => expect(calls.filter((c) => c.path === '/sustainable/projects')).toHaveLength(before + 1));
    },
  );
  test('without the costs nothing can be ordered where they are charged', async () => {
    const { calls } = api(full, { 'GET /sustainable/projects': refuse(404, 'not_found') });
    open(charging);
    await checkAllBoxes();
    const summary = within(screen.getByRole('region', { name: 'Your order' }));
    await userEvent.click(await button());
    await userEvent.click(await summary.findByRole('link', { name: 'Fetch the administration costs again' }));
    await userEvent.click(await button());
    expect(placed(calls)).toEqual([]);
  });

  const ordered = (content: Partial<Order>, more: Record<string, unknown> = {}) => {
    const fake = api(full, {
      'POST /sustainable/basket/order': () => {
        fake.answers['GET /sustainable/basket'] = basket();
        return { status: 'SUCCESS', basket: basket(), order: order('1', content) };
      },
      ...more,
    });
    return fake;
  };
  row(
    ['4-checkout-success', '9-withdrawal-reconcile', '9-basket-as-shown'],
    'the basket is empty, and the payment page opens in this tab, with the orders behind it',
    async () => {
      const go = vi.spyOn(window, 'open').mockReturnValue(null);
      const fake = ordered({ status: 'CREATED' }, { 'POST /sustainable/orders/{id}/paylink': { url: 'https://pay.example/1' } });
      open();
      await checkAllBoxes();
      await userEvent.click(await button());
      await waitFor(() => expect(go.mock.calls).toEqual([['https://pay.example/1', '_self']]));
      await waitFor(() => expect(screen.getByRole('status', { name: 'where' })).toHaveTextContent('/my-orders'));
      expect(await screen.findByRole('button', { name: 'Basket: 0' })).toBeVisible();
      expect(screen.queryByText('Your basket is empty')).toBeNull();
      expect(placed(fake.calls)[0]?.body).toEqual({
        waiveWithdrawalPeriod: true,
        basket: full,
        start_date: '2026-12-21',
        amount_due: 1425,
      });
      expect(placed(fake.calls)[0]?.headers.get('idempotency-key')).toBeTruthy();
    },
  );
  row('4-checkout-success', 'without a payment page the orders open, with a message', async () => {
    const go = vi.spyOn(window, 'open').mockReturnValue(null);
    for (const [due, problem, text] of [
      [1176, refuse(503, 'unavailable'), 'Your order is placed. You can pay for it here.'],
      [0, refuse(409, 'marketplace.not_payable'), 'Your order is placed.'],
    ] as const) {
      ordered({ amount_due: due }, { 'POST /sustainable/orders/{id}/paylink': problem });
      const page = open();
      await checkAllBoxes();
      await userEvent.click(await button());
      expect(await screen.findByText(text)).toBeVisible();
      await waitFor(() => expect(screen.getByRole('status', { name: 'where' })).toHaveTextContent('/my-orders'));
      expect(go).not.toHaveBeenCalled();
      page.unmount();
      clearToasts();
    }
  });

  row('8-place-order-status', 'each status is in an alert, followed by a sentence', async () => {
    const sentences: Record<Exclude<components['schemas']['Placed']['status'], 'SUCCESS'> | 'OF_LATER', string> = {
      BASKET_EMPTY: 'Your basket is empty.',
      OFFER_UNAVAILABLE: 'Part of it was sold meanwhile and is out of your basket.',
      START_DATE_INVALID: 'Choose a later transfer date.',
      BASKET_CHANGED: 'Your basket has changed. Check it and order again.',
      WITHDRAWAL_NOT_WAIVED: 'Try again later.', // the page always sends the waiver
      OF_LATER: 'Try again later.',
    };
    for (const [status, sentence] of Object.entries(sentences)) {
      api(full, outcome(status, basket(item('1', 24))));
      const page = open();
      await checkAllBoxes();
      await userEvent.click(await button());
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toBe(`Error: Not ordered: ${status}${sentence}`);
      // the basket in the response is shown
      expect(within(screen.getByRole('region', { name: /What you buy/ })).getAllByRole('listitem')).toHaveLength(1);
      expect(screen.getByRole('status', { name: 'where' })).toHaveTextContent('/checkout');
      page.unmount();
    }
  });

  row('4-checkout-emptied', 'returns to the offers with the reason', async () => {
    api(full, outcome('OFFER_UNAVAILABLE', basket()));
    open();
    await checkAllBoxes();
    await userEvent.click(await button());
    await waitFor(() => expect(screen.getByRole('status', { name: 'where' })).toHaveTextContent('/offers'));
    expect(await screen.findByText(/OFFER_UNAVAILABLE.*sold meanwhile/)).toBeVisible();
  });

  row('8-place-order-thrown', 'shows its own message, and nothing is lost', async () => {
    for (const [problem, text] of [
      [refuse(409, 'marketplace.shares_gone'), 'These shares are no longer available.'],
      [refuse(503, 'unavailable'), 'We cannot be reached right now.'],
    ] as const) {
      api(full, { 'POST /sustainable/basket/order': problem });
      open();
      await checkAllBoxes();
      await userEvent.click(await button());
      expect(await screen.findByRole('alert')).toHaveTextContent(text);
      expect(boxes().every((b) => (b as HTMLInputElement).checked)).toBe(true);
      cleanup();
    }
  });

  test('an empty basket redirects to the offers', async () => {
    api(basket());
    open();
    expect(await screen.findByText('Your basket is empty')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the offers' })).toHaveAttribute('href', '/offers');
  });

  test('a removed offer disappears at once', async () => {
    api(full, { 'DELETE /sustainable/basket/{identifier}': basket(item('1', 24)) });
    open();
    await button();
    await userEvent.click(screen.getByRole('button', { name: 'Remove Zonneveld from your basket' }));
    await waitFor(() => expect(boxes()).toHaveLength(2));
  });

  row('6-impersonator-all-edits-reconcile', 'an impersonator reads why nothing can be ordered or removed', async () => {
    api();
    open(impersonated);
    await checkAllBoxes();
    expect(await button()).toHaveAccessibleDescription(/only viewing/);
    const remove = screen.getAllByRole('button', { name: /^Remove .* from your basket/ });
    expect(remove.length).toBeGreaterThan(0);
    for (const one of remove) {
      expect(one).toHaveAttribute('aria-disabled', 'true');
      expect(one).toHaveAccessibleDescription(/only viewing/);
    }
  });
});
