// Shared by this remote's tests: a fake member API, and a page around the tested component.

import { render } from '@testing-library/react';
import { FakePortal, type FakePortalProps, fakeApi, refuse } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import type { Basket, FutureMove, MarketOffer, MarketProject, MarketSettings, Order, Participation, Place, Project } from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';

export const home: Place = {
  street_name: 'Molenweg',
  house_number: '12',
  house_postfix: 'A',
  postal_code: '9861GT',
  city: 'Grootegast',
};
export const beach: Place = {
  street_name: 'Strandweg',
  house_number: '1',
  house_postfix: '',
  postal_code: '9861GB',
  city: 'Grootegast',
};

export const participation = (id: string, more: Partial<Participation> = {}): Participation => ({
  participation_identifier: id,
  project_code: 'WND-WJ',
  share: 24,
  offered_share: 4,
  reserved_share: 0,
  sold_share: 0,
  moving_share: 0,
  availableShares: 20,
  supplier: 'Stroomgilde',
  supplierFromDate: '2024-01-01',
  supplierToDate: null,
  production: { period_start_date: null, period_end_date: null, peak: null, off_peak: null },
  projectEndDate: '2039-12-31',
  mutation_date: '2026-03-01',
  ean: '871687940000000017',
  address: home,
  shares: [{ from_date: '2024-01-01', share: 24 }],
  ...more,
});

export const project = (code: string, more: Partial<Project> = {}): Project => ({
  project_code: code,
  project_name: 'Windpark Westerwind',
  project_type: 'WIND',
  place: 'Westermeer',
  project_ean_number: '871687940000000901',
  project_start_date: '2020-01-01',
  project_end_date: '2039-12-31',
  unit_of_measurement: 'KWH',
  energy_supplier: 'Stroomgilde',
  production: { current_power: 1800, total_production: 41_200_000, todays_production: 12_400 },
  current_power: 1800,
  power_percentage: 60,
  todays_production: 12_400,
  total_production: 41_200_000,
  measured_at: '2026-11-20T09:55:00Z',
  offer_count: 3,
  statutes_location: '/documents/statutes.pdf',
  member_agreement_location: '/documents/member-agreement.pdf',
  participations: [participation('P-1')],
  member_offer_settings: [{ from_date: '2020-01-01', min_price: 25, max_price: 60, allow_selling: true }],
  administration_costs: [
    { from_date: '2020-01-01', amount: 10 },
    { from_date: '2027-01-01', amount: 12.5 },
  ],
  report: true,
  ...more,
});

/** A project on the market, running since 2016, of which a share yielded 312.4 kWh in 2025. */
export const marketProject = (code: string, more: Partial<MarketProject> = {}): MarketProject => ({
  project_code: code,
  project_name: 'Windpark Westerwind',
  project_type: 'WIND',
  place: 'Westermeer',
  project_start_date: '2016-05-01',
  offer_count: 3,
  share_yield: { year: 2025, energy: 312.4 },
  ...more,
});

/** Fields that the API returns only to an offer's owner. */
const hidden = { address: null, old_address: null };

export const offer = (id: string, more: Partial<MarketOffer> = {}): MarketOffer => ({
  reference: `R-${id}`,
  identifier: id,
  date: '2026-11-01',
  project_code: 'WND-WJ',
  project_name: 'Windpark Westerwind',
  project_type: 'WIND',
  project_end_date: '2039-12-31',
  place: 'Westermeer',
  shares: 24,
  shares_offered: 24,
  shares_sold: 0,
  price_per_share: 49,
  status: 'AVAILABLE',
  private_offer: false,
  offer_publication_type: 'PUBLIC',
  participation_identifier: 'P-9',
  direct_offer_code: '',
  rejection_reason: '',
  seller: 'MEMBER',
  my_offer: false,
  myOffer: false,
  ...hidden,
  ...more,
});

export const page = (content: MarketOffer[], more: object = {}) => ({
  content,
  number: 0,
  size: 10,
  totalPages: 1,
  totalElements: content.length,
  ...more,
});

