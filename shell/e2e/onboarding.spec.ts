import type { Page } from '@playwright/test';
import { customers, expect, type Portal, participants, phone, rows, test } from './harness';

interface Mail {
  to: string;
  code?: string;
  lines: string[];
  button?: { path: string };
}
/** Returns the newest matching email to an address. */
async function newestMail(portal: Portal, to: string, fits: (mail: Mail) => boolean): Promise<Mail> {
  let found: Mail | undefined;
  await expect(async () => {
    const answer = await portal.page.request.get(`http://127.0.0.1:${portal.server.port}/dev/mailbox/`, {
      headers: { Host: `${portal.host}:${portal.server.port}`, Accept: 'application/json' },
    });
    const mails = (await answer.json()) as { mail: Mail }[];
    found = mails.map((m) => m.mail).find((m) => m.to === to && fits(m));
    expect(found).toBeDefined();
  }).toPass();
  return found as Mail;
}

interface Change {
  id: string;
  kind: string;
  data: { email?: string };
}
/** Decides the application of an email address as staff, after it has arrived (4-access-approval). */
async function decide(portal: Portal, email: string, state: 'PROCESSED' | 'REJECTED', reason = ''): Promise<void> {
  const staff = await portal.customer({ role: 'staff' });
  const { id_token } = (
    await portal.post<{ id_token: string }>('/auth/sign-in', { username: staff.username, password: staff.password })
  ).body;
  const headers = { Host: `${portal.host}:${portal.server.port}`, Authorization: `Bearer ${id_token}` };
  const api = `http://127.0.0.1:${portal.server.port}/api/v0/staff/changes`;
  let id: string | undefined;
  await expect(async () => {
    const answer = await portal.page.request.get(`${api}?state=PENDING`, { headers });
    const { items } = (await answer.json()) as { items: Change[] };
    id = items.find((c) => c.kind === 'onboarding.application' && JSON.stringify(c.data).includes(email))?.id;
    expect(id).toBeDefined();
  }).toPass();
  const answer = await portal.page.request.post(`${api}/${id}/decision`, { headers, data: { state, reason } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

let count = 0;
const address = () => `nieuw-${process.pid}-${Date.now()}-${++count}@voorbeeld.example`;

/** Fills in the form, using some spellings that people use. */
async function fill(page: Page, email: string): Promise<void> {
  await page.getByLabel('Vrouw').check();
  await page.getByLabel('Voorletters').fill('Z.M.');
  await page.getByLabel('Roepnaam').fill('Zoë');
  await page.getByLabel('Tussenvoegsel').fill('van der');
  await page.getByLabel('Achternaam').fill("Smit-D'Ancona");
  await page.getByLabel('Geboortedatum').fill('29-2-1996');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Telefoonnummer').fill('+31 6 1234 5678');
  await page.getByLabel('Postcode').fill('9731 ab');
  await page.getByLabel('Huisnummer').fill('7');
  await page.getByLabel('Rekeningnummer (IBAN)').fill('nl91 abna 0417 1643 00');
  await page.getByLabel('Naam op de rekening').fill('Z.M. van der Smit');
}
const send = (page: Page) => page.getByRole('button', { name: 'Aanvraag versturen' });

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Gebruikersnaam').fill(username);
  await page.getByRole('textbox', { name: 'Wachtwoord', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Inloggen' }).click();
}
/** Signs in with the temporary password from an email, and chooses a password. */
async function firstSignIn(portal: Portal, mail: Mail): Promise<void> {
  const username = /(?:gebruikersnaam is) (\S+)\.(?:\s|$)/.exec(mail.lines.join(' '))?.[1] ?? '';
  expect(username).not.toBe('');
  await portal.open('/');
  await signIn(portal.page, username, mail.code ?? '');
  await expect(portal.heading()).toHaveText('Kies je eigen wachtwoord');
  await portal.page.getByLabel('Nieuw wachtwoord').fill('Eigen-2026-wachtwoord');
  await portal.page.getByLabel('Herhaal het nieuwe wachtwoord').fill('Eigen-2026-wachtwoord');
  await portal.page.getByRole('button', { name: 'Opslaan en inloggen' }).click();
  await expect(portal.page.getByRole('navigation', { name: 'Hoofdmenu' })).toBeVisible();
}

test(
  rows(
    ['4-access-approval', '2.4-register-success', '2.4-pending-page', '2.4-register-fields', '5.9-address-check-trigger'],
    'from registration, mail and approval to the first sign-in',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const email = address();
    await portal.open('/');
    await page.getByRole('link', { name: 'Nog geen account? Vraag er een aan' }).click();
    await expect(page).toHaveURL(portal.url('/register'));
    await expect(portal.heading()).toHaveText('Account aanvragen');
    const worker = page.waitForEvent('worker'); // the proof of work runs in a worker, which the content security policy allows
    await fill(page, email);
    await worker;
    await expect(page.getByText('Lindelaan 7'), '5.9-address-check-trigger').toBeVisible();
    await expect(page.getByText('9731 AB Groningen')).toBeVisible();
    await portal.accessible();
    await send(page).click();
    await expect(page, '2.4-register-success').toHaveURL(portal.url('/pending-page'));
    await expect(portal.heading()).toHaveText('We hebben je aanvraag ontvangen');
    await expect(page.getByRole('main').getByRole('link', { name: '088 400 10 24' }), '2.4-pending-page').toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'leden@polderwiek.example' })).toBeVisible();
    await page.reload(); // without signing in (2.4-pending-page-reconcile)
    await expect(portal.heading()).toHaveText('We hebben je aanvraag ontvangen');

    const verify = await newestMail(portal, email, (m) => m.button?.path.startsWith('/verify/') ?? false);
    await portal.open(verify.button?.path ?? '');
    await expect(page.getByText('Je e-mailadres is bevestigd')).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Je aanvraag is nu compleet.');
    await expect(page.getByRole('main')).not.toContainText('gebruiken we dit adres');
    await decide(portal, email, 'PROCESSED');
    await firstSignIn(portal, await newestMail(portal, email, (m) => (m.code ?? '') !== ''));
    await portal.open('/account');
    await expect(page.getByRole('main'), '2.4-register-fields').toContainText("Z.M. van der Smit-D'Ancona");
    await expect(page.getByRole('main'), '4-access-approval').toContainText(email);
  },
);

test(
  rows('4-access-approval', '@daily an application that is rejected: a mail with the reason and no login'),
  async ({ at, page }) => {
    const portal = at(participants);
    const email = address();
    await portal.open('/register');
    await fill(page, email);
    await send(page).click();
    await expect(page).toHaveURL(portal.url('/pending-page'));
    const verify = await newestMail(portal, email, (m) => m.button?.path.startsWith('/verify/') ?? false);
    await portal.open(verify.button?.path ?? '');
    await decide(portal, email, 'REJECTED', 'Je woont buiten ons gebied');
    const mail = await newestMail(portal, email, (m) => m.lines.some((l) => l.includes('Je woont buiten ons gebied')));
    expect(mail.code ?? '').toBe('');
  },
);

test(
  rows('1-register-label', 'the form exists in a label that accepts registrations; others show that it is not available'),
  async ({ at, page }) => {
    for (const host of ['1000', '1008', '1021', '1025', '1042', '1058', '1060', '1071', '1086', '1095']) {
      const portal = at(`${host}.localhost`);
      await portal.open('/register');
      await expect(portal.heading(), host).toHaveText('Een account aanvragen is hier niet beschikbaar');
      await expect(page.locator('form, main input'), host).toHaveCount(0);
    }
    const closed = at(customers);
    await closed.open('/');
    await expect(page.getByRole('button', { name: 'Eerste keer hier? Activeer je account' })).toBeVisible();
    await expect(page.getByRole('link', { name: /Nog geen account/ })).toHaveCount(0);
    const open = at(participants);
    await open.open('/register');
    await expect(send(page)).toBeVisible();
  },
);

test(
  rows(
    ['5.9-required', '5.9-names-message', '5.9-address-check-404', '5.9-iban', '5.9-age'],
    'errors are at their field with the text of the rule; nothing is sent and nothing is lost',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    let sent = 0;
    page.on('request', (r) => {
      if (r.url().endsWith('/account/request')) sent++;
    });
    await portal.open('/register');
    await send(page).click({ force: true });
    await expect(page.getByLabel('Voorletters'), '5.9-required').toHaveAccessibleDescription(/Vul je voorletters in/);
    await fill(page, address());
    await page.getByLabel('Roepnaam').fill('Zoë 2');
    await page.getByLabel('Geboortedatum').fill('21-11-2008');
    await page.getByLabel('Rekeningnummer (IBAN)').fill('NL92ABNA0417164300');
    await page.getByLabel('Huisnummer').fill('8888');
    await page.getByLabel('Toevoeging').fill('bis');
    await page.getByLabel('Toevoeging').blur();
    await expect(page.getByLabel('Roepnaam'), '5.9-names-message').toHaveAccessibleDescription(
      /Speciale tekens, spaties en cijfers zijn niet toegestaan/,
    );
    await expect(page.getByLabel('Geboortedatum'), '5.9-age').toHaveAccessibleDescription(/18 jaar of ouder/);
    await expect(page.getByLabel('Rekeningnummer (IBAN)'), '5.9-iban').toHaveAccessibleDescription(/Ongeldige IBAN/);
    for (const name of ['Postcode', 'Huisnummer', 'Toevoeging'])
      await expect(page.getByLabel(name), '5.9-address-check-404').toHaveAccessibleDescription(/Ongeldig adres/);
    await send(page).click({ force: true });
    await portal.accessible();
    await page.setViewportSize(phone);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.getByLabel('Roepnaam').fill('Zoë');
    await page.getByLabel('Geboortedatum').fill('20-11-2008');
    await page.getByLabel('Rekeningnummer (IBAN)').fill('NL91ABNA0417164300');
    await page.getByLabel('Huisnummer').fill('7');
    await page.getByLabel('Toevoeging').fill('');
    await expect(page.getByText('Lindelaan 7')).toBeVisible();
    expect(sent).toBe(0);
    await send(page).click();
    await expect(page).toHaveURL(portal.url('/pending-page'));
    expect(sent).toBe(1);
  },
);

test('while the address register is down street and town are entered by hand, and the request is accepted', async ({
  at,
  page,
}) => {
  const portal = at(participants);
  await page.route('**/lambda/address-validation/postcode', (route) => route.fulfill({ status: 503, body: '' }));
  await portal.open('/register');
  await fill(page, address());
  await expect(page.getByText('We kunnen nu geen adressen opzoeken')).toBeVisible();
  await page.getByLabel('Straat').fill('Lindelaan');
  await page.getByLabel('Plaats').fill('Groningen');
  await portal.accessible();
  await send(page).click();
  await expect(page).toHaveURL(portal.url('/pending-page'));
});

test(
  rows(
    ['2.4-sign-in-form', '4-sign-in-views', '2.4-reactivate-screen', '5.10-reactivation-email', '5.10-reactivation-waiting'],
    '@daily the four views of the sign-in screen',
  ),
  async ({ portal, page }) => {
    const who = await portal.customer({ temporary: true });
    await portal.open('/');
    await expect(page.getByLabel('Gebruikersnaam')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Wachtwoord', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Inloggen' }), '2.4-sign-in-form').toBeVisible();
    await page.getByRole('button', { name: 'Wachtwoord vergeten?' }).click();
    await expect(portal.heading()).toHaveText('Wachtwoord vergeten?');
    await expect(portal.heading()).toBeFocused();
    await page.getByRole('button', { name: 'Terug naar inloggen' }).click();
    await expect(portal.heading()).toHaveText('Inloggen');

    await page.getByRole('button', { name: 'Eerste keer hier? Activeer je account' }).click();
    await expect(portal.heading()).toHaveText('Eerste keer hier? Activeer je account');
    await expect(portal.heading()).toBeFocused();
    const button = page.getByRole('button', { name: 'Link sturen' });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await page.getByLabel('E-mailadres').fill('niemand@voorbeeld');
    await page.getByLabel('E-mailadres').blur();
    await expect(page.getByLabel('E-mailadres'), '5.10-reactivation-email').toHaveAccessibleDescription(/Ongeldig e-mailadres/);
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await portal.accessible();
    await page.getByLabel('E-mailadres').fill('niemand@voorbeeld.example');
    let answer: () => void = () => undefined;
    const asked = new Promise<unknown>((resolve) => {
      void page.route('**/reactivate/begin', async (route) => {
        resolve(route.request().postDataJSON());
        await new Promise<void>((go) => {
          answer = go;
        });
        await route.fallback();
      });
    });
    await button.click();
    expect(await asked).toEqual({ email: 'niemand@voorbeeld.example', labelKey: '1042' });
    await expect(button, '5.10-reactivation-waiting').toBeDisabled();
    answer();
    await expect(page.getByText('Kijk in je mailbox')).toBeVisible();
    await expect(button, '2.4-reactivate-screen').toHaveCount(0);
    await portal.accessible();
    await page.getByRole('button', { name: 'Terug naar inloggen' }).click();

    await signIn(page, who.username, who.password);
    await expect(portal.heading(), '4-sign-in-views').toHaveText('Kies je eigen wachtwoord');
  },
);

