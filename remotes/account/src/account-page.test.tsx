import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect } from 'vitest';
import AccountPage from './account-page';
import remote from './remote';
import { customerApi, fenna, shipping, show } from './testing';

afterEach(cleanup);

const company = { coc_number: '90001024', vat_number: 'NL900010240B01', name: 'Bakkerij Ouwehand V.O.F.' };
/** Returns the facts of a card: label to text. */
const facts = async (title: string) => {
  const card = await screen.findByRole('region', { name: title });
  return Object.fromEntries(
    within(card)
      .getAllByRole('term')
      .map((t) => [t.textContent, t.nextElementSibling?.textContent]),
  );
};

describe('account page', () => {
  row(
    ['2.1-company-section', '5.4-phone-display', '3-relation-salutation'],
    'contact facts; no company without company data',
    async () => {
      customerApi();
      show(<AccountPage />);
      expect(await facts('Contact details')).toMatchObject({
        Name: 'Mrs F.A. de Boer',
        'Customer number': '10240001',
        'Email address': 'fenna@voorbeeld.example',
        'Phone number': '0612345601',
      });
      await waitFor(async () => expect((await facts('Contact details')).Username).toBe('fenna.deboer'));
      expect(screen.queryByRole('region', { name: 'Company' })).toBeNull();
    },
  );

  row('3-relation-salutation', 'each salutation has its text; with an unknown one there is only the name', async () => {
    for (const [salutation, name] of [
      ['MR', 'Mr F.A. de Boer'],
      ['THEHEIRSOF', 'The heirs of F.A. de Boer'],
      ['DR', 'F.A. de Boer'],
    ] as const) {
      customerApi({ 'GET /relations': { ...fenna, salutation } });
      show(<AccountPage />);
      expect((await facts('Contact details')).Name, salutation).toBe(name);
      cleanup();
    }
  });

  row(
    ['2.1-company-section', '3-company-extra-fields', '3-time-of-use-enum'],
    'extra company fields only when present',
    async () => {
      customerApi({ 'GET /relations': { ...fenna, company } });
      const { unmount } = show(<AccountPage />);
      expect(Object.keys(await facts('Company'))).toEqual(['Company name', 'Chamber of Commerce number', 'VAT number']);
      unmount();
      for (const [timeOfUse, hours] of [
        ['T_7_21', 'On working days from 7:00 to 21:00'],
        ['T_7_23', 'On working days from 7:00 to 23:00'],
        ['T_0_24', 'Day and night'],
      ] as const) {
        customerApi({ 'GET /relations': { ...fenna, company: { ...company, eanCode: '871600000000000017', timeOfUse } } });
        show(<AccountPage />);
        expect(await facts('Company'), timeOfUse).toEqual({
          'Company name': company.name,
          'Chamber of Commerce number': company.coc_number,
          'VAT number': company.vat_number,
          'EAN code': '87\u00a01600\u00a00000\u00a00000\u00a00017',
          'Normal tariff': hours,
        });
        cleanup();
      }
    },
  );

  row('9-glance', 'what other modules put on top comes before the sections', async () => {
    customerApi();
    show(<AccountPage />, { slot: ({ name }) => <p>slot {name}</p> });
    const first = await screen.findByRole('region', { name: 'Contact details' });
    expect(screen.getByText('slot account.top').compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(first.compareDocumentPosition(screen.getByText('slot account'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(remote.offers).toHaveProperty('account.top');
  });

  row(
    ['9-account-landing', '2.1-notices-place'],
    'the title is that of the details, also where members land; what comes first is above them',
    async () => {
      for (const [locale, title] of [
        ['nl', 'Mijn gegevens'],
        ['en', 'My details'],
      ] as const)
        for (const kind of ['participant', 'customer'] as const) {
          customerApi();
          show(<AccountPage />, { slot: ({ name }) => <p>slot {name}</p>, locale, portal: { kind } });
          const order = [
            screen.getByRole('heading', { level: 1, name: title }),
            screen.getByText('slot account.top'),
            screen.getByText('slot notice'),
            await screen.findByRole('region', { name: locale === 'nl' ? 'Contactgegevens' : 'Contact details' }),
          ];
          for (const [i, e] of order.slice(1).entries())
            expect(order[i]?.compareDocumentPosition(e)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
          cleanup();
        }
      expect(remote.routes?.find((r) => r.path === '/account')?.notices).toBe('page');
    },
  );

  row('4-pending-personal', 'the new value replaces the edit button', async () => {
    customerApi({
      'GET /relations/email': { change_email: 'nieuw@voorbeeld.example' },
      'GET /relations/phonenumber': { phone_number: '0687654321' },
      'GET /account': { user_name: 'fenna.deboer', change_username: 'fenna.nieuw' },
    });
    show(<AccountPage />, { locale: 'nl' });
    expect(await screen.findByText(/nieuw@voorbeeld.example/)).toBeVisible();
    expect(await facts('Contactgegevens')).toMatchObject({
      'E-mailadres': expect.stringMatching(/fenna@voorbeeld.example.*wordt gewijzigd in.*nieuw@voorbeeld.example/),
      Telefoonnummer: expect.stringMatching(/wordt gewijzigd in.*0687654321/),
      Gebruikersnaam: expect.stringMatching(/fenna.deboer.*wordt gewijzigd in.*fenna.nieuw/),
    });
    expect(screen.getAllByRole('button').map((b) => b.getAttribute('aria-label'))).toEqual(['Wachtwoord wijzigen']);
  });

  row('4-pending-personal', 'only the value that is being changed loses its button, until it is processed', async () => {
    const all = ['email address', 'phone number', 'username', 'password'].map((what) => `Change ${what}`);
    const changes = () => screen.queryAllByRole('button', { name: /^Change / }).map((b) => b.getAttribute('aria-label'));
    for (const [what, path, body] of [
      ['email address', 'GET /relations/email', { change_email: 'nieuw@voorbeeld.example' }],
      ['phone number', 'GET /relations/phonenumber', { phone_number: '0687654321' }],
      ['username', 'GET /account', { user_name: 'fenna.deboer', change_username: 'fenna.nieuw' }],
    ] as const) {
      customerApi({ [path]: body });
      show(<AccountPage />);
      await waitFor(() => expect(screen.getByText(/being changed to/)).toBeVisible());
      await waitFor(() => expect(changes()).toEqual(all.filter((name) => name !== `Change ${what}`)));
      cleanup();
    }
    customerApi(); // processed
    show(<AccountPage />);
    await waitFor(() => expect(changes()).toEqual(all));
    expect(screen.queryByText(/being changed to/)).toBeNull();
  });

  row(
    ['2.3-overlay-change-email', '2.3-overlay-change-phone', '2.3-overlay-change-password', '5.5-username-form'],
    'each edit button opens its overlay above the page',
    async () => {
      const overlays = (remote.overlays ?? []).map(({ name }) => ({ name }));
      const Where = () => <output>{useLocation().pathname}</output>;
      for (const [what, path] of [
        ['email address', '/account/change-email-address'],
        ['phone number', '/account/change-phonenumber'],
        ['username', '/account/change-username'],
        ['password', '/account/change-account-password'],
      ] as const) {
        customerApi();
        show(
          <>
            <Where />
            <AccountPage />
          </>,
          { overlays, route: '*' },
        );
        await userEvent.click(await screen.findByRole('button', { name: `Change ${what}` }));
        expect(screen.getByRole('status')).toHaveTextContent(path);
        cleanup();
      }
    },
  );

  row('6-impersonator-contact-edits', 'all four edit buttons are disabled, with the reason', async () => {
    customerApi();
    show(<AccountPage />, {
      portal: {
        session: {
          id: 's',
          role: 'customer',
          name: 'F.A. de Boer',
          impersonator: { name: 'Bram', until: '2026-11-20T11:00:00Z' },
        },
      },
      operations: Object.fromEntries(
        ['account.changeEmail', 'account.changePhone', 'account.changeUsername', 'core.changePassword'].map((id) => [
          id,
          { access: 'customer', effect: 'write', impersonation: false },
        ]),
      ),
    });
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Change/ })).toHaveLength(4));
    expect(screen.getByText(/^You are only viewing/)).toBeVisible();
    for (const button of screen.getAllByRole('button', { name: /^Change/ })) {
      expect(button).toHaveAttribute('aria-disabled', 'true');
      expect(button).toHaveAccessibleName(/cannot change anything/);
    }
  });

  row('2.1-account-addresses-rows', 'three delivery addresses in a row', async () => {
    customerApi({ 'GET /relations/addresses': [{ ...shipping(9), address_type: 'INVOICE' }, ...[1, 2, 3, 4].map(shipping)] });
    document.documentElement.style.setProperty('--w-gap', '24px'); // of the label
    show(<AccountPage />);
    const list = await screen.findByRole('list');
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((i) => i.textContent),
    ).toEqual([1, 2, 3, 4].map((n) => `Molenweg ${n}9861 GT  Grootegast`));
    expect(getComputedStyle(list).getPropertyValue('--of')).toMatch(/\/ 3\)$/);
  });

  row('3-address-camel-case', 'an address in camel case is shown as well', async () => {
    customerApi({
      'GET /relations/addresses': [
        {
          addressType: 'SHIPPING',
          street: 'Dam',
          houseNumber: 1,
          houseNumberExtension: 'A',
          zipCode: '1012JS',
          city: 'Amsterdam',
        },
      ],
    });
    show(<AccountPage />);
    expect((await screen.findByRole('listitem')).textContent).toBe('Dam 1 A1012 JS  Amsterdam');
  });

  row('6-sustainable-skip-addresses', 'a label without addresses has no section and makes no call', async () => {
    const api = customerApi();
    show(<AccountPage />, { settings: { show_shipping_addresses: false } });
    await facts('Contact details');
    expect(screen.queryByText('Delivery addresses')).toBeNull();
    expect(api.calls.map((c) => c.path)).not.toContain('/relations/addresses');
  });

  row('8-addresses-failed', 'the list is empty and the page keeps working', async () => {
    customerApi({ 'GET /relations/addresses': refuse(500, 'internal') });
    show(<AccountPage />);
    expect(await screen.findByText('There are no delivery addresses to show.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect((await facts('Contact details')).Name).toBe('Mrs F.A. de Boer');
  });

  row('8-relation-missing', 'an introduction and a text for no data', async () => {
    customerApi({ 'GET /relations': refuse(404, 'not_found') });
    show(<AccountPage />);
    expect(await screen.findByText('We have no details of yours yet')).toBeVisible();
    expect(screen.getByText(/^This is what we know about you/)).toBeVisible();
    // no details of a relation, but the list of sessions is shown
    expect(screen.getAllByRole('region').map((r) => r.getAttribute('aria-labelledby') && r.textContent)).toEqual([
      expect.stringMatching(/^Where you are signed in/),
    ]);
  });
});
