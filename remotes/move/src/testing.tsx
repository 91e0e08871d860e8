// Shared by this remote's tests: a fake customer API, and a page around the tested component.

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakePortal, type FakePortalProps, type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import { expect } from 'vitest';
import type { Agreement } from './agreement.rules';
import type { Found, MoveRequest } from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';
import type { Draft } from './wizard.rules';

export const home: Agreement['addresses'][number] = {
  address_type: 'SHIPPING',
  street: 'Molenweg',
  house_number: '18',
  house_number_extension: '',
  zip_code: '9861GT',
  city: 'Grootegast',
  connections: [
    { ean_code: '871600000000000024', commodity: 'GAS' },
    { ean_code: '871600000000000017', commodity: 'ELECTRICITY' },
  ],
};
export const shop: Agreement['addresses'][number] = {
  ...home,
  street: 'Brugstraat',
  house_number: '7',
  zip_code: '9712AB',
  city: 'Groningen',
};

export const agreement = (id: string, more: Partial<Agreement> = {}): Agreement => ({
  agreement_identifier_with_sequence: id,
  name: `Vast ${id}`,
  company_name: '',
  status: 'ACTIVE',
  period: { from: '2024-01-01', to: null },
  addresses: [home],
  ...more,
});

export const filed = (more: Partial<MoveRequest> = {}): MoveRequest => ({
  id: 'm-1',
  state: 'PENDING',
  filed: '2026-11-20T10:00:00Z',
  decided: null,
  reason: '',
  agreement_identifier_with_sequence: 'A-1',
  commodities: ['ELECTRICITY', 'GAS'],
  old_address: { street: 'Molenweg', house_number: '18', house_number_extension: '', zip_code: '9861GT', city: 'Grootegast' },
  new_address: { street: 'Lindelaan', house_number: '7', house_number_extension: '', zip_code: '9731AB', city: 'Groningen' },
  start_date: '2026-11-22',
  stop_date: null,
  is_residential: true,
  address_type: 'SHIPPING',
  unchecked: false,
  ...more,
});

const both = { ELECTRICITY: ['871600000000090018'], GAS: ['871600000000090025'] };
const none = { ELECTRICITY: [], GAS: [] };
const place = (street: string, house_number: string, extension: string, zip_code: string) => ({
  street,
  city: 'Groningen',
  house_number,
  extension,
  zip_code,
});
/** The fake address register: by postal code and number, and by extension if given. */
export function register({ query }: FakeRequest): Found | Response {
  const { zipCode, houseNumber, houseNumberExtension: extension } = query;
  switch (`${zipCode} ${houseNumber}`) {
    case '9731AB 7':
      return { address: place('Lindelaan', '7', '', '9731AB'), alternatives: [], eansPerCommodity: both };
    case '9861GT 18': // the old address
      return { address: place('Molenweg', '18', '', '9861GT'), alternatives: [], eansPerCommodity: both };
    case '9746TE 21': // no gas
      return {
        address: place('Zonneweide', '21', '', '9746TE'),
        alternatives: [],
        eansPerCommodity: { ELECTRICITY: ['871600000000090193'], GAS: [] },
      };
    case '9723HG 3':
      return {
        address: place('Fabrieksweg', '3', '', '9723HG'),
        alternatives: [],
        eansPerCommodity: { ...both, ELECTRICITY: ['871600000000090209', '871600000000090216'] },
      };
    case '9711CD 12':
      if (extension === undefined)
        return {
          address: null,
          alternatives: ['', 'A', 'bis'].map((e) => ({ houseNumberExtension: e })),
          eansPerCommodity: none,
        };
      if (['', 'A', 'BIS'].includes(extension.toUpperCase()))
        return { address: place('Havenstraat', '12', extension, '9711CD'), alternatives: [], eansPerCommodity: both };
      return refuse(404, 'move.address_unknown');
    case '9799ZZ 1':
      return refuse(503, 'move.register_down');
  }
  return refuse(404, 'move.address_unknown');
}

/** A fake API of a customer with one agreement at one address; `more` adds or replaces responses. */
export const customerApi = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'GET /agreements': [agreement('A-1'), agreement('A-0', { status: 'TERMINATED' })],
    'GET /moves': [],
    'GET /address': register,
    'PUT /move': undefined,
    ...more,
  });

/** English texts of core's error codes, as in the shell. */
const core = {
  change_pending: 'You have already asked for this change.',
  too_many_calls: 'That went a little fast.',
  unavailable: 'We cannot be reached right now.',
  unexpected: 'Something unexpected happened.',
  'core.may.impersonator': 'You are only viewing this portal, so you cannot change anything.',
};

/** Renders in English by default, because the requirements quote the English texts. */
export function show(what: ReactElement, props: Partial<FakePortalProps> = {}) {
  const messages = props.locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core };
  return render(
    <FakePortal
      module="move"
      locale="en"
      at="/move"
      messages={messages}
      overlays={[{ name: 'stop-date-notification' }]}
      {...props}
    >
      {what}
    </FakePortal>,
  );
}

export const impersonated: Partial<FakePortalProps> = {
  portal: { session: { id: 'customer-1', role: 'customer', name: 'J. de Vries', impersonator: { name: 'S', until: '' } } },
  operations: { 'move.requestMove': { access: 'customer', effect: 'write', impersonation: false } },
};

const stored = 'wattle:draft:test:customer-1:move:wizard';
/** Returns the draft in the tab's storage, or null. */
export const storedDraft = (): Partial<Draft> | null => JSON.parse(sessionStorage.getItem(stored) ?? 'null');
/** Stores a draft in the tab, as if before a reload. */
export const keepDraft = (part: Partial<Draft>): void =>
  sessionStorage.setItem(
    stored,
    JSON.stringify({
      id: 'draft-1',
      agreement: 'A-1',
      zipCode: '9731 AB',
      houseNumber: '7',
      extension: null,
      asked: { zipCode: '9731AB', houseNumber: '7' },
      ...part,
    }),
  );

export const step = (name: string) => screen.findByRole('heading', { level: 2, name });
export const next = () => screen.getByRole('button', { name: 'Next' });
/** Fills in postal code and number, and leaves the fields. */
export async function enter(zip: string, number: string): Promise<void> {
  await step('Where are you moving to?');
  for (const [label, value] of [
    ['Postal code', zip],
    ['House number', number],
  ] as const) {
    const field = screen.getByRole('textbox', { name: label });
    await userEvent.clear(field);
    await userEvent.type(field, value);
  }
  await userEvent.tab();
}
/** Fills in the wizard from page 1 to the summary. */
export async function fillIn(zip = '9731ab', number = '7'): Promise<void> {
  await enter(zip, number);
  await screen.findByText('Lindelaan 7');
  await userEvent.click(next());
  await step('When are you moving?');
  await userEvent.click(screen.getByRole('button', { name: /^as soon as possible/ }));
  await userEvent.click(next());
  expect(await step('Is everything right?')).toBeVisible();
}
