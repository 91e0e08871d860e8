// The API of the marketplace by hand, until the server's description is generated into api.gen.ts: then this file goes.

interface Place {
  street_name: string;
  house_number: string;
  house_postfix: string;
  postal_code: string;
  city: string;
}
interface Production {
  current_power: number | null;
  total_production: number | null;
  todays_production: number | null;
}
interface Participation {
  participation_identifier: string;
  provider_identifier?: string;
  project_code: string;
  share: number;
  offered_share: number;
  moving_share: number;
  availableShares: number;
  supplier: string;
  supplierFromDate: string | null;
  supplierToDate: string | null;
  projectEndDate: string | null;
  mutation_date: string | null;
  ean: string;
  address: Place;
  shares: { from_date: string; share: number }[];
}
interface OfferSetting {
  from_date: string;
  min_price: number;
  max_price: number;
  allow_selling: boolean;
}
interface Project {
  project_code: string;
  project_name: string;
  project_type: string;
  place: string;
  project_ean_number: string;
  project_start_date: string | null;
  project_end_date: string | null;
  unit_of_measurement: string;
  energy_supplier: string;
  production: Production;
  current_power: number | null;
  power_percentage: number | null;
  todays_production: number | null;
  total_production: number | null;
  offer_count: number;
  statutes_location: string;
  member_agreement_location: string;
  participations: Participation[];
  member_offer_settings: OfferSetting[];
  administration_costs: { from_date: string; amount: number }[];
  report: boolean;
}
interface MarketOffer {
  reference: string;
  identifier: string;
  date: string;
  project_code: string;
  project_name: string;
  project_type: string;
  project_end_date: string | null;
  place: string;
  shares: number;
  shares_offered: number;
  shares_sold: number;
  price_per_share: number;
  status: string;
  rejection_reason?: string;
  private_offer: boolean;
  offer_publication_type: 'PUBLIC' | 'DIRECT' | 'PRIVATE';
  direct_offer_code?: string;
  participation_identifier: string;
  address?: Place;
  old_address?: Place;
  my_offer: boolean;
  myOffer: boolean;
}
interface MarketPage {
  content: MarketOffer[];
  number: number;
  size: number;
  totalPages: number;
  totalElements: number;
}
interface BasketItem {
  identifier: string;
  reference: string;
  project_name: string;
  project_code: string;
  address: Place;
  shares: number;
  price_per_share: number;
  amount: number;
}
interface Basket {
  items: BasketItem[];
  total_amount: number;
  first_valid_start_date?: string;
}
interface Order {
  deal_reference: string;
  deal_identifier: string;
  status: string;
  private_deal: boolean;
  private_order: boolean;
  amount: number;
  shares: number;
  transfer_date: string;
  expiration_date: string;
  placed: string;
  paid?: string;
  withdraw_until?: string;
  offers: {
    reference: string;
    project_code: string;
    project_name: string;
    shares: number;
    price_per_share: number;
    address?: Place;
  }[];
}
interface Placed {
  status: string;
  basket: Basket;
  order?: Order;
}
interface Receipt {
  reference: string;
  at: string;
  amount: number;
  refund: string;
}
interface FutureMove {
  id: string;
  participation_identifier: string;
  date: string;
  shares: number;
  address: Place;
  old_address: Place;
}
interface Access {
  state: 'OPEN' | 'NONE' | 'PENDING' | 'APPROVED' | 'REJECTED';
}

export interface components {
  schemas: {
    Access: Access;
    Basket: Basket;
    BasketItem: BasketItem;
    FutureMove: FutureMove;
    MarketOffer: MarketOffer;
    MarketPage: MarketPage;
    Order: Order;
    Participation: Participation;
    Place: Place;
    Placed: Placed;
    Project: Project;
    Receipt: Receipt;
    BrowserSettings: {
      offer: { max_days_ahead: number };
      transfer: { earliest_days: number };
      order: { reservation_days: number; link_days: number };
      withdrawal_days: number;
      access: { approval: boolean };
      page_size: number;
      participation_single_link: boolean;
    };
  };
}

interface Gives<T> {
  responses: { 200: { content: { 'application/json': T } } };
}
interface Takes<B> {
  requestBody: { content: { 'application/json': B } };
}
interface Path<P> {
  parameters: { path: P };
}
interface Query<Q> {
  parameters: { query?: Q };
}

export interface paths {
  '/sustainable/projects': { get: Gives<Project[]> & Query<{ projectCodes?: string }> };
  '/sustainable/market/projects': { get: Gives<{ project_code: string; project_name: string; offer_count: number }[]> };
  '/sustainable/market': {
    get: Gives<MarketOffer[]> & Query<{ personal?: boolean }>;
    post: Gives<MarketPage> &
      Takes<{ filters?: { project_code?: string; my_offer?: boolean } }> &
      Query<{ page?: number; size?: number; sort?: string[] }>;
  };
  '/sustainable/offers': {
    get: Gives<{ content: MarketOffer[]; totalPages: number }> & Query<{ project_code?: string; page?: number }>;
    post: Gives<MarketOffer> &
      Takes<{
        date: string;
        price: number;
        number_of_shares: number;
        participation_identifier: string;
        project_code: string;
        buyer_email_address?: string;
      }>;
  };
  '/sustainable/offers/retract': { post: Gives<MarketOffer> & Takes<{ reference: string; shares?: number }> };
  '/sustainable/transfers': {
    post: Gives<MarketOffer> &
      Takes<{ participation_identifier: string; number_of_shares: number; buyer_email_address: string; date: string }>;
  };
  '/sustainable/activation/direct/{id}': { post: Gives<{ offer: MarketOffer }> & Path<{ id: string }> };
  '/sustainable/participations/move': {
    post: Gives<FutureMove[]> &
      Takes<{
        date: string;
        items: { participationIdentifier: string; shares: number; toParticipationIdentifier?: string; address?: Place }[];
      }>;
  };
  '/sustainable/participations/moves': { get: Gives<FutureMove[]> };
  '/sustainable/participations/moves/{id}': { delete: { responses: { 204: object } } & Path<{ id: string }> };
  '/sustainable/basket': {
    get: Gives<Basket>;
    post: Gives<Basket> &
      Takes<{
        offer: { reference: string; shares: number; project_code: string; identifier: string; address: Place };
        basket: Basket;
      }>;
  };
  '/sustainable/basket/{identifier}': { delete: Gives<Basket> & Path<{ identifier: string }> };
  '/sustainable/basket/order': {
    post: Gives<Placed> & Takes<{ waiveWithdrawalPeriod: boolean; basket: Basket; start_date: string }>;
  };
  '/sustainable/orders': { get: Gives<Order[]> };
  '/sustainable/orders/{id}': { delete: Gives<Order> & Path<{ id: string }> };
  '/sustainable/orders/{id}/paylink': { get: Gives<{ url: string }> & Path<{ id: string }> };
  '/sustainable/orders/{id}/withdrawal': { post: Gives<Receipt> & Path<{ id: string }> };
  '/sustainable/access': { get: Gives<Access>; post: Gives<Access> };
}
