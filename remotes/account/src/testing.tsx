// Shared by this remote's tests: a fake customer API, and a page around the tested component.

import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { FakePortal, type FakePortalProps, fakeApi } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import en from './messages/en.json';
import nl from './messages/nl.json';
import type { Relation } from './relation.rules';

export const fenna: Relation = {
  debtor_number: '10240001',
  relation_since: '2016-03-14',
  salutation: 'MRS',
  initials: 'F.A.',
  prefix: 'de',
  last_name: 'Boer',
  email: 'fenna@voorbeeld.example',
  phone_number: '+31612345601',
  bank_account_number: 'NL38WATT0000001117',
  bank_account_name: 'F.A. de Boer',
  addresses: [
    {
      address_type: 'INVOICE',
      street: 'Molenweg',
      house_number: '18',
      house_number_extension: '',
      zip_code: '9861GT',
      city: 'Grootegast',
      connections: [],
    },
  ],
};

export const shipping = (n: number) => ({
  address_type: 'SHIPPING',
  street: 'Molenweg',
  house_number: String(n),
  house_number_extension: '',
  zip_code: '9861GT',
  city: 'Grootegast',
  connections: [],
});

/** Opens a section of the account page, and returns it. */
export async function opened(name: string | RegExp) {
  const section = await screen.findByRole('region', { name });
  const [handle] = within(section).queryAllByRole('button');
  if (handle?.getAttribute('aria-expanded') === 'false') await userEvent.click(handle);
  return section;
}

/** A fake API without pending changes; `more` adds or replaces responses. */
export const customerApi = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'GET /relations': fenna,
    'GET /relations/addresses': [shipping(1), shipping(2)],
    'GET /relations/email': ({ query }: { query: Record<string, string> }) =>
      query.request ? { change_email: '' } : { email: fenna.email },
    'GET /relations/phonenumber': ({ query }: { query: Record<string, string> }) => ({
      phone_number: query.request ? '' : fenna.phone_number,
    }),
    'GET /account': { user_name: 'fenna.deboer' },
    'GET /account/access-log': { items: [] },
    'GET /auth/sessions': [],
    ...more,
  });

/** English texts of core's error codes, as in the shell. */
const core = {
  required: 'Fill in this field.',
  change_pending: 'You have already asked for this change.',
  password_policy: 'Choose a password of at least 8 characters, with lowercase letters, uppercase letters and digits.',
  password_common:
    'This password is on a list of common passwords, so it is quickly guessed. Choose another one, for example a few words in a row with a digit.',
  password_from_name: 'This password is built from your name, so it is easily guessed. Choose one without your name.',
  password_from_username: 'This password is built from your username, so it is easily guessed. Choose one without your username.',
  password_from_email:
    'This password is built from your email address, so it is easily guessed. Choose one without that address.',
  password_from_label: 'This password is built from our name, so it is easily guessed. Choose one without our name.',
  unavailable: 'We cannot be reached right now. Try again in a moment.',
  unexpected: 'Something went wrong.',
};

/** Renders for a customer, and in English by default, because the requirements quote the English texts. */
export function show(what: ReactElement, props: Partial<FakePortalProps> = {}) {
  const messages = props.locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core };
  return render(
    <FakePortal
      module="account"
      locale="en"
      at="/account"
      messages={messages}
      settings={{ show_shipping_addresses: true }}
      {...props}
      portal={{
        kind: 'customer',
        landing: props.portal?.kind === 'participant' ? '/account' : '/dashboard',
        ...props.portal,
      }}
    >
      {what}
    </FakePortal>,
  );
}
