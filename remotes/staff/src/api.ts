import { createApi, useMay } from '@wattle/sdk';
import type { components, paths } from './api.gen';

interface Gives<T> {
  responses: { 200: { content: { 'application/json': T } } };
}
interface Asks<Q> {
  parameters: { query?: Q };
}
interface Names<P> {
  parameters: { path: P };
}
interface Takes<B> {
  requestBody: { content: { 'application/json': B } };
}
/** A page of a list that goes on by a cursor. */
export interface Cut<T> {
  items: T[];
  next?: string;
}

/** A change request as staff see it; the form of its data is its module's. */
export interface Change {
  id: string;
  module: string;
  kind: string;
  key?: string;
  relation?: string;
  subject?: string;
  name?: string;
  state: 'PENDING' | 'PROCESSED' | 'REJECTED';
  effective?: string;
  data: Record<string, unknown>;
  filed: string;
  due?: string;
  decided?: string;
  by?: string;
  by_name?: string;
  reason?: string;
}
export interface Result {
  id: string;
  state?: 'PROCESSED' | 'REJECTED';
  code?: string;
  errors?: { field: string; code: string }[];
}
export interface Noted {
  seq: number;
  at: string;
  action: string;
  role: 'staff' | 'impersonator' | 'key' | 'auto' | 'customer';
  actor?: string;
  name?: string;
  relation?: string;
  kind?: string;
  target?: string;
  reason?: string;
  until?: string;
}
export type Customer = components['schemas']['Customer'];
export type CustomerRecord = components['schemas']['Record'];
/** A registration whose e-mail address is not verified yet. */
export interface Waiting {
  id: string;
  name: string;
  email: string;
  filed: string;
  expires: string;
}
/** An offer as staff see it: `lifecycle` is its state. */
export interface Offer {
  identifier: string;
  reference: string;
  change_id: string;
  lifecycle: string;
  relation: string;
  created: string;
  project_name: string;
  project_code: string;
  shares_offered: number;
  price_per_share: number;
  date: string;
  offer_publication_type: 'PUBLIC' | 'DIRECT' | 'PRIVATE';
  seller_name?: string;
  debtor_number?: string;
}
export interface Order {
  deal_reference: string;
  deal_identifier: string;
  status: string;
  amount: number;
  shares: number;
  transfer_date: string;
  expiration_date: string;
  placed: string;
  paid?: string;
  relation: string;
  buyer_name?: string;
  debtor_number?: string;
}
export interface Payment {
  id: string;
  deal_identifier: string;
  deal_reference: string;
  amount: number;
  state: string;
  created: string;
  paid_at?: string;
  late: boolean;
  note?: string;
  may_refund: boolean;
  may_see: boolean;
  may_cancel_sale: boolean;
  refunded_amount: number;
  charged_back_amount: number;
  order_status: string;
  shares: number;
  buyer_free_shares?: number;
  relation: string;
  buyer_name?: string;
  debtor_number?: string;
}
interface Numbered<T> {
  content: T[];
  number: number;
  size: number;
  totalPages: number;
  totalElements: number;
}

/** Of core, of onboarding and of the marketplace: what staff call there. */
interface Elsewhere {
  '/staff/changes': {
    get: Gives<Cut<Change>> & Asks<{ state?: string; kind?: string; q?: string; after?: string; limit?: number }>;
  };
  '/staff/changes/summary': { get: Gives<Record<string, number>> };
  '/staff/changes/{id}': { get: Gives<Change> & Names<{ id: string }> };
  '/staff/changes/{id}/decision': {
    post: Gives<Change> & Names<{ id: string }> & Takes<{ state: 'PROCESSED' | 'REJECTED'; reason?: string }>;
  };
  '/staff/changes/decisions': {
    post: Gives<{ results: Result[] }> & Takes<{ ids: string[]; state: 'PROCESSED' | 'REJECTED'; reason?: string }>;
  };
  '/staff/audit': {
    get: Gives<Cut<Noted>> & Asks<{ relation?: string; actor?: string; action?: string; after?: string; limit?: number }>;
  };
  '/staff/impersonations': {
    post: Gives<{ code: string; expires_in: number; path: string }> & Takes<{ relation: string }>;
  };
  '/staff/applications': { get: Gives<Waiting[]> & Asks<{ at?: string; id?: string }> };
  '/sustainable/staff/offers': { get: Gives<Numbered<Offer>> & Asks<{ status?: string; q?: string; page?: number }> };
  '/sustainable/staff/orders': { get: Gives<Numbered<Order>> & Asks<{ status?: string; q?: string; page?: number }> };
  '/sustainable/staff/payments': { get: Gives<Numbered<Payment>> & Asks<{ attention?: boolean; page?: number }> };
  '/sustainable/staff/payments/{id}/refund': { post: Gives<Payment> & Names<{ id: string }> };
  '/sustainable/staff/payments/{id}/cancel-sale': { post: Gives<Payment> & Names<{ id: string }> };
  '/sustainable/staff/payments/{id}/seen': { post: Gives<Payment> & Names<{ id: string }> };
}

export const api = createApi<paths & Elsewhere>();

/** What a decision makes old. */
export const decided = ['/staff/changes', '/staff/changes/summary', '/sustainable/staff/offers', '/staff/audit'] as const;

/** Whether this label has a marketplace. */
export const useMarket = (): boolean => useMay('marketplace.staffOffers').ok;
