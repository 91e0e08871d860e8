import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation, useNavigate } from '@wattle/sdk';
import { type FakePortalProps, type FakeRequest, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { Sheet } from '@wattle/ui';
import { lazy, Suspense } from 'react';
import { describe, expect, test } from 'vitest';
import type { MarketOffer } from './api';
import { copyKey } from './basket';
import { isOwnOffer } from './buy-form';
import CheckoutPage from './checkout-page';
import MyOffersPage from './my-offers-page';
import OfferPage from './offer-page';
import OffersPage from './offers-page';
import PersonalOffersPage from './personal-offers-page';
import remote from './remote';
import {
  basket,
  beach,
  home,
  impersonated,
  item,
  marketProject,
  memberApi,
  offer,
  page,
  participation,
  project,
  settings,
  show,
} from './testing';

const market = (content: MarketOffer[], more: Record<string, unknown> = {}) =>
  memberApi({ 'POST /sustainable/market': page(content), ...more });
const offers = (more: Partial<FakePortalProps> = {}) => show(<OffersPage />, { at: '/offers', ...more });
const searches = (api: ReturnType<typeof memberApi>) =>
  api.calls.filter((c) => c.method === 'POST' && c.path === '/sustainable/market');
const cardOf = async (name: string) => (await screen.findByRole('region', { name: new RegExp(name) })) as HTMLElement;
const card = () => cardOf('Windpark Westerwind');
const number = () => screen.getByRole('spinbutton', { name: 'Number' });
const add = () => screen.getByRole('button', { name: 'Add to basket' });
const two = {
  'GET /sustainable/projects': [
    project('WND-WJ', { participations: [participation('P-1'), participation('P-2', { address: beach })] }),
  ],
};
const shipping = {
  'GET /relations/addresses': [
    {
      address_type: 'SHIPPING',
      street: 'Kade',
      house_number: '3',
      house_number_extension: '',
      zip_code: '9712AB',
      city: 'Groningen',
    },
    {
      address_type: 'INVOICE',
      street: 'Postweg',
      house_number: '9',
      house_number_extension: '',
      zip_code: '9712AB',
      city: 'Groningen',
    },
  ],
};
const addresses = () =>
  within(screen.getByRole('combobox', { name: 'For which address' }))
    .getAllByRole('option')
    .map((o) => o.textContent);

describe('the market', () => {
  row('2.1-offers-route', 'shows offers as cards: project and town, price, shares, start', async () => {
    const api = market([
      offer('1'),
      offer('2', { project_name: 'Zonneveld', project_type: 'SOLAR', shares: 1, price_per_share: 1250, date: '2027-02-01' }),
    ]);
    offers();
    const wind = await card();
    expect(wind).toHaveTextContent(/Windpark Westerwind.*Westermeer/);
    expect(wind).toHaveTextContent(/€ 49 per share.*24 shares.*delivery from 21-12-2026/);
    expect(await cardOf('Zonneveld')).toHaveTextContent(
      /€ 1.250 per share.*1 share from another member.*delivery from 01-02-2027/,
    );
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2);
    expect(searches(api)[0]?.body).toEqual({ filters: { my_offer: false } }); // not the member's own
  });

  row('9-offer-apart', 'tells offers of one project apart, for screen readers too', async () => {
    market([offer('1'), offer('2', { shares: 300, price_per_share: 52, seller: 'PROJECT' }), offer('3', { seller: 'UNKNOWN' })]);
    offers();
    await screen.findByRole('region', { name: 'Windpark Westerwind 24 shares from another member' });
    const own = screen.getByRole('region', { name: 'Windpark Westerwind 300 shares from the project itself' });
    expect(screen.getByRole('region', { name: 'Windpark Westerwind 24 shares for sale' })).toBeVisible();
    const more = within(own).getByRole('link', { name: 'See what this brings' });
    expect(more).toHaveAttribute('href', '/offers/2');
    expect(more).toHaveAccessibleDescription('Windpark Westerwind 300 shares from the project itself');
  });

  row(
    '9-offer-project',
    'tells about its project: picture, since when, yield of a share; what is unknown is left out',
    async () => {
      market(
        ['WND-WJ', 'ZON', 'NEW'].map((code) =>
          offer(code, { project_code: code, project_name: `P ${code}`, place: 'Westermeer' }),
        ),
        {
          'GET /sustainable/market/projects': [
            marketProject('WND-WJ'),
            marketProject('ZON', { share_yield: { year: 2025, energy: 426.2 } }),
            {
              project_code: 'NEW',
              project_name: 'P NEW',
              project_type: 'WIND',
              place: 'Westermeer',
              project_start_date: null,
              offer_count: 1,
            },
          ],
        },
      );
      offers({ portal: { projects: { 'WND-WJ': { picture: '/assets/mill.webp' }, ZON: { picture: null } } } });
      const [wind, sun, fresh] = await Promise.all(['P WND-WJ', 'P ZON', 'P NEW'].map(cardOf));
      await waitFor(() => expect(wind).toHaveTextContent(/Westermeer · running since 2016/));
      expect(wind).toHaveTextContent(/312 kWh per share in 2025/);
      expect(wind?.querySelector('img')).toHaveAttribute('src', '/assets/mill.webp');
      expect(wind?.querySelector('img')).toHaveAttribute('alt', '');
      expect(sun).toHaveTextContent(/426 kWh per share in 2025/);
      expect(sun?.querySelector('img')).toBeNull(); // an illustration instead
      expect(fresh).not.toHaveTextContent(/since|kWh|undefined|null|NaN/);
    },
  );

  row('3-project-type', 'wind has its own icon, every other type has the sun', async () => {
    market(
      ['WIND', 'SOLAR', 'HYDRO'].map((project_type) => offer(project_type, { project_type, project_name: `P ${project_type}` })),
    );
    offers();
    const signs = await Promise.all(
      ['WIND', 'SOLAR', 'HYDRO'].map(async (t) => {
        const sign = () =>
          screen
            .getByRole('heading', { name: new RegExp(`P ${t}`) })
            .closest('section')
            ?.querySelector('[data-kind] svg');
        await cardOf(`P ${t}`);
        await waitFor(() => expect(sign()?.innerHTML).toBeTruthy());
        return sign()?.innerHTML;
      }),
    );
    expect(signs[1]).toBe(signs[2]);
    expect(signs[0]).not.toBe(signs[1]);
  });

  row(
    ['9-market-page-base', '9-market-page-base-reconcile', '9-market-page-size', '9-market-sort'],
    'page 1 on screen is page 0 of the API; 10 per page, cheapest first',
    async () => {
      const api = memberApi({
        'POST /sustainable/market': ({ query }: FakeRequest) =>
          page([offer(`p${query.page}`)], { number: Number(query.page), totalPages: 3, totalElements: 25 }),
      });
      offers();
      await card();
      expect(searches(api)[0]?.query).toMatchObject({ page: '0', size: '10' });
      expect(searches(api)[0]?.search.getAll('sort')).toEqual(['price,asc', 'projectName,asc']);
      expect(screen.getByRole('navigation', { name: 'Pages' })).toHaveTextContent(/^1–10 of 25/);
      await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
      await waitFor(() => expect(searches(api).at(-1)?.query.page).toBe('1'));
      await waitFor(() => expect(screen.getByRole('navigation', { name: 'Pages' })).toHaveTextContent(/^11–20 of 25/));
    },
  );

  test('page, order and project are in the URL; an invalid page is the first', async () => {
    const api = market([offer('1')]);
    offers({ at: '/offers?page=0&sort=none&project=ZON' });
    await card();
    expect(searches(api)[0]).toMatchObject({ query: { page: '0' }, body: { filters: { project_code: 'ZON', my_offer: false } } });
  });

  row(
    '2.1-offers-filters',
    'filters by project with the number of offers; sorts by lowest price, highest price or project',
    async () => {
      const api = market([offer('1')], {
        'GET /sustainable/market/projects': [
          { project_code: 'WND-WJ', project_name: 'Windpark Westerwind', offer_count: 3 },
          { project_code: 'ZON', project_name: 'Zonneveld', offer_count: 12 },
        ],
      });
      offers();
      await card();
      const projects = screen.getByRole('combobox', { name: 'Project' });
      await waitFor(() =>
        expect(
          within(projects)
            .getAllByRole('option')
            .map((o) => o.textContent),
        ).toEqual(['All projects', 'Windpark Westerwind (3)', 'Zonneveld (12)']),
      );
      await userEvent.selectOptions(projects, 'ZON');
      await waitFor(() => expect(searches(api).at(-1)?.body).toEqual({ filters: { my_offer: false, project_code: 'ZON' } }));
      await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Highest price first');
      await waitFor(() => expect(searches(api)).toHaveLength(3));
      expect(searches(api).at(-1)?.body).toEqual({ filters: { my_offer: false, project_code: 'ZON' } });
      expect(searches(api).at(-1)?.search.getAll('sort')).toEqual(['price,desc', 'projectName,asc']);
      const sort = screen.getByRole('combobox', { name: 'Order' });
      expect(
        within(sort)
          .getAllByRole('option')
          .map((o) => o.textContent),
      ).toEqual(['Lowest price first', 'Highest price first', 'By project']);
      await userEvent.selectOptions(sort, 'By project');
      await waitFor(() => expect(searches(api)).toHaveLength(4));
      expect(searches(api).at(-1)?.search.getAll('sort')).toEqual(['projectName,asc', 'price,asc']);
      await userEvent.selectOptions(projects, 'All projects');
      await waitFor(() => expect(searches(api).at(-1)?.body).toEqual({ filters: { my_offer: false } }));
    },
  );

  row('7.6-offer-calls-reconcile', 'each of the four calls has its screen', async () => {
    const api = market([offer('1')]);
    const calls = () =>
      api.calls
        .filter((c) => /market$|offers$/.test(c.path))
        .map((c) => ({ call: `${c.method} ${c.path}`, query: c.query, body: c.body }));
    const first = offers();
    await card();
    expect(calls()).toMatchObject([{ call: 'POST /sustainable/market', body: { filters: { my_offer: false } } }]);
    first.unmount();
    api.calls.length = 0;
    const second = show(<MyOffersPage />, { at: '/my-offers' });
    await waitFor(() =>
      expect(calls()).toMatchObject([{ call: 'POST /sustainable/market', body: { filters: { my_offer: true } } }]),
    );
    second.unmount();
    api.calls.length = 0;
    show(<PersonalOffersPage />, { at: '/personal-offers' });
    await waitFor(() => expect(calls()).toHaveLength(2));
    expect(calls()).toEqual(
      expect.arrayContaining([
        { call: 'GET /sustainable/market', query: { personal: 'true', empty: 'true' }, body: undefined },
        { call: 'GET /sustainable/offers', query: { page: '0' }, body: undefined },
      ]),
    );
  });

  test('an empty market shows a text; with a filter also a link to all offers', async () => {
    market([]);
    const all = offers();
    expect(await screen.findByText('There are no offers now')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'All projects' })).toBeNull();
    all.unmount();
    const api = market([]);
    offers({ at: '/offers?project=ZON' });
    await userEvent.click(await screen.findByRole('button', { name: 'All projects' }));
    await waitFor(() => expect(searches(api).at(-1)?.body).toEqual({ filters: { my_offer: false } }));
  });

  test('a failed request can be retried', async () => {
    const api = market([], { 'POST /sustainable/market': refuse(503, 'unavailable') });
    offers();
    await screen.findByText('This could not be loaded');
    api.answers['POST /sustainable/market'] = page([offer('1')]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await card();
  });

  test('an offer that cannot be bought shows why, and has no button', async () => {
    market([offer('1', { status: 'RESERVED' })]);
    offers();
    expect(await card()).toHaveTextContent('Reserved');
    expect(screen.queryByRole('spinbutton')).toBeNull();
  });
});

