// Shared by this remote's tests: a fake customer API, and a page around the tested component.

import { render } from '@testing-library/react';
import { FakePortal, type FakePortalProps, fakeApi } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import type { Agreement } from './agreement.rules';
import type { Periodical, Product } from './api';
import type { Invoice } from './invoice.rules';
import en from './messages/en.json';
import nl from './messages/nl.json';

export const home: Agreement['addresses'][number] = {
  address_type: 'SHIPPING',
  street: 'Molenweg',
  house_number: '12',
  house_number_extension: 'A',
  zip_code: '9861GT',
  city: 'Grootegast',
  connections: [
    { ean_code: '871687940000000017', commodity: 'ELECTRICITY' },
    { ean_code: '871687940000000024', commodity: 'GAS' },
  ],
};

export function agreement({ id, from, ...more }: { id: string; from: string } & Partial<Agreement>): Agreement {
  return {
    agreement_id: `uuid-${id}`,
    agreement_identifier: id.split('-')[0] ?? id,
    agreement_identifier_with_sequence: id,
    name: `Vast 3 jaar ${id}`,
    company_name: '',
    period: { from, to: null },
    product_category: 'ENERGY',
    status: 'ACTIVE',
    current: true,
    addresses: [home],
    tariff_sheets: [],
    invoices: [],
    price_agreements: [],
    ...more,
  };
}

export function invoice(id: string, due: string, more: Partial<Invoice> = {}): Invoice {
  return {
    invoice_id: id,
    agreement_identifier_with_sequence: 'A-2',
    invoice_type: 'PERIODICAL',
    amount: 125,
    balance: 0,
    invoice_link: `/api/v0/invoices/${id}/file`,
    issue_date: due,
    due_date: due,
    period_start_date: `${due.slice(0, 7)}-01`,
    period_end_date: `${due.slice(0, 7)}-28`,
    payment_status: 'PAID',
    ...more,
  };
}

export const periodical = (more: Partial<Periodical> = {}): Periodical => ({
  agreement_identifier_with_sequence: 'A-2',
  current_amount: 125,
  min_amount: 90,
  max_amount: 180,
  proposed_amount: 140,
  payment_method: 'DIRECT_DEBIT_CONSUMER',
  next_collection: '2026-11-28',
  counts_from: '2026-12-28',
  year_end: { expected_cost: 1680, paid: 750, months_left: 6, months_unchanged: 0, settles_on: '2027-05-01' },
  ...more,
});

export const product: Product = {
  product_code: 'ST-VAST',
  name: 'Stroom vast 3 jaar',
  commodity: 'ELECTRICITY',
  start_date: '2025-05-01',
  end_date: null,
  agreement_identifier: 'A',
};

/** A fake API of a customer with two agreements, one of them ended; `more` adds or replaces responses. */
export const customerApi = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'GET /agreements': [
      agreement({ id: 'A-1', from: '2020-05-01', status: 'TERMINATED', current: false }),
      agreement({ id: 'A-2', from: '2025-05-01' }),
    ],
    'GET /periodicalPayments': [periodical()],
    'GET /relations/bankAccountNumber': undefined,
    'GET /bankAccountDetails': {
      bank_account_name: 'F.A. de Boer',
      bank_account_number: 'NL38WATT0000001117',
      payment_method: 'DIRECT_DEBIT_CONSUMER',
    },
    'GET /relations': {
      debtor_number: '10420001',
      bank_account_number: 'NL38WATT0000001117',
      bank_account_name: 'F.A. de Boer',
    },
    'GET /relations/products': [product],
    ...more,
  });

/** English texts of core's error codes, as in the shell. */
const core = {
  required: 'Fill in this field.',
  change_pending: 'You have already asked for this change.',
  unavailable: 'We cannot be reached right now.',
  unexpected: 'Something went wrong.',
  'core.may.impersonator': 'You are only viewing this portal, so you cannot change anything.',
};

const customer = { access: 'customer', effect: 'write', impersonation: false } as const;
export const impersonated: Partial<FakePortalProps> = {
  portal: { session: { id: 'customer-1', role: 'customer', name: 'J. de Vries', impersonator: { name: 'S', until: '' } } },
  operations: { 'billing.changeIBAN': customer, 'billing.changePeriodical': customer },
};

/** Renders in English by default, because the requirements quote the English texts. */
export function show(what: ReactElement, props: Partial<FakePortalProps> = {}) {
  const messages = props.locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core };
  return render(
    <FakePortal
      module="billing"
      locale="en"
      at="/invoices"
      messages={messages}
      settings={{ bank_account_details: true }}
      {...props}
    >
      {what}
    </FakePortal>,
  );
}
