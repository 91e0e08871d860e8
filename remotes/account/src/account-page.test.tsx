import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, useLocation } from '@wattle/sdk';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect } from 'vitest';
import AccountPage from './account-page';
import remote from './remote';
import { customerApi, fenna, opened, shipping, show } from './testing';

afterEach(cleanup);

const company = { coc_number: '90001024', vat_number: 'NL900010240B01', name: 'Bakkerij Ouwehand V.O.F.' };
/** Returns the facts in a section, by label. */
const facts = async (title: string) => {
  const section = await opened(title);
  return Object.fromEntries(
    (await within(section).findAllByRole('term')).map((t) => [t.textContent, t.nextElementSibling?.textContent]),
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
        Address: 'Molenweg 18, 9861 GT  Grootegast',
        'Email address': 'fenna@voorbeeld.example',
        'Phone number': '0612345601',
      });
      await waitFor(async () => expect((await facts('Contact details')).Username).toBe('fenna.deboer'));
      expect(screen.queryByRole('region', { name: 'Company' })).toBeNull();
      cleanup();
      customerApi({ 'GET /relations': { ...fenna, addresses: [shipping(1)] } });
      show(<AccountPage />);
      expect(await facts('Contact details'), 'not the address of a connection').not.toHaveProperty('Address');
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

  row(
    ['9-account-landing', '9-glance', '9-glance-due', '2.1-notices-place'],
    'where members land they are welcomed, with their shares and what must be paid first; elsewhere details come first',
    async () => {
      const session = { id: '1', role: 'customer', name: 'F.A. de Boer' } as const;
      for (const [locale, kind, landing, who, title] of [
        ['nl', 'participant', '/account', { ...session, preferredName: 'Fenna' }, 'Welkom, Fenna'],
        ['en', 'participant', '/account', { ...session, preferredName: 'Fenna' }, 'Welcome, Fenna'],
        ['en', 'participant', '/account', session, 'Welcome, F.A. de Boer'],
        ['en', 'participant', '/home', session, 'My details'],
        ['nl', 'customer', '/dashboard', session, 'Mijn gegevens'],
        ['en', 'customer', '/home', session, 'My details'],
      ] as const) {
        customerApi();
        const portal = { kind, landing, session: who };
        show(<AccountPage />, { slot: ({ name, group = '' }) => <p>{`slot ${name} ${group}`.trim()}</p>, locale, portal });
        const contact = locale === 'nl' ? 'Contactgegevens' : 'Contact details';
        const details = { name: locale === 'nl' ? 'Mijn gegevens' : 'My details' };
        const lands = landing === '/account';
        const glance = [screen.getByText('slot account.top'), screen.getByText('slot due')];
        const notices = screen.getByText('slot notice');
        const sections = [
          await screen.findByRole('heading', { level: lands ? 4 : 3, name: new RegExp(`^${contact}`) }),
          screen.getByText('slot account contract'),
          screen.getByText('slot account security'),
        ];
        const order = [
          screen.getByRole('heading', { level: 1, name: title }),
          ...(lands
            ? [...glance, notices, screen.getByRole('heading', { ...details, level: 2 }), ...sections]
            : [notices, ...sections, ...glance]),
        ];
        expect(screen.getAllByText(locale === 'nl' ? /^Dit weten we van je/ : /^This is what we know about you/)).toHaveLength(1);
        for (const [i, e] of order.slice(1).entries())
          expect(order[i]?.compareDocumentPosition(e), `9-account-landing ${landing}`).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
        cleanup();
      }
      expect(remote.routes?.find((r) => r.path === '/account')?.notices).toBe('page');
      expect(remote.offers).toHaveProperty('account.top');
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
    expect(screen.queryByRole('button', { name: /wijzigen$/ })).toBeNull();
  });

  row('4-pending-personal', 'only the value that is being changed loses its button, until it is processed', async () => {
    const all = ['email address', 'phone number', 'username'].map((what) => `Change ${what}`);
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
        if (what === 'password') await opened('Password');
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
    await opened('Password');
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Change/ })).toHaveLength(4));
    expect(screen.getByText(/^You are only viewing/)).toBeVisible();
    for (const button of screen.getAllByRole('button', { name: /^Change/ })) {
      expect(button).toHaveAttribute('aria-disabled', 'true');
      expect(button).toHaveAccessibleName(/cannot change anything/);
    }
  });

  row('2.1-account-addresses-rows', 'three delivery addresses in a row', async () => {
    customerApi({ 'GET /relations/addresses': [{ ...shipping(9), address_type: 'INVOICE' }, ...[1, 2, 3, 4].map(shipping)] });
    document.documentElement.style.setProperty('--w-gap', '24px'); // the label's
    show(<AccountPage />);
    const list = await within(await opened('Delivery addresses')).findByRole('list');
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
    const section = await opened('Delivery addresses');
    expect((await within(section).findByRole('listitem')).textContent).toBe('Dam 1 A1012 JS  Amsterdam');
  });

  row('6-sustainable-skip-addresses', 'a label without addresses has no section and makes no call', async () => {
    const api = customerApi();
    show(<AccountPage />, { settings: { show_shipping_addresses: false } });
    await facts('Contact details');
    expect(screen.queryByRole('region', { name: 'Delivery addresses' })).toBeNull();
    expect(api.calls.map((c) => c.path)).not.toContain('/relations/addresses');
  });

  row('8-addresses-failed', 'the list is empty and the page keeps working', async () => {
    for (const failure of [refuse(404, 'not_found'), refuse(500, 'internal'), () => Promise.reject(new TypeError('network'))]) {
      customerApi({ 'GET /relations/addresses': failure });
      show(<AccountPage />);
      await opened('Delivery addresses');
      expect(await screen.findByText('There are no delivery addresses to show.')).toBeVisible();
      expect(screen.queryByRole('alert')).toBeNull();
      expect((await facts('Contact details')).Name).toBe('Mrs F.A. de Boer');
      cleanup();
    }
  });

  row('8-relation-missing', 'an introduction and a text for no data', async () => {
    customerApi({ 'GET /relations': refuse(404, 'not_found') });
    show(<AccountPage />);
    expect(await screen.findByText('We have no details of yours yet')).toBeVisible();
    expect(screen.getByText(/^This is what we know about you/)).toBeVisible();
    // no relation details, but the list of sessions is shown
    expect(screen.getAllByRole('button', { expanded: false }).map((b) => b.textContent)).toEqual([
      expect.stringContaining('Password'),
      expect.stringContaining('Where you are signed in'),
    ]);
    expect(screen.queryByText('Personal'), '9-account-groups: none without sections').not.toBeVisible();
  });

  describe('sections', () => {
    const states = () =>
      screen
        .getAllByRole('button')
        .filter((b) => b.hasAttribute('aria-expanded'))
        .map((b) => [b.textContent, b.getAttribute('aria-expanded')]);
    /** Sections of other modules, as the shell renders them. */
    const others: NonNullable<Parameters<typeof show>[1]>['slot'] = ({ name, group, frame, children }) =>
      name === 'account' ? (
        <>
          {group === 'contract' &&
            frame?.({
              id: 'payment',
              module: 'billing',
              size: 'full',
              title: 'Payment',
              summary: '•• 11 17',
              children: <p>all of it</p>,
            })}
          {children}
        </>
      ) : null;

    row(
      '9-account-sections',
      'each is a row with its most important line, but the contact details are open where nobody lands',
      async () => {
        for (const [kind, contact] of [
          ['participant', ['Contact detailsfenna@voorbeeld.example', 'false']],
          ['customer', ['Contact details', 'true']],
        ] as const) {
          customerApi({ 'GET /relations': { ...fenna, company } });
          show(<AccountPage />, { portal: { kind }, slot: others });
          await screen.findByText('Nobody has looked at your details yet.', { selector: 'button *' });
          await waitFor(() =>
            expect(states(), '9-account-sections').toEqual([
              contact,
              ['Delivery addressesMolenweg 1, Molenweg 2', 'false'],
              ['CompanyBakkerij Ouwehand V.O.F.', 'false'],
              ['Payment•• 11 17', 'false'],
              ['Password••••••••', 'false'],
              ['Where you are signed inOn 0 devices', 'false'],
              ['Who viewed your detailsNobody has looked at your details yet.', 'false'],
            ]),
          );
          cleanup();
        }
      },
    );

    row('9-account-groups', 'the customer, contract and payment, privacy and security, each with a small heading', async () => {
      for (const [locale, kind, groups] of [
        ['nl', 'participant', ['Persoonlijk', 'Contract en betaling', 'Privacy en beveiliging']],
        ['en', 'customer', ['Personal', 'Contract and payment', 'Privacy and security']],
      ] as const) {
        customerApi({ 'GET /relations': { ...fenna, company } });
        show(<AccountPage />, { locale, portal: { kind }, slot: others });
        const of = (name: string) => within(screen.getByRole('group', { name }));
        await waitFor(() => expect(groups.map((name) => of(name).getAllByRole('region').length)).toEqual([3, 1, 3]));
        expect(of(groups[2]).getByRole('region', { name: locale === 'nl' ? 'Wachtwoord' : 'Password' })).toBeVisible();
        for (const name of groups)
          expect(
            of(name).getByRole('heading', { name, level: kind === 'participant' ? 3 : 2 }),
            '9-account-groups',
          ).toBeVisible();
        cleanup();
      }
    });

    row(
      '9-account-sections',
      'those of a group are in one card; a button opens each in its place and closes it again',
      async () => {
        customerApi();
        show(<AccountPage />, { slot: others });
        const all = await Promise.all(
          ['Password', 'Where you are signed in', 'Who viewed your details'].map((name) => screen.findByRole('region', { name })),
        );
        expect(new Set(all.map((section) => section.parentElement)).size, 'one card').toBe(1);
        expect(screen.getByText('all of it')).not.toBeVisible();
        await userEvent.click(screen.getByRole('button', { name: 'Payment •• 11 17' }));
        expect(screen.getByText('all of it')).toBeVisible();
        await userEvent.click(screen.getByRole('button', { name: 'Payment' }));
        expect(screen.getByText('all of it')).not.toBeVisible();
        expect(screen.getByRole('button', { name: 'Payment •• 11 17' })).toHaveAttribute('aria-expanded', 'false');
      },
    );

    row('9-account-sections', 'a link to its anchor opens a section and takes focus there, also a second time', async () => {
      customerApi();
      show(
        <>
          <Link to="/account#account.contact-info">go</Link>
          <AccountPage />
        </>,
        { at: '/account#billing.payment', slot: others, portal: { kind: 'participant' } },
      );
      const payment = await screen.findByRole('button', { name: 'Payment' });
      expect(payment).toHaveAttribute('aria-expanded', 'true');
      expect(payment).toHaveFocus();
      expect(document.getElementById('billing.payment')).toContainElement(payment);
      const contact = screen.getByRole('button', { name: /^Contact details/ });
      for (let time = 0; time < 2; time++) {
        expect(contact).toHaveAttribute('aria-expanded', 'false');
        await userEvent.click(screen.getByRole('link', { name: 'go' }));
        expect(contact).toHaveAttribute('aria-expanded', 'true');
        expect(contact).toHaveFocus();
        await userEvent.click(contact);
      }
    });
  });
});