describe('into the basket', () => {
  row('5.7-basket-needs-address', 'the button is disabled until an address is chosen, with the reason', async () => {
    const api = market([offer('1')], { ...two, 'POST /sustainable/basket': basket(item('1')) });
    offers();
    await card();
    await waitFor(() =>
      expect(addresses()).toEqual(['Choose an address', 'Molenweg 12 A, Grootegast', 'Strandweg 1, Grootegast']),
    );
    expect(add()).toHaveAttribute('aria-disabled', 'true');
    expect(add()).toHaveAccessibleDescription('Choose an address first.');
    await userEvent.click(screen.getByRole('link', { name: 'Choose “For which address”' }));
    expect(screen.getByRole('combobox', { name: 'For which address' }), '9-submit-reasons').toHaveFocus();
    await userEvent.click(add());
    expect(api.calls.filter((c) => c.path === '/sustainable/basket' && c.method === 'POST')).toEqual([]);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'For which address' }), 'Strandweg 1, Grootegast');
    expect(add()).not.toHaveAttribute('aria-disabled');
    await userEvent.click(add());
    await waitFor(() =>
      expect(api.calls.find((c) => c.path === '/sustainable/basket' && c.method === 'POST')?.body).toEqual({
        offer: { reference: 'R-1', shares: 1, project_code: 'WND-WJ', identifier: '1', address: beach },
        basket: { items: [], total_amount: 0, administration_costs: 0, amount_due: 0 },
      }),
    );
  });

  row('5.7-shares-clamp', 'the number stays within its offer, and the total follows', async () => {
    market([offer('1'), offer('2', { project_name: 'Zonneveld', shares: 30 })]);
    offers();
    const other = within(await cardOf('Zonneveld')).getByRole('spinbutton');
    await userEvent.clear(other);
    await userEvent.type(other, '31');
    expect(other).toHaveValue('30');
    cleanup();
    market([offer('1')]);
    offers();
    await card();
    expect(screen.getByRole('status', { name: 'Shares together' })).toHaveTextContent('€ 49');
    await userEvent.clear(number());
    await waitFor(() => expect(add()).toHaveAccessibleDescription('Fill in a number first'));
    await userEvent.type(number(), '30');
    expect(number()).toHaveValue('24');
    expect(screen.getByRole('status', { name: 'Shares together' })).toHaveTextContent('€ 1.176');
    await userEvent.clear(number());
    await userEvent.type(number(), '0');
    expect(number()).toHaveValue('1');
    expect(screen.getByRole('button', { name: 'Less: Number' })).toHaveAttribute('aria-disabled', 'true');
  });

  test('an offer in the basket shows its number, which can be changed', async () => {
    const api = market([offer('1')], {
      'GET /sustainable/basket': basket(item('1', 3)),
      'POST /sustainable/basket': basket(item('1', 4)),
    });
    offers();
    await card();
    await waitFor(() => expect(number()).toHaveValue('3'));
    const change = screen.getByRole('button', { name: 'Change number' });
    expect(change).toHaveAccessibleDescription('This is in your basket');
    await userEvent.click(screen.getByRole('button', { name: 'More: Number' }));
    await userEvent.click(change);
    await waitFor(() => expect(change).toHaveAccessibleDescription('This is in your basket'));
    expect(api.calls.filter((c) => c.method === 'GET' && c.path === '/sustainable/basket')).toHaveLength(1);
  });

  test('a refusal is shown at the offer, with the text of its code', async () => {
    market([offer('1')], {
      'POST /sustainable/basket': refuse(400, 'invalid', [{ field: 'offer.shares', code: 'marketplace.shares_range' }]),
    });
    offers();
    await card();
    await waitFor(() => expect(add()).not.toHaveAttribute('aria-disabled'));
    await userEvent.click(add());
    expect(within(await card()).getByRole('alert')).toHaveTextContent('There are not that many shares in this offer.');
  });

  test('an impersonator reads why the action is disabled', async () => {
    market([offer('1')]);
    offers(impersonated);
    await card();
    expect(add()).toHaveAccessibleDescription('You are only viewing this portal, so you cannot change anything.');
  });
});

