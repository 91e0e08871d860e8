import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { type FakePortalProps, type FakeRequest, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test, vi } from 'vitest';
import type { MarketOffer } from './api';
import CreateOffer from './create-offer';
import MoveShares from './move-shares';
import MyOffersPage from './my-offers-page';
import PersonalOffersPage from './personal-offers-page';
import RedeemOffer from './redeem-offer';
import { beach, impersonated, memberApi, offer, page, participation, project, show } from './testing';

const overlay = { params: {}, close: () => undefined, setDirty: () => undefined };
const box = (name: string | RegExp) => screen.getByRole('textbox', { name });
const shares = () => screen.getByRole('spinbutton', { name: 'Shares' });
const choose = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }));
const sent = (api: ReturnType<typeof memberApi>, method: string) => api.calls.filter((c) => c.method === method);
const enter = (what: HTMLElement, value: string) => {
  fireEvent.change(what, { target: { value } });
  fireEvent.blur(what);
};

function Here() {
  return <output aria-label="where">{useLocation().pathname}</output>;
}

describe('create an offer', () => {
  const open = (more: Partial<FakePortalProps> = {}, own = {}) =>
    show(<CreateOffer {...overlay} {...own} />, { at: '/offers/create-offer', ...more });
  const save = () => screen.getByRole('button', { name: /^(Create offer|Transfer for free)$/ });
  /** Fills in an offer of 5 shares at € 49,99, starting today. */
  async function fill(kind = 'Public offer') {
    await choose(kind);
    enter(shares(), '5');
    if (kind !== 'Transfer for free') enter(box(/Price per share/), '49,99');
    if (kind !== 'Public offer') enter(box(/Email address/), 'lid@voorbeeld.example');
    await userEvent.click(screen.getByRole('button', { name: 'today: 20-11-2026' }));
  }
  const created = { 'POST /sustainable/offers': offer('1', { my_offer: true, status: 'CREATED' }) };

  row(
    [
      '2.3-overlay-create-offer',
      '3-offer-create-fields',
      '3-offer-type-enum',
      '4-offer-created-navigation',
      '5.7-offer-price-floor',
      '6-customer-edits',
    ],
    'a public offer; the fraction of its price is cut off visibly',
    async () => {
      const api = memberApi(created);
      const [onNotify, close] = [vi.fn(), vi.fn()];
      show(
        <>
          <CreateOffer {...overlay} close={close} />
          <Here />
        </>,
        { at: '/offers/create-offer', onNotify },
      );
      await fill();
      expect(await screen.findByText('5 × € 49 = € 245')).toBeVisible();
      await userEvent.click(save());
      await waitFor(() => expect(sent(api, 'POST')).toHaveLength(1));
      expect(sent(api, 'POST')[0]?.path).toBe('/sustainable/offers');
      expect(sent(api, 'POST')[0]?.body).toEqual({
        participation_identifier: 'P-1',
        project_code: 'WND-WJ',
        number_of_shares: 5,
        price: 49,
        date: '2026-11-20',
      });
      expect(sent(api, 'POST')[0]?.headers.get('Idempotency-Key')).toMatch(/.{8}/);
      await waitFor(() => expect(screen.getByRole('status', { name: 'where' })).toHaveTextContent(/^\/my-offers$/));
      expect(close).toHaveBeenCalled();
      expect(onNotify).toHaveBeenCalledWith(
        expect.objectContaining({ tone: 'good', text: expect.stringContaining('We have received your offer') }),
      );
    },
  );
  row('5.7-offer-price-floor-order', 'a fraction neither exceeds the maximum nor reaches the minimum', async () => {
    const api = memberApi(created); // from € 25 to € 60
    show(<CreateOffer {...overlay} />, { at: '/offers/create-offer' });
    await fill();
    const price = box(/Price per share/);
    for (const [typed, wrong] of [
      ['60,99', undefined],
      ['61', /Max price exceeded/],
      ['25', undefined],
      ['24,99', /Min price exceeded/],
    ] as const) {
      enter(price, typed);
      if (wrong) expect(price, typed).toHaveAccessibleDescription(wrong);
      else expect(price, typed).not.toHaveAttribute('aria-invalid');
    }
    enter(price, '60,99');
    await userEvent.click(save());
    await waitFor(() => expect(sent(api, 'POST').map((c) => (c.body as { price: number }).price)).toEqual([60]));
  });
  row(
    ['5.7-offer-buyer-email', '5.7-offer-price-personal', '3-offer-create-fields', '3-offer-type-enum'],
    'a personal offer asks for the receiver, and has no lower limit',
    async () => {
      const api = memberApi(created);
      open();
      await choose('Public offer');
      expect(screen.queryByRole('textbox', { name: /Email address/ })).toBeNull();
      expect(screen.getByText('From € 25 to € 60, in whole euros.')).toBeVisible();
      await fill('Personal offer');
      expect(screen.getByText('At most € 60, in whole euros.')).toBeVisible();
      enter(box(/Email address/), '');
      await userEvent.click(save());
      expect(box(/Email address/)).toHaveAccessibleDescription(/Fill in the email address/);
      enter(box(/Email address/), 'lid@voorbeeld.example');
      enter(box(/Price per share/), '61');
      expect(box(/Price per share/)).toHaveAccessibleDescription(/Max price exceeded/);
      enter(box(/Price per share/), '1');
      await userEvent.click(save());
      await waitFor(() => expect(sent(api, 'POST')).toHaveLength(1));
      expect(sent(api, 'POST')[0]?.path).toBe('/sustainable/offers');
      expect(sent(api, 'POST')[0]?.body).toEqual({
        participation_identifier: 'P-1',
        project_code: 'WND-WJ',
        number_of_shares: 5,
        price: 1,
        date: '2026-11-20',
        buyer_email_address: 'lid@voorbeeld.example',
      });
    },
  );
  row(['1-personal-transfer', '5.7-transfer-contract'], 'shares are transferred, on a condition that is shown', async () => {
    const api = memberApi({ 'POST /sustainable/transfers': refuse(409, 'marketplace.receiver_contract') });
    const [onNotify, close] = [vi.fn(), vi.fn()];
    open({ onNotify }, { close });
    await fill('Transfer for free');
    expect(screen.getByText('The other member needs an active electricity contract with us.')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: /Price/ })).toBeNull();
    await userEvent.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent(/Error.*This member has no active electricity contract/);
    expect(sent(api, 'POST')[0]).toMatchObject({
      path: '/sustainable/transfers',
      body: {
        participation_identifier: 'P-1',
        number_of_shares: 5,
        buyer_email_address: 'lid@voorbeeld.example',
        date: '2026-11-20',
      },
    });
    api.answers['POST /sustainable/transfers'] = refuse(404, 'marketplace.member_unknown');
    await userEvent.click(save());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We know no member with this email address'));
    expect(close).not.toHaveBeenCalled();
    api.answers['POST /sustainable/transfers'] = offer('1', { offer_publication_type: 'PRIVATE' });
    await userEvent.click(save());
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(onNotify).toHaveBeenCalledWith(
      expect.objectContaining({ tone: 'good', text: expect.stringContaining('We have received your transfer') }),
    );
    expect(new Set(sent(api, 'POST').map((c) => c.path))).toEqual(new Set(['/sustainable/transfers']));
  });
  row('5.7-offer-messages', 'refuses a price that is too high, too low or not a number, and too many shares', async () => {
    memberApi();
    open();
    await choose('Public offer');
    const price = box(/Price per share/);
    enter(price, '61');
    expect(price).toHaveAccessibleDescription(/Max price exceeded/);
    enter(price, '24,99');
    expect(price).toHaveAccessibleDescription(/Min price exceeded/);
    enter(shares(), '21');
    expect(shares()).toHaveAccessibleDescription(/Not enough shares/);
    enter(shares(), '0');
    expect(shares()).toHaveAccessibleDescription(/Invalid input/);
    enter(shares(), '');
    expect(shares(), '9-errors-own-words').toHaveAccessibleDescription(/Fill in the number of shares/);
  });
  row(
    ['5.7-offer-required', '5.7-offer-shares', '5.7-offer-date-horizon'],
    'nothing is sent before everything is filled in',
    async () => {
      const api = memberApi({
        'GET /sustainable/projects': [
          project('WND-WJ', { participations: [participation('P-1'), participation('P-2', { address: beach })] }),
        ],
      });
      open();
      const date = await screen.findByRole('textbox', { name: /Offer them from/ });
      expect(save()).toHaveAttribute('aria-disabled', 'true');
      fireEvent.submit(save().closest('form') as HTMLFormElement);
      const summary = await screen.findByRole('alert');
      expect(
        within(summary)
          .getAllByRole('link')
          .map((l) => l.getAttribute('href')),
      ).toEqual(['#participation_identifier', '#offer_type', '#number_of_shares', '#price', '#date']);
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Which shares?' }), 'P-2');
      expect(screen.getByText('You can offer 20 of 24.')).toBeVisible();
      enter(date, '19-02-2027');
      expect(date).toHaveAccessibleDescription(/Choose a day within this period/);
      enter(date, '18-02-2027');
      expect(date).not.toHaveAttribute('aria-invalid');
      expect(sent(api, 'POST')).toHaveLength(0);
    },
  );
  row(
    ['5.7-offer-price-range', '5.7-offer-allow-selling', '3-project-latest-setting'],
    'uses the setting that is valid today',
    async () => {
      memberApi({
        'GET /sustainable/projects': [
          project('WND-WJ', {
            member_offer_settings: [
              { from_date: '2026-11-21', min_price: 1, max_price: 2, allow_selling: true },
              { from_date: '2026-11-20', min_price: 30, max_price: 40, allow_selling: false },
              { from_date: '2020-01-01', min_price: 25, max_price: 60, allow_selling: true },
            ],
          }),
        ],
      });
      open();
      expect(await screen.findByText('From € 30 to € 40, in whole euros.')).toBeVisible();
      for (const control of [shares(), box(/Price per share/), save()]) {
        expect(control).toHaveAttribute('aria-disabled', 'true');
        expect(control).toHaveAccessibleDescription(/cannot be sold now/);
      }
    },
  );
  row('8-create-offer-failed', 'shows the title, the text of the code, and a retry', async () => {
    const api = memberApi({
      'POST /sustainable/offers': refuse(400, 'invalid', [{ field: 'price', code: 'marketplace.max_price' }]),
    });
    open();
    await fill();
    await userEvent.click(save());
    const alert = (await screen.findByText('Error')).closest('[role=alert]');
    expect(alert).toHaveTextContent(/Max price exceeded.*Nothing has been changed. Check it and try again/);
    expect(box(/Price per share/)).toHaveAccessibleDescription(/Max price exceeded/);
    expect(box(/Price per share/)).toHaveValue('49,99');
    api.answers['POST /sustainable/offers'] = refuse(503, 'unavailable');
    enter(box(/Price per share/), '48');
    await userEvent.click(save());
    const down = (await screen.findByText('We cannot be reached right now.')).closest('[role=alert]');
    expect(down).toHaveTextContent(/^Error: Error.*We cannot be reached right now/);
    const [first, second] = sent(api, 'POST');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(sent(api, 'POST')).toHaveLength(3));
    expect(sent(api, 'POST')[2]?.headers.get('Idempotency-Key')).toBe(second?.headers.get('Idempotency-Key'));
    expect(first?.headers.get('Idempotency-Key')).not.toBe(second?.headers.get('Idempotency-Key'));
  });
  row('9-participation-actions', 'the URL selects the participation and the kind of offer', async () => {
    memberApi({
      'GET /sustainable/projects': [project('WND-WJ', { participations: [participation('P-1'), participation('P-2')] })],
    });
    open({ at: '/participation/create-offer?kind=transfer&participation=P-2' });
    expect(await screen.findByRole('combobox', { name: 'Which shares?' })).toHaveValue('P-2');
    expect(screen.getByRole('radio', { name: 'Transfer for free' })).toBeChecked();
  });
  test('an impersonator cannot create an offer and reads why; without shares there is no form', async () => {
    memberApi();
    open(impersonated);
    await choose('Public offer');
    expect(save()).toHaveAccessibleDescription(/You are only viewing/);
    memberApi({ 'GET /sustainable/projects': [project('WND-WJ', { participations: [] })] });
    open();
    expect(await screen.findByText('You have no shares yet')).toBeVisible();
  });
});