test(
  rows(
    ['2.4-reactivation-page', '4-reactivation-state-mapping'],
    'the link in the mail reactivates the account; the second time it shows that it was done',
  ),
  async ({ portal, page }) => {
    const who = await portal.customer({ temporary: true });
    const email = `${who.username}@voorbeeld.example`;
    await portal.open('/');
    await page.getByRole('button', { name: 'Eerste keer hier? Activeer je account' }).click();
    await page.getByLabel('E-mailadres').fill(email);
    await page.getByRole('button', { name: 'Link sturen' }).click();
    await expect(page.getByText('Kijk in je mailbox')).toBeVisible();
    const link = await newestMail(portal, email, (m) => m.button?.path.startsWith('/reactivation/') ?? false);
    await portal.open(link.button?.path ?? '');
    await expect(portal.heading(), '2.4-reactivation-page').toHaveText('Je account is weer actief');
    await portal.accessible();
    await page.reload();
    await expect(portal.heading(), '4-reactivation-state-mapping').toHaveText('Je account was al weer actief');
    await expect(page.getByRole('region', { name: 'Meldingen' }).getByRole('alert')).toHaveCount(0);
    await firstSignIn(portal, await newestMail(portal, email, (m) => (m.code ?? '') !== ''));
  },
);

test(rows('8-reactivation-failed', 'an unknown link shows a toast at the top center'), async ({ portal, page }) => {
  for (const size of [{ width: 1280, height: 800 }, phone]) {
    await page.setViewportSize(size);
    await portal.open('/reactivation/bestaat-niet');
    const toast = page.getByRole('alert').filter({ hasText: 'Je account is niet opnieuw geactiveerd.' });
    await expect(toast).toBeVisible();
    const box = await toast.boundingBox();
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - size.width / 2)).toBeLessThan(2);
    expect(box?.y ?? 999).toBeLessThan(40);
    await expect(portal.heading()).toHaveText('We konden je account niet opnieuw activeren');
  }
});

