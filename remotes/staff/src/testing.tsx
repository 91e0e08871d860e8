// Shared by this remote's tests: a fake staff API, and a page around the tested component.

import { render } from '@testing-library/react';
import { FakePortal, type FakePortalProps, type FakeRequest, fakeApi } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import type { Change, Customer, CustomerRecord, Offer } from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';

export const change = (id: string, more: Partial<Change> = {}): Change => ({
  id,
  module: 'account',
  kind: 'account.phone',
  relation: 'r-1',
  name: 'F.A. de Boer',
  state: 'PENDING',
  data: { phone_number: '+31687654321', was: '+31612345601' },
  filed: '2026-11-20T09:15:00Z',
  ...more,
});

export const offer = (id: string, more: Partial<Offer> = {}): Offer => ({
  identifier: id,
  reference: `REF-${id}`,
  change_id: `change-${id}`,
  lifecycle: 'CREATED',
  relation: 'r-1',
  created: '2026-11-19T09:15:00Z',
  project_name: 'Windpark De Noord',
  project_code: 'WN1',
  project_type: 'WIND',
  project_end_date: null,
  place: 'Delfzijl',
  shares: 24,
  shares_offered: 24,
  shares_sold: 0,
  price_per_share: 49,
  date: '2026-12-21',
  status: 'CREATED',
  rejection_reason: '',
  private_offer: false,
  offer_publication_type: 'PUBLIC',
  direct_offer_code: '',
  participation_identifier: 'P-1',
  address: null,
  old_address: null,
  my_offer: false,
  myOffer: false,
  ...more,
});

export const fenna: Customer = {
  relation: 'r-1',
  debtor_number: '10240001',
  name: 'F.A. de Boer',
  email: 'fenna@voorbeeld.example',
  phone: '+31612345601',
  place: 'Grootegast',
  username: 'fenna.deboer',
  may_impersonate: true,
};
export const opened: CustomerRecord = {
  ...fenna,
  relation_since: '2016-03-14',
  addresses: [
    {
      address_type: 'SHIPPING',
      street: 'Molenweg',
      house_number: '12',
      house_number_extension: 'A',
      zip_code: '9861GT',
      city: 'Grootegast',
    },
  ],
};

/** A fake API with these pending requests. A decided one is no longer pending, and a second decision is rejected. */
export function staffApi(changes: Change[], more: Record<string, unknown> = {}) {
  const decide = (id: string, body: { state: Change['state']; reason?: string }) => {
    const c = changes.find((x) => x.id === id);
    if (!c) return undefined;
    if (c.state !== 'PENDING') return 'change_decided';
    Object.assign(c, body, { decided: '2026-11-20T10:00:00Z', by: 's', by_name: 'Ravi Ramdin' });
    return '';
  };
  return fakeApi({
    'GET /staff/changes/summary': () => {
      const counts: Record<string, number> = {};
      for (const c of changes) if (c.state === 'PENDING') counts[c.kind] = (counts[c.kind] ?? 0) + 1;
      return counts;
    },
    'GET /staff/changes': ({ query: { state, kind, q, oldest, limit = '50', after = '0' } }: FakeRequest) => {
      const all = changes.filter(
        (c) => (!state || c.state === state) && (!kind || c.kind === kind) && (!q || JSON.stringify(c).includes(q)),
      );
      if (oldest) all.sort((a, b) => a.filed.localeCompare(b.filed));
      const [from, most] = [Number(after), Number(limit)];
      const items = all.slice(from, from + most);
      return { items, ...(from + most < all.length ? { next: String(from + most) } : {}) };
    },
    'GET /staff/changes/{id}': ({ params }: FakeRequest) =>
      changes.find((c) => c.id === params.id) ??
      Response.json({ status: 404, code: 'not_found', title: 'not found' }, { status: 404 }),
    'POST /staff/changes/{id}/decision': ({ params, body }: FakeRequest) =>
      decide(params.id ?? '', body as never) === ''
        ? changes.find((c) => c.id === params.id)
        : Response.json({ status: 409, code: 'change_decided', title: 'decided' }, { status: 409 }),
    'POST /staff/changes/decisions': ({ body }: FakeRequest) => {
      const { ids, ...decision } = body as { ids: string[]; state: Change['state']; reason?: string };
      return {
        results: ids.map((id) => {
          const code = decide(id, decision);
          return code ? { id, code } : { id, state: decision.state };
        }),
      };
    },
    'POST /staff/customers/search': ({ body }: FakeRequest) => ({
      items: [fenna.debtor_number, fenna.email, 'boer'].includes((body as { q: string }).q) ? [fenna] : [],
    }),
    'GET /staff/customer-numbers': [],
    'GET /staff/recent-customers': [],
    'GET /staff/customers/{relation}': opened,
    'GET /staff/audit': { items: [] },
    'GET /staff/applications': [],
    'GET /sustainable/staff/payments': { content: [], number: 0, size: 25, totalPages: 0, totalElements: 0 },
    ...more,
  });
}

const staff = { id: 's', role: 'staff', name: 'Ravi Ramdin' } as const;
/** Every operation is available to staff. */
const operations: NonNullable<FakePortalProps['operations']> = new Proxy(
  {},
  { get: () => ({ access: 'key', effect: 'write', impersonation: false }) },
);
/** English texts of core's error codes, as in the shell. */
const core = {
  change_decided: 'This has been decided already.',
  unavailable: 'We cannot be reached right now.',
  unexpected: 'Something went wrong.',
};

/** Renders in English as staff by default. */
export function show(what: ReactElement, { portal, ...props }: Partial<FakePortalProps> = {}) {
  const messages = props.locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core };
  return render(
    <FakePortal
      module="staff"
      locale="en"
      at="/staff/changes"
      messages={messages}
      portal={{ session: staff, ...portal }}
      operations={operations}
      {...props}
    >
      {what}
    </FakePortal>,
  );
}

/** Returns the text of a cell without its column name, which only a card shows. */
export const cellText = (cell: Element): string => cell.querySelector(':scope > div')?.textContent ?? '';