describe('personal offers', () => {
  const personal = (list: MarketOffer[] | Response, more: Record<string, unknown> = {}) =>
    memberApi({ 'GET /sustainable/market': list, ...more });
  const direct = (id: string, more: Partial<MarketOffer> = {}) =>
    offer(id, { offer_publication_type: 'DIRECT', private_offer: true, ...more });
  const open = (more: Partial<FakePortalProps> = {}) => show(<PersonalOffersPage />, { at: '/personal-offers', ...more });

  row(
    ['2.1-personal-offers-filter', '3-market-offer-my-offer-alias'],
    'shows offers of others, with the addresses; the flag under both names',
    async () => {
      const old = (isMine: boolean) => ({
        ...direct('x', { project_name: `Alias ${isMine}` }),
        identifier: `x${isMine}`,
        my_offer: undefined,
        myOffer: isMine,
      });
      personal(
        [
          direct('1'),
          direct('2', { project_name: 'Own', my_offer: true, myOffer: true }),
          old(true),
          old(false),
        ] as MarketOffer[],
        two,
      );
      open();
      await card();
      expect(await cardOf('Alias false')).toBeVisible();
      expect(screen.queryByText('Own')).toBeNull();
      expect(screen.queryByText('Alias true')).toBeNull();
      expect(addresses()).toEqual(['Choose an address', 'Molenweg 12 A, Grootegast', 'Strandweg 1, Grootegast']);
      for (const [flags, isOwn] of [
        [{ my_offer: true }, true],
        [{ my_offer: false }, false],
        [{ myOffer: true }, true],
        [{ myOffer: false }, false],
        [{ my_offer: false, myOffer: true }, false], // the first name has priority
        [{ my_offer: true, myOffer: false }, true],
        [{}, false],
      ] as const)
        expect(isOwnOffer(flags), JSON.stringify(flags)).toBe(isOwn);
    },
  );

  row('2.1-personal-offers-redeem', 'a button opens the form for the code above the page, which closes again', async () => {
    personal([direct('1')]);
    const declared = remote.overlays?.find((o) => o.name === 'redeem-offer');
    if (!declared) throw new Error('no overlay');
    const Form = lazy(declared.view);
    /** The page, and above it the dialog for its path, as the shell renders it. */
    function Above() {
      const { pathname } = useLocation();
      const navigate = useNavigate();
      const close = () => void navigate(-1);
      return (
        <>
          <p>at {pathname}</p>
          <PersonalOffersPage />
          {pathname === `${declared?.parent}/${declared?.name}` && (
            <Sheet title={declared?.title.defaultMessage} onClose={close}>
              <Suspense>
                <Form params={{}} close={close} setDirty={() => undefined} />
              </Suspense>
            </Sheet>
          )}
        </>
      );
    }
    show(<Above />, { at: '/personal-offers' });
    await card();
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Redeem a code' }));
    expect(screen.getByText('at /personal-offers/redeem-offer')).toBeInTheDocument();
    const dialog = await screen.findByRole('dialog', { name: 'Redeem a code' });
    expect(await within(dialog).findByRole('textbox', { name: 'Code' })).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('at /personal-offers')).toBeVisible();
    expect(await card()).toBeVisible();
  });

  row('2.1-personal-offers-skeleton', 'shows placeholders of cards while loading', async () => {
    let answer: (value: unknown) => void = () => undefined;
    const api = personal([], { 'GET /sustainable/market': () => new Promise((done) => (answer = done)) });
    open();
    const asked = ['/sustainable/market', '/sustainable/offers', '/sustainable/projects'];
    await waitFor(() => expect(api.calls.map((c) => c.path)).toEqual(expect.arrayContaining(asked)));
    expect(screen.getAllByText('Loading')).toHaveLength(6);
    expect(screen.queryByText('There are no offers for you now')).toBeNull();
    answer([direct('1')]);
    await card();
    expect(screen.queryByText('Loading')).toBeNull();
  });

  row(
    ['2.1-personal-offers-empty', '8-projects-failed', '7.6-get-personal-market'],
    'no offers, no projects and a failed list each have their own text',
    async () => {
      const api = personal(refuse(404, 'not_found'));
      const first = open();
      expect(await screen.findByText('There are no offers for you now')).toBeVisible();
      expect(screen.queryByText('This could not be loaded')).toBeNull();
      expect(api.calls.filter((c) => c.path === '/sustainable/market').map((c) => c.query)).toEqual([
        { personal: 'true', empty: 'true' },
      ]);
      first.unmount();
      personal([direct('1')]);
      const some = open();
      expect(await card()).toBeVisible();
      expect(screen.queryByText('There are no offers for you now')).toBeNull();
      some.unmount();
      for (const projects of [[], refuse(500, 'unavailable'), refuse(404, 'not_found'), refuse(403, 'forbidden')]) {
        personal([], { 'GET /sustainable/projects': projects });
        const next = open();
        expect(await screen.findByText('You do not take part in a project yet')).toBeVisible();
        expect(screen.queryByText('There are no offers for you now')).toBeNull();
        next.unmount();
      }
    },
  );

  row('8-personal-offers-404', 'uses the shipping addresses of the relation; any other error is shown', async () => {
    const api = personal([], { ...two, ...shipping });
    for (const without of [[], refuse(404, 'not_found')]) {
      api.answers['GET /sustainable/market'] = without;
      const first = open();
      await waitFor(() => expect(addresses()).toEqual(['Choose an address', 'Kade 3, Groningen']));
      first.unmount();
    }
    expect(api.calls.find((c) => c.path === '/sustainable/market')?.query).toEqual({ personal: 'true', empty: 'true' });
    for (const failure of [refuse(409, 'unexpected'), refuse(403, 'forbidden'), () => refuse(500, 'internal')]) {
      api.answers['GET /sustainable/market'] = failure;
      api.calls.length = 0;
      const failed = open();
      expect(await screen.findByText('This could not be loaded', {}, { timeout: 5000 })).toBeVisible();
      expect(api.calls.map((c) => c.path)).not.toContain('/relations/addresses');
      failed.unmount();
    }
  });

  row(['7.6-get-offers-404', '7.6-offer-calls-reconcile'], 'uses the shipping addresses instead', async () => {
    personal([direct('1')], { ...two, ...shipping, 'GET /sustainable/offers': refuse(404, 'not_found') });
    open();
    await card();
    await waitFor(() => expect(addresses()).toEqual(['Choose an address', 'Kade 3, Groningen']));
    expect(add()).not.toHaveAttribute('aria-disabled'); // there is only one address
  });

  row(['7.6-offer-calls-reconcile', '9-market-page-base-reconcile'], 'the offers of one project have pages', async () => {
    const api = personal([direct('1')], {
      'GET /sustainable/offers': ({ query }: FakeRequest) => ({
        content: query.project_code
          ? [direct(`l${query.page}`, { shares: Number(query.page) + 5 }), offer('public', { project_name: 'Public' })]
          : [],
        totalPages: 2,
      }),
    });
    open();
    await card();
    expect(screen.queryByRole('navigation')).toBeNull();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Project' }), 'WND-WJ');
    expect(await screen.findByText('5 shares')).toBeVisible();
    expect(screen.queryByText('Public')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByText('6 shares')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
    expect(api.calls.filter((c) => c.path === '/sustainable/offers').map((c) => c.query)).toEqual([
      { page: '0' },
      { page: '0', project_code: 'WND-WJ' },
      { page: '1', project_code: 'WND-WJ' },
    ]);
  });
});