test(
  rows(
    ['8-reactivation-404', '2.4-reactivation-address', '2.4-reactivation-address-reconcile', '7.5-reactivate-finish-reconcile'],
    '@daily a required address: the fields show the message, and the right address leads to the pending page',
  ),
  async ({ portal, page }) => {
    const unknown = {
      status: 404,
      contentType: 'application/problem+json',
      body: '{"status":404,"code":"onboarding.address_unknown","title":"x"}',
    };
    const finished: string[] = [];
    await page.route('**/reactivate/finish/**', (route) => {
      finished.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
      return route.fulfill(unknown);
    });
    const begun: unknown[] = [];
    await page.route('**/reactivate/begin', (route) => {
      begun.push(route.request().postDataJSON());
      return begun.length === 1 ? route.fulfill(unknown) : route.fulfill({ status: 202, body: '' });
    });
    await portal.open('/reactivation/tok%20en');
    const fields = ['Postcode', 'Huisnummer', 'Toevoeging'].map((name) => page.getByLabel(name));
    for (const field of fields) await expect(field, '8-reactivation-404').toHaveAccessibleDescription(/Ongeldig adres/);
    expect(finished, '7.5-reactivate-finish-reconcile').toEqual(['POST /api/v0/reactivate/finish/tok%20en']);
    await portal.accessible();
    await page.getByLabel('Postcode').fill('9731 ab');
    await page.getByLabel('Huisnummer').fill('7');
    await expect(page.getByText('Lindelaan 7')).toBeVisible();
    await page.getByRole('button', { name: 'Verder' }).click();
    for (const field of fields) await expect(field).toHaveAccessibleDescription(/Ongeldig adres/);
    await page.getByLabel('Postcode').fill('3512KL');
    await page.getByLabel('Huisnummer').fill('24');
    await page.getByRole('button', { name: 'Verder' }).click();
    await expect(page, '2.4-reactivation-address').toHaveURL(portal.url('/pending-page'));
    expect(begun[1], '2.4-reactivation-address-reconcile').toEqual({
      token: 'tok en',
      labelKey: '1042',
      zip_code: '3512KL',
      house_number: '24',
      house_number_extension: '',
    });
  },
);