describe('my offers', () => {
  const open = (offers: MarketOffer[], more: Record<string, unknown> = {}, props: Partial<FakePortalProps> = {}) => {
    const api = memberApi({ 'POST /sustainable/market': page(offers), ...more });
    show(<MyOffersPage />, { at: '/my-offers', ...props });
    return api;
  };
  const own = (id: string, more: Partial<MarketOffer> = {}) => offer(id, { my_offer: true, myOffer: true, ...more });
  const rowOf = async (reference: string) =>
    (await screen.findByText(new RegExp(`^· ${reference}$`))).closest('tr') as HTMLElement;
  const statuses = {
    CREATED: 'Waits for approval',
    APPROVED: 'Approved',
    ACTIVE: 'For sale',
    AVAILABLE: 'For sale',
    RESERVED: 'Reserved',
    SOLD: 'Sold',
    COMPLETED: 'Sold',
    TRANSFERRED: 'Transferred',
    REJECTED: 'Rejected',
    REVOKED: 'Retracted',
    CLOSED: 'Closed',
    AWAITING_PAYMENT: 'To be paid',
    BOUGHT: 'Paid',
    CANCELLED: 'Cancelled',
    EXPIRED: 'Expired',
    ON_HOLD: 'Being processed',
  };

  row(
    ['4-offer-item-status-enum', '4-offer-lifecycle-enum', '4-offer-item-further', '4-offer-retract-hidden'],
    'every status has a text; some can be retracted',
    async () => {
      open(Object.keys(statuses).map((status) => own(status, { status })));
      const retract: string[] = [];
      for (const [status, word] of Object.entries(statuses)) {
        const line = await rowOf(`R-${status}`);
        expect(within(line).getByText(word)).toBeVisible();
        if (within(line).queryByRole('button', { name: 'Retract' })) retract.push(status);
      }
      expect(retract).toEqual(['CREATED', 'APPROVED', 'ACTIVE', 'AVAILABLE']);
    },
  );
  row('4-rejection-reasons', 'the reasons have a text', async () => {
    const texts = {
      PARTICIPATION_UNKNOWN: /do not know these shares/,
      MULTIPLE_PARTICIPATIONS_PROJECT: /shares in this project at several addresses/,
      INSUFFICIENT_SHARES: /not have that many shares/,
      SELLING_NOT_ALLOWED: /cannot be sold now/,
      REJECTED_BY_PROVIDER: /We cannot accept this offer/,
    };
    open(Object.keys(texts).map((rejection_reason) => own(rejection_reason, { status: 'CLOSED', rejection_reason })));
    for (const [reason, text] of Object.entries(texts)) {
      const line = await rowOf(`R-${reason}`);
      expect(line).toHaveTextContent('Rejected');
      expect(line).toHaveTextContent(text);
    }
  });
  row(['2.1-my-offers-route', '5.7-shares-clamp'], 'some or all shares of an own offer are retracted', async () => {
    const onNotify = vi.fn();
    const api = open(
      [own('2', { shares: 30 }), own('1', { shares: 20, shares_offered: 24, shares_sold: 4 }), own('3', { shares: 3 })],
      { 'POST /sustainable/offers/retract': own('1') },
      { onNotify },
    );
    const line = await rowOf('R-1');
    expect(sent(api, 'POST')[0]?.body).toEqual({ filters: { my_offer: true } });
    expect(line).toHaveTextContent(/24.*4 sold.*€ 49.*01-11-2026/);
    await userEvent.click(within(line).getByRole('button', { name: 'Retract' }));
    const sheet = await screen.findByRole('dialog', { name: 'Retract offer' });
    const number = within(sheet).getByRole('spinbutton', { name: 'How many shares?' });
    expect(number).toHaveValue('20');
    expect(sheet).toHaveTextContent('The offer of Windpark Westerwind is closed');
    enter(number, '0');
    expect(number).toHaveValue('1');
    enter(number, '99');
    expect(number).toHaveValue('20');
    enter(number, '5');
    expect(sheet).toHaveTextContent('Still on offer of Windpark Westerwind: 15.');
    await userEvent.click(within(sheet).getByRole('button', { name: 'Retract' }));
    await waitFor(() => expect(onNotify).toHaveBeenCalledWith(expect.objectContaining({ text: 'Shares retracted: 5.' })));
    const bodies = sent(api, 'POST').filter((c) => c.path.endsWith('/retract'));
    expect(bodies.map((c) => c.body)).toEqual([{ reference: 'R-1', shares: 5 }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
  test('a refused retraction shows why and stays open', async () => {
    open([own('1')], { 'POST /sustainable/offers/retract': refuse(409, 'marketplace.transition') });
    await userEvent.click(within(await rowOf('R-1')).getByRole('button', { name: 'Retract' }));
    const sheet = await screen.findByRole('dialog');
    await userEvent.click(within(sheet).getByRole('button', { name: 'Retract' }));
    expect(await within(sheet).findByRole('alert')).toHaveTextContent(/Something went wrong.*This is no longer possible/);
  });
  test('shows the code of a personal offer, with a copy button', async () => {
    const user = userEvent.setup();
    open([own('1', { offer_publication_type: 'DIRECT', direct_offer_code: 'ABCDEFGHJK2', private_offer: true })]);
    const line = await rowOf('R-1');
    expect(within(line).getByText('ABCDEFGHJK2')).toBeVisible();
    await user.click(within(line).getByRole('button', { name: 'Copy code' }));
    expect(await within(line).findByText('Copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('ABCDEFGHJK2');
  });
  row(['9-market-page-size', '9-market-page-base'], 'ten per page; page 2 on screen is page 1 of the API', async () => {
    const many = Array.from({ length: 10 }, (_, i) => own(`${i}`));
    const api = open(many, {
      'POST /sustainable/market': ({ query }: FakeRequest) =>
        page(query.page === '1' ? [own('last')] : many, { number: Number(query.page), totalElements: 11, totalPages: 2 }),
    });
    await rowOf('R-0');
    expect(sent(api, 'POST')[0]?.query).toMatchObject({ page: '0', size: '10' });
    await userEvent.click(screen.getByRole('button', { name: 'Page 2' }));
    await rowOf('R-last');
    expect(sent(api, 'POST')[1]?.query).toMatchObject({ page: '1', size: '10' });
  });
  test('no offers, a failed list, and impersonation', async () => {
    open([]);
    expect(await screen.findByText('You have no offers')).toBeVisible();
    open([], { 'POST /sustainable/market': refuse(503, 'unavailable') });
    expect(await screen.findByText('This could not be loaded')).toBeVisible();
    open([own('1')], {}, impersonated);
    expect(within(await rowOf('R-1')).getByRole('button', { name: 'Retract' })).toHaveAccessibleDescription(/only viewing/);
  });
});

describe('redeem a code', () => {
  const open = (more: Record<string, unknown>, props: Partial<FakePortalProps> = {}) => {
    const api = memberApi(more);
    show(<RedeemOffer {...overlay} />, { at: '/personal-offers/redeem-offer', ...props });
    return api;
  };
  const code = () => screen.getByRole('textbox', { name: 'Code' });
  const save = () => screen.getByRole('button', { name: 'Redeem' });
  row(['2.3-overlay-redeem-offer', '8-redeem-success'], 'shows what was added, and where', async () => {
    const api = open({ 'POST /sustainable/activation/direct/{id}': { offer: offer('1', { shares: 6 }) } });
    await userEvent.type(code(), ' ABCDEFGHJK2 ');
    await userEvent.click(save());
    expect(await screen.findByRole('heading', { name: 'Success' })).toBeVisible();
    expect(screen.getByText('Now among your personal offers: Windpark Westerwind, 6 × € 49.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'To your personal offers' })).toHaveAttribute('href', '/personal-offers');
    expect(api.calls[0]?.path).toBe('/sustainable/activation/direct/ABCDEFGHJK2');
  });
  row('7.6-activation-effect', 'the offer is then among the personal offers', async () => {
    const api = memberApi({
      'POST /sustainable/activation/direct/{id}': () => {
        api.answers['GET /sustainable/market'] = [offer('1', { offer_publication_type: 'DIRECT', private_offer: true })];
        return { offer: offer('1') };
      },
    });
    const both = (
      <>
        <PersonalOffersPage />
        <RedeemOffer {...overlay} />
      </>
    );
    show(both, { at: '/personal-offers/redeem-offer' });
    expect(await screen.findByText('There are no offers for you now')).toBeVisible();
    await userEvent.type(code(), 'ABCDEFGHJK2');
    await userEvent.click(save());
    expect(await screen.findByRole('region', { name: /Windpark Westerwind/ })).toBeVisible();
    expect(screen.queryByText('There are no offers for you now')).toBeNull();
  });
  row(
    ['8-redeem-invalid-code', '5.7-redeem-length', '7.6-activation-effect'],
    'the form and the server show the same text',
    async () => {
      for (const [locale, text, status] of [
        ['nl', 'Ongeldige code', 404],
        ['en', 'Invalid code', 400],
        ['en', 'Invalid code', 409],
      ] as const) {
        const api = open({ 'POST /sustainable/activation/direct/{id}': refuse(status, 'marketplace.code_unknown') }, { locale });
        const [field] = screen.getAllByRole('textbox', { name: 'Code' }).slice(-1) as [HTMLElement];
        const [button] = screen.getAllByRole('button', { name: /Redeem|Inwisselen/ }).slice(-1) as [HTMLElement];
        enter(field, 'ABCDEFGHJK');
        expect(field).toHaveAccessibleDescription(new RegExp(text));
        await userEvent.click(button);
        expect(api.calls).toHaveLength(0);
        enter(field, 'ABCDEFGHJK2');
        expect(field).not.toHaveAttribute('aria-invalid');
        await userEvent.click(button);
        await waitFor(() => expect(field).toHaveAccessibleDescription(new RegExp(text)));
        expect(api.calls).toHaveLength(1);
      }
    },
  );
  test('a failure is not an error of the code', async () => {
    open({ 'POST /sustainable/activation/direct/{id}': refuse(503, 'unavailable') });
    await userEvent.type(code(), 'ABCDEFGHJK2');
    await userEvent.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent(/Something went wrong.*We cannot be reached right now/);
    expect(code()).not.toHaveAttribute('aria-invalid');
  });
});

describe('move shares', () => {
  const two = [project('WND-WJ', { participations: [participation('P-1'), participation('P-2', { address: beach })] })];
  const open = (more: Record<string, unknown> = {}, props: Partial<FakePortalProps> = {}, own = {}) => {
    const api = memberApi(more);
    show(<MoveShares {...overlay} {...own} />, { at: '/participation/move-shares', ...props });
    return api;
  };
  const save = () => screen.getByRole('button', { name: 'Move shares' });
  const today = () => userEvent.click(screen.getByRole('button', { name: 'today: 20-11-2026' }));
  row(
    ['2.3-overlay-move-shares', '3-move-shares-address-type', '5.8-existing-address', '7.6-move-shares-mapping'],
    'moves shares to another of the member’s addresses',
    async () => {
      const onNotify = vi.fn();
      const close = vi.fn();
      const api = open(
        { 'GET /sustainable/projects': two, 'POST /sustainable/participations/move': [] },
        { onNotify },
        { close },
      );
      await userEvent.selectOptions(await screen.findByRole('combobox', { name: /Which shares/ }), 'P-1');
      expect(screen.getByText(/You have 24 here; 4 of them are on offer and stay/)).toBeVisible();
      enter(shares(), '6');
      await today();
      await choose('An address where you have shares');
      await userEvent.click(save());
      expect(sent(api, 'POST')).toHaveLength(0);
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Choose an address' }), 'P-2');
      await userEvent.click(save());
      await waitFor(() => expect(close).toHaveBeenCalled());
      expect(sent(api, 'POST')[0]?.body).toEqual({
        date: '2026-11-20',
        items: [{ participationIdentifier: 'P-1', shares: 6, toParticipationIdentifier: 'P-2' }],
      });
      expect(onNotify).toHaveBeenCalledWith(expect.objectContaining({ tone: 'good', text: 'Your shares move on 20-11-2026.' }));
    },
  );
  row(
    ['5.8-new-address', '5.8-required', '5.8-save-disabled', '3-move-shares-fields', '7.6-move-shares-mapping'],
    'moves to a new address; saving requires all fields',
    async () => {
      const api = open({ 'POST /sustainable/participations/move': [] });
      const existing = await screen.findByRole('radio', { name: 'An address where you have shares' });
      expect(existing).toHaveAccessibleDescription(/at one address only/);
      expect(save()).toHaveAttribute('aria-disabled', 'true');
      enter(shares(), '6');
      await today();
      expect(save()).toHaveAttribute('aria-disabled', 'true');
      await choose('A new address');
      const parts = { 'Postal code': '9731AB', Number: '7', Street: 'Lindelaan', 'Town or city': 'Groningen' };
      for (const [name, value] of Object.entries(parts)) {
        expect(save()).toHaveAttribute('aria-disabled', 'true');
        enter(box(name), value);
      }
      expect(save()).not.toHaveAttribute('aria-disabled');
      await userEvent.click(save());
      await waitFor(() => expect(sent(api, 'POST')).toHaveLength(1));
      expect(sent(api, 'POST')[0]?.body).toEqual({
        date: '2026-11-20',
        items: [
          {
            participationIdentifier: 'P-1',
            shares: 6,
            address: { city: 'Groningen', house_number: '7', house_postfix: '', postal_code: '9731AB', street_name: 'Lindelaan' },
          },
        ],
      });
    },
  );
  row('9-participation-actions', 'the URL selects the participation', async () => {
    open({ 'GET /sustainable/projects': two }, { at: '/participation/move-shares?participation=P-2' });
    expect(await screen.findByRole('combobox', { name: /Which shares/ }), '9-participation-actions').toHaveValue('P-2');
  });
  row(['5.8-shares-range', '5.8-date-min'], 'accepts 1 up to all shares, from today', async () => {
    for (const [locale, text] of [
      ['nl', /Ongeldige invoer/],
      ['en', /Invalid input/],
    ] as const) {
      memberApi();
      const { unmount } = show(<MoveShares {...overlay} />, { locale });
      const number = await screen.findByRole('spinbutton');
      for (const wrong of ['0', '25']) {
        enter(number, wrong);
        expect(number).toHaveAccessibleDescription(text);
      }
      enter(number, '24');
      expect(number).not.toHaveAttribute('aria-invalid');
      const date = screen.getByRole('textbox', { name: /From when|Vanaf wanneer/ });
      enter(date, '19-11-2026');
      expect(date).toHaveAccessibleDescription(/This day is in the past|Deze dag is al geweest/);
      unmount();
    }
  });
  row(
    '5.8-shares-offered-reconcile',
    'all shares may be filled in, including offered ones; the server refuses those',
    async () => {
      const onNotify = vi.fn();
      open({ 'POST /sustainable/participations/move': refuse(409, 'marketplace.shares_offered') }, { onNotify });
      await screen.findByText('You have 24 here; 4 of them are on offer and stay.');
      enter(shares(), '24'); // an offer allows at most 20: 5.7-offer-shares
      expect(shares()).not.toHaveAttribute('aria-invalid');
      await today();
      await choose('A new address');
      for (const [name, value] of Object.entries({ 'Postal code': '9731AB', Number: '7', Street: 'L', 'Town or city': 'G' }))
        enter(box(name), value);
      await userEvent.click(save());
      await waitFor(() =>
        expect(onNotify).toHaveBeenCalledWith(expect.objectContaining({ text: expect.stringContaining('Retract them first') })),
      );
    },
  );
  row('5.8-fields-disabled', 'shows shares and date, with the reason', async () => {
    const setting = (from_date: string, allow_selling: boolean) => ({ from_date, min_price: 1, max_price: 2, allow_selling });
    const before = setting('2020-01-01', true);
    for (const [isOpen, ...settings] of [
      [false, setting('2020-01-01', false)],
      [false, before, setting('2026-11-20', false), setting('2026-11-21', true)],
      [true, setting('2020-01-01', false), setting('2026-11-20', true), setting('2026-11-21', false)],
      [false], // none yet
    ] as const) {
      memberApi({ 'GET /sustainable/projects': [project('WND-WJ', { member_offer_settings: [...settings] })] });
      const { unmount } = show(<MoveShares {...overlay} />, { at: '/participation/move-shares' });
      await screen.findByRole('spinbutton');
      for (const control of [shares(), screen.getByRole('textbox', { name: 'From when' })]) {
        if (isOpen) expect(control).not.toHaveAttribute('aria-disabled');
        else {
          expect(control).toHaveAttribute('aria-disabled', 'true');
          expect(control).toHaveAccessibleDescription(/cannot be moved now/);
        }
      }
      if (!isOpen) expect(save()).toHaveAccessibleDescription(/cannot be moved now/);
      unmount();
    }
  });
  row('8-move-shares-failed', 'the dialog closes, with the general notice and the reason', async () => {
    for (const [answer, reason] of [
      [refuse(409, 'marketplace.shares_offered'), ' Some of these shares are on offer. Retract them first.'],
      [refuse(503, 'unavailable'), ' We cannot be reached right now.'],
      [refuse(500, 'unexpected'), ''],
    ] as const) {
      const onNotify = vi.fn();
      const close = vi.fn();
      open({ 'POST /sustainable/participations/move': answer }, { onNotify }, { close });
      await screen.findByRole('spinbutton');
      enter(shares(), '6');
      await today();
      await choose('A new address');
      for (const [name, value] of Object.entries({ 'Postal code': '9731AB', Number: '7', Street: 'L', 'Town or city': 'G' }))
        enter(box(name), value);
      await userEvent.click(save());
      await waitFor(() => expect(close).toHaveBeenCalled());
      const text = `Something unexpected happened.${reason}`;
      expect(onNotify.mock.calls).toEqual([[{ kind: 'alert', tone: 'bad', text }]]);
      cleanup();
    }
  });
});