export const item = (
  id: string,
  shares = 2,
  price = 49,
  more: Partial<Basket['items'][number]> = {},
): Basket['items'][number] => ({
  identifier: id,
  reference: `R-${id}`,
  project_name: 'Windpark Westerwind',
  project_code: 'WND-WJ',
  address: home,
  shares,
  price_per_share: price,
  amount: shares * price,
  ...more,
});
export const basket = (...items: Basket['items']): Basket => ({
  items,
  total_amount: items.reduce((sum, i) => sum + i.amount, 0),
  administration_costs: 0,
  amount_due: items.reduce((sum, i) => sum + i.amount, 0),
  ...(items.length > 0 ? { first_valid_start_date: '2026-12-21' } : {}),
});

export const order = (id: string, more: Partial<Order> = {}): Order => ({
  deal_reference: `B-${id}`,
  deal_identifier: id,
  status: 'AWAITING_PAYMENT',
  private_deal: false,
  private_order: false,
  amount: 1176,
  administration_costs: 0,
  amount_due: 1176,
  shares: 24,
  transfer_date: '2026-12-21',
  expiration_date: '2026-12-04',
  placed: '2026-11-20T10:00:00Z',
  offers: [
    {
      identifier: '1',
      reference: 'R-1',
      project_code: 'WND-WJ',
      project_name: 'Windpark Westerwind',
      shares: 24,
      price_per_share: 49,
      address: home,
      status: 'AWAITING_PAYMENT',
    },
  ],
  ...more,
});

export const futureMove = (id: string, more: Partial<FutureMove> = {}): FutureMove => ({
  id,
  participation_identifier: 'P-1',
  date: '2026-12-01',
  shares: 6,
  address: beach,
  old_address: home,
  ...more,
});

/** A fake API of a member with one participation, an empty basket and no orders; `more` adds or replaces responses. */
export const memberApi = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'GET /sustainable/projects': [project('WND-WJ')],
    'GET /sustainable/market/projects': [marketProject('WND-WJ')],
    'POST /sustainable/market': page([]),
    'GET /sustainable/market': refuse(404, 'not_found'),
    'GET /sustainable/offers': { content: [], totalPages: 0 },
    'GET /sustainable/basket': basket(),
    'GET /sustainable/orders': [],
    'GET /sustainable/participations/moves': [],
    'GET /sustainable/access': { state: 'OPEN' },
    'GET /relations/addresses': [],
    ...more,
  });

/** English texts of core's error codes, as in the shell. */
const core = {
  required: 'Fill in this field.',
  unavailable: 'We cannot be reached right now.',
  unexpected: 'Something unexpected happened.',
  'core.may.impersonator': 'You are only viewing this portal, so you cannot change anything.',
};

export const settings: MarketSettings = {
  offer: { max_days_ahead: 90 },
  transfer: { earliest_days: 31 },
  order: { reservation_days: 14, link_days: 7, administration_costs: false },
  withdrawal_days: 14,
  access: { approval: false },
  page_size: 10,
  participation_single_link: false,
};

const write = { access: 'customer', effect: 'write', impersonation: false } as const;
/** A support session during impersonation, which does not allow writes; every operation is a write. */
export const impersonated: Partial<FakePortalProps> = {
  portal: { session: { id: 'customer-1', role: 'customer', name: 'J. de Vries', impersonator: { name: 'S', until: '' } } },
  operations: new Proxy({}, { get: () => write }),
};

/** Renders in English by default, because the requirements quote the English texts. */
export function show(what: ReactElement, props: Partial<FakePortalProps> = {}) {
  const messages = props.locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core };
  return render(
    <FakePortal
      module="marketplace"
      locale="en"
      at="/offers"
      messages={messages}
      settings={settings}
      overlays={[{ name: 'create-offer' }, { name: 'redeem-offer' }, { name: 'move-shares' }]}
      {...props}
    >
      {what}
    </FakePortal>,
  );
}