test(
  rows(
    ['2.4-reactivation-address-reconcile', '8-reactivation-404', '7.5-reactivate-finish-reconcile'],
    'a label that requires the address: the link stays valid until the right address is entered',
  ),
  async ({ at, page }) => {
    const portal = at('1060.localhost');
    const home = { street: 'Lindelaan', house_number: '7', house_number_extension: '', zip_code: '9731AB', city: 'Groningen' };
    const who = await portal.customer({
      temporary: true,
      records: [
        {
          kind: 'relation',
          data: {
            debtor_number: '{{debtor}}',
            last_name: 'Test',
            email: '{{id}}@voorbeeld.example',
            addresses: [{ address_type: 'SHIPPING', ...home }],
          },
        },
      ],
    });
    const email = `${who.username}@voorbeeld.example`;
    await portal.open('/');
    await page.getByRole('button', { name: 'Eerste keer hier? Activeer je account' }).click();
    await page.getByLabel('E-mailadres').fill(email);
    await page.getByRole('button', { name: 'Link sturen' }).click();
    await expect(page.getByText('Kijk in je mailbox')).toBeVisible();
    const link = await newestMail(portal, email, (m) => m.button?.path.startsWith('/reactivation/') ?? false);
    const answers: number[] = [];
    page.on('response', (r) => {
      if (r.url().includes('/reactivate/')) answers.push(r.status());
    });
    await portal.open(link.button?.path ?? '');
    const fields = ['Postcode', 'Huisnummer', 'Toevoeging'].map((name) => page.getByLabel(name));
    for (const field of fields) await expect(field).toBeVisible();
    const enter = async (zip: string, number: string, street: string) => {
      await page.getByLabel('Postcode').fill(zip);
      await page.getByLabel('Huisnummer').fill(number);
      await expect(page.getByText(street)).toBeVisible();
      await page.getByRole('button', { name: 'Verder' }).click();
    };
    await enter('3512 kl', '24', 'Kastanjeplein 24'); // another customer's existing address
    await expect.poll(() => answers).toEqual([404, 404]);
    for (const name of ['Postcode', 'Huisnummer'])
      await expect(page.getByLabel(name), '8-reactivation-404').toHaveAccessibleDescription(/Ongeldig adres/);
    await enter('9731 ab', '7', 'Lindelaan 7');
    await expect(page).toHaveURL(portal.url('/pending-page'));
    expect(answers, '2.4-reactivation-address-reconcile').toEqual([404, 404, 202]);
    await portal.open(link.button?.path ?? '');
    await expect(portal.heading(), '7.5-reactivate-finish-reconcile').toHaveText('Je account was al weer actief');
    await firstSignIn(portal, await newestMail(portal, email, (m) => (m.code ?? '') !== ''));
  },
);