describe('access to the market', () => {
  const asking = { settings: { ...settings, access: { approval: true } } };
  row(
    ['6-market-access-approval', '6-market-access-api'],
    'is requested with a button, then pending; nothing of the market is shown before',
    async () => {
      const api = market([offer('1')], {
        'GET /sustainable/access': { state: 'NONE' },
        'POST /sustainable/access': () => {
          api.answers['GET /sustainable/access'] = { state: 'PENDING' };
          return { state: 'PENDING' };
        },
      });
      const first = offers(asking);
      await userEvent.click(await screen.findByRole('button', { name: 'Ask for access' }));
      expect(await screen.findByText('We are looking at your request')).toBeVisible();
      expect(screen.getByText('You get an email, usually within 2 working days.')).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Ask for access' })).toBeNull();
      expect(searches(api)).toEqual([]);
      first.unmount();
      for (const Page of [PersonalOffersPage, CheckoutPage, OfferPage]) {
        const page = show(<Page />, asking);
        expect(await screen.findByText('We are looking at your request'), `6-market-access-api: ${Page.name}`).toBeVisible();
        page.unmount();
      }
      for (const state of ['APPROVED', 'OPEN']) {
        api.answers['GET /sustainable/access'] = { state };
        const page = offers(asking);
        await card();
        expect(screen.queryByText('We are looking at your request')).toBeNull();
        page.unmount();
      }
    },
  );
  test('can be requested again after a refusal; a failed request shows an error', async () => {
    market([], { 'GET /sustainable/access': { state: 'REJECTED' }, 'POST /sustainable/access': refuse(503, 'unavailable') });
    offers(asking);
    expect(await screen.findByText('Your request was refused')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Ask for access' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('We cannot be reached right now.');
  });
  row('6-market-access-approval', 'an open market needs no request', async () => {
    const api = market([offer('1')]);
    offers();
    await card();
    expect(api.calls.map((c) => c.path)).not.toContain('/sustainable/access');
  });
  test('an impersonator reads why the action is disabled', async () => {
    market([], { 'GET /sustainable/access': { state: 'NONE' } });
    offers({ ...asking, ...impersonated });
    expect(await screen.findByRole('button', { name: 'Ask for access' })).toHaveAccessibleDescription(/only viewing/);
  });
});

test('the chosen address is kept in the tab', async () => {
  market([offer('1')], two);
  const first = offers();
  await card();
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'For which address' }), 'Strandweg 1, Grootegast');
  first.unmount();
  offers();
  await card();
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'For which address' })).toHaveDisplayValue('Strandweg 1, Grootegast'),
  );
  expect(localStorage.getItem(copyKey('customer-1'))).toBeNull(); // only the cart writes the copy
  expect(home.city).toBe(beach.city);
});