/** Presses Tab until a field or button has focus, without the mouse. */
async function tabTo(page: Page, what: string, by = 'Tab'): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const name = await page.evaluate(() => {
      const at = document.activeElement as HTMLInputElement | null;
      if (!at?.matches('a, button, input')) return '';
      return [at?.labels?.[0]?.textContent, at?.textContent, at?.getAttribute('aria-label')].filter(Boolean).join(' ');
    });
    if (name.includes(what)) return;
    await page.keyboard.press(by);
  }
  throw new Error(`the keyboard does not reach ${what}`);
}

test('a registration with the keyboard only, from the first Tab to the pending page', async ({ at, page }) => {
  const portal = at(participants);
  await portal.open('/');
  await page.keyboard.press('Tab');
  await tabTo(page, 'Nog geen account?');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(portal.url('/register'));
  await expect(portal.heading()).toHaveText('Account aanvragen');
  await tabTo(page, 'Vrouw');
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Vrouw')).toBeChecked();
  const enter = async (label: string, text: string) => {
    await tabTo(page, label);
    const ring = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      const looks = [at, at.parentElement as HTMLElement].map((e) => getComputedStyle(e));
      return looks.some((l) => l.outlineStyle !== 'none' && Number.parseFloat(l.outlineWidth) >= 2);
    });
    expect(ring, `one sees where one is: ${label}`).toBe(true);
    await page.keyboard.type(text);
  };
  await enter('Voorletters', 'Z.M.');
  await enter('Roepnaam', 'Zoë');
  await enter('Tussenvoegsel', 'van der');
  await enter('Achternaam', "Smit-D'Ancona");
  await enter('Geboortedatum', '29-2-1996');
  // the calendar opens, closes and returns focus
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Geboortedatum')).toHaveValue('29-02-1996');
  await enter('E-mailadres', address());
  await enter('Telefoonnummer', '+31 6 1234 5678');
  await enter('Postcode', '9731 ab');
  await enter('Huisnummer', '8'); // an unknown address, corrected afterwards
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Huisnummer')).toHaveAccessibleDescription(/Ongeldig adres/);
  await tabTo(page, 'Huisnummer', 'Shift+Tab');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('7');
  await expect(page.getByText('Lindelaan 7')).toBeVisible();
  await enter('Rekeningnummer (IBAN)', 'nl91 abna 0417 1643 00');
  // submitted too early: focus moves to the first missing field
  await tabTo(page, 'Aanvraag versturen');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Naam op de rekening')).toHaveAccessibleDescription(/Vul de naam op de rekening in/);
  await tabTo(page, 'Naam op de rekening', 'Shift+Tab');
  await page.keyboard.type('Z.M. van der Smit');
  await tabTo(page, 'Aanvraag versturen');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(portal.url('/pending-page'));
  await expect(portal.heading()).toHaveText('We hebben je aanvraag ontvangen');
});
