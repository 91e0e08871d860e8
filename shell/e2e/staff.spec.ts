import type { Browser, Page } from '@playwright/test';
import { type Customer, type CustomerSpec, customers, expect, Portal, participants, phone, rows, test } from './harness';

let count = 0;
/** Returns a number that no other test in this file uses. */
const unique = () => `${process.pid % 1000}${String(Date.now()).slice(-6)}${++count}`;
const number = () => `06${unique().slice(-8).padStart(8, '1')}`;
const call = (module: string, path: string, body: Record<string, unknown>, method: 'PUT' | 'POST' = 'PUT') => ({
  module,
  path,
  body,
  method,
});

/** Signs in as staff in a new browser context. */
async function colleague(portal: Portal, browser: Browser): Promise<Portal & { who: Customer }> {
  const context = await browser.newContext({ locale: 'nl-NL' });
  const staff = new Portal(await context.newPage(), portal.server, portal.host);
  const who = await staff.signIn(await staff.customer({ role: 'staff' }));
  return Object.assign(staff, { who });
}
const sheet = (page: Page, name: string) => page.getByRole('dialog', { name });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const decide = async (page: Page, kind: string, button: string) => {
  await sheet(page, kind).getByRole('button', { name: button, exact: true }).click();
};

/** Creates a member with shares of a project in the demo, who submits one offer. */
async function seller(portal: Portal): Promise<Customer> {
  const id = `P-${unique()}`;
  const wanted: CustomerSpec = {
    records: [
      {
        kind: 'participation',
        data: {
          debtor_number: '{{debtor}}',
          participation_identifier: id,
          provider_identifier: '',
          project_code: 'W-GRUTTO',
          share: 100,
          supplier: 'Stroomgilde',
          ean: '',
          address: { street_name: 'Proeflaan', house_number: '1', house_postfix: '', postal_code: '9700AA', city: 'Groningen' },
        },
      },
    ],
    calls: [
      call(
        'marketplace',
        '/sustainable/offers',
        { participation_identifier: id, date: '2026-12-01', number_of_shares: 12, price: 50, project_code: 'W-GRUTTO' },
        'POST',
      ),
    ],
  };
  return portal.customer(wanted);
}

test(
  rows(
    ['6-staff-change-requests', '4-pending-processed'],
    '@daily from the start page to a new phone number, which the customer sees',
  ),
  async ({ at, page, browser }) => {
    const portal = at(participants);
    const wanted = number();
    const who = await portal.customer({ calls: [call('account', '/relations/phonenumber', { phone_number: wanted })] });
    const staff = await colleague(portal, browser);
    const desk = staff.page;
    await staff.open('/');
    await expect(desk).toHaveURL(/\/staff$/);
    await expect(staff.heading()).toHaveText('Te doen');
    await desk.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link', { name: 'Wijzigingen' }).click();
    await expect(desk).toHaveURL(/\/staff\/changes$/);
    await desk.getByLabel('Zoeken in verzoeken').fill(wanted.slice(1));
    await desk.keyboard.press('Enter');
    await expect(row(desk, wanted)).toHaveCount(1);
    await desk.getByRole('button', { name: 'Telefoonnummer' }).click();
    await expect(sheet(desk, 'Telefoonnummer')).toContainText(`Nu is het 0612345678 en wordt ${wanted}`);
    await staff.accessible();
    // The URL contains the request, so a colleague who opens it gets the same view.
    await expect(desk).toHaveURL(/[?&]id=/);
    await desk.reload();
    await decide(desk, 'Telefoonnummer', 'Verwerken');
    await expect(sheet(desk, 'Telefoonnummer'), '6-staff-change-requests').toContainText('Wat er gevraagd is, is uitgevoerd.');
    await sheet(desk, 'Telefoonnummer').getByRole('button', { name: 'Sluiten' }).last().click();
    await expect(desk.getByText('Niets gevonden')).toBeVisible();

    await portal.signIn(who);
    await portal.open('/account#account.access-log');
    const fact = page.locator('main dl > div', { hasText: 'Telefoonnummer' });
    await expect(fact.locator('dd').first(), '4-pending-processed').toHaveText(wanted);
    const looks = page.getByRole('region', { name: 'Wie heeft je gegevens bekeken' }).getByRole('listitem');
    await expect(looks.first()).toContainText('Uitgevoerd: telefoonnummer');
    await expect(looks.first()).toContainText(staff.who.name);
    await expect(looks.filter({ hasText: 'Je verzoek bekeken: telefoonnummer' })).not.toHaveCount(0);
    await desk.context().close();
  },
);

test('several at once; rejecting requires a reason; a colleague was first', async ({ at, browser }) => {
  const portal = at(participants);
  const mark = `bulk${unique()}`;
  for (const n of [1, 2, 3, 4])
    await portal.customer({
      calls: [call('account', '/relations/email', { change_email: `${mark}-${n}@voorbeeld.example` })],
    });
  const staff = await colleague(portal, browser);
  const desk = staff.page;
  await staff.open(`/staff/changes?q=${mark}`);
  await expect(desk.getByRole('button', { name: 'E-mailadres' })).toHaveCount(4);
  await desk.getByRole('checkbox', { name: 'Kies alle 4 op deze pagina' }).check();
  await desk.getByRole('checkbox', { name: new RegExp(`Kies .*${mark}-4`) }).uncheck();
  await expect(desk.getByText('3 gekozen')).toBeVisible();
  await staff.accessible();

  // A second colleague decides one of them at the same time.
  const other = await colleague(portal, browser);
  await other.open(`/staff/changes?q=${mark}-1`);
  await other.page.getByRole('button', { name: 'E-mailadres' }).click();
  await expect(sheet(other.page, 'E-mailadres')).toContainText(`${mark}-1@`);
  await decide(other.page, 'E-mailadres', 'Verwerken');
  await expect(sheet(other.page, 'E-mailadres')).toContainText('uitgevoerd');

  await desk.getByRole('button', { name: 'Verwerken of goedkeuren' }).click();
  await expect(desk.getByText('2 verzoeken zijn afgehandeld')).toBeVisible();
  await expect(desk.getByText('Over één verzoek had een ander al besloten.')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'E-mailadres' })).toHaveCount(1);

  // The last one: the second colleague has it open while the first rejects it.
  await other.open(`/staff/changes?q=${mark}-4`);
  await other.page.getByRole('button', { name: 'E-mailadres' }).click();
  await expect(sheet(other.page, 'E-mailadres').getByRole('button', { name: 'Verwerken' })).toBeVisible();
  await desk.getByRole('button', { name: 'E-mailadres' }).click();
  await decide(desk, 'E-mailadres', 'Afwijzen');
  await decide(desk, 'E-mailadres', 'Afwijzen');
  await expect(sheet(desk, 'E-mailadres').getByRole('alert')).toContainText('Geef aan waarom je dit afwijst.');
  await sheet(desk, 'E-mailadres').getByLabel('Reden').fill('Niet door de klant gevraagd');
  await decide(desk, 'E-mailadres', 'Afwijzen');
  await expect(sheet(desk, 'E-mailadres')).toContainText('Alles blijft zoals het was.');
  await decide(other.page, 'E-mailadres', 'Verwerken');
  await expect(sheet(other.page, 'E-mailadres')).toContainText('Iemand was je voor');
  await expect(sheet(other.page, 'E-mailadres')).toContainText('Niet door de klant gevraagd');
  await desk.context().close();
  await other.page.context().close();
});

test(
  rows(
    ['6-staff-approve-screen', '6-staff-approve-right', '4-rejection-reasons'],
    '@daily an offer is approved, another rejected with a reason from the list, which the seller sees',
  ),
  async ({ at, page, browser }) => {
    const portal = at(participants);
    const [good, bad] = [await seller(portal), await seller(portal)];
    const staff = await colleague(portal, browser);
    const desk = staff.page;
    await staff.open('/staff/offers');
    const open = async (who: Customer) => {
      // Newest first; the queue of all kinds shows the customer of each request.
      await staff.open(`/staff/changes?kind=marketplace.offer&q=${who.relation_id}`);
      await desk.getByRole('button', { name: 'Aanbod' }).click();
      await expect(sheet(desk, 'Aanbod')).toContainText('Windpark De Grutto');
    };
    await expect(row(desk, 'Windpark De Grutto').first()).toContainText(/€\s50/);
    await expect(row(desk, 'Windpark De Grutto').first()).toContainText('Voor iedereen');
    await staff.accessible();
    await open(good);
    await decide(desk, 'Aanbod', 'Goedkeuren');
    await expect(sheet(desk, 'Aanbod'), '6-staff-approve-screen').toContainText('uitgevoerd');
    await open(bad);
    await decide(desk, 'Aanbod', 'Afwijzen');
    await decide(desk, 'Aanbod', 'Afwijzen');
    await expect(sheet(desk, 'Aanbod').getByRole('alert')).toBeVisible();
    await sheet(desk, 'Aanbod').getByLabel('Reden').selectOption({ label: 'Verkopen mag niet in dit project' });
    await staff.accessible();
    await decide(desk, 'Aanbod', 'Afwijzen');
    await expect(sheet(desk, 'Aanbod')).toContainText('Alles blijft zoals het was.');
    await staff.open('/staff/offers?state=REJECTED');
    await expect(row(desk, 'Windpark De Grutto').first(), '4-rejection-reasons').toContainText('Afgewezen');

    // A member does not have this screen, and may not decide.
    await portal.signIn(bad);
    await portal.open('/staff/offers');
    await expect(page, '6-staff-approve-right').not.toHaveURL(/staff/);
    await desk.context().close();
  },
);

test(
  rows('6-staff-registrations', '@daily a registration confirmed by mail is reviewed and approved'),
  async ({ at, page, browser }) => {
    const portal = at(participants);
    const email = `nieuw-${unique()}@voorbeeld.example`;
    await portal.open('/register');
    await page.getByLabel('Vrouw').check();
    await page.getByLabel('Voorletters').fill('Q.');
    await page.getByLabel('Roepnaam').fill('Quirine');
    await page.getByLabel('Achternaam').fill('Aanvrager');
    await page.getByLabel('Geboortedatum').fill('29-2-1996');
    await page.getByLabel('E-mailadres').fill(email);
    await page.getByLabel('Telefoonnummer').fill('0612345678');
    await page.getByLabel('Postcode').fill('9731 ab');
    await page.getByLabel('Huisnummer').fill('7');
    await page.getByLabel('Rekeningnummer (IBAN)').fill('nl91 abna 0417 1643 00');
    await page.getByLabel('Naam op de rekening').fill('Q. Aanvrager');
    await page.getByRole('button', { name: 'Aanvraag versturen' }).click();
    await expect(page).toHaveURL(portal.url('/pending-page')); // the proof of work takes a moment
    const mails = async () => {
      const answer = await page.request.get(`http://127.0.0.1:${portal.server.port}/dev/mailbox/`, {
        headers: { Host: `${portal.host}:${portal.server.port}`, Accept: 'application/json' },
      });
      const all = (await answer.json()) as { mail: { to: string; code?: string; button?: { path: string } } }[];
      return all.map((m) => m.mail).filter((m) => m.to === email);
    };
    const staff = await colleague(portal, browser);
    const desk = staff.page;
    await staff.open('/staff/applications');
    await desk.getByRole('tab', { name: 'Nog niet bevestigd' }).click();
    await expect(row(desk, email)).toHaveCount(1);
    await staff.accessible();
    await expect.poll(async () => (await mails()).some((m) => m.button?.path.startsWith('/verify/'))).toBe(true);
    await portal.open((await mails()).find((m) => m.button?.path.startsWith('/verify/'))?.button?.path ?? '');
    // An event creates the request after a short delay.
    await expect(async () => {
      await staff.open(`/staff/changes?kind=onboarding.application&q=${email}`);
      await expect(desk.getByRole('button', { name: 'Aanmelding' })).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await desk.getByRole('button', { name: 'Aanmelding' }).click();
    await expect(sheet(desk, 'Aanmelding')).toContainText(email);
    await decide(desk, 'Aanmelding', 'Goedkeuren');
    await expect(sheet(desk, 'Aanmelding')).toContainText('uitgevoerd');
    await expect.poll(async () => (await mails()).some((m) => m.code)).toBe(true); // a temporary password
    await staff.open('/staff/applications');
    await expect(desk.getByRole('tab', { name: /^Account/, selected: true })).toBeVisible();
    await desk.context().close();
  },
);

test(
  rows(
    ['6-staff-start-impersonation', '6-impersonator-start', '6-impersonator-banner'],
    '@daily finds a customer and impersonates in a new tab without write access; the customer sees it in the access log',
  ),
  async ({ portal, page, browser }) => {
    const who = await portal.customer();
    const staff = await colleague(portal, browser);
    const desk = staff.page;
    await staff.open('/staff');
    for (const q of [who.debtor_number, `${who.username}@voorbeeld.example`, who.name.split(' ').at(-1) ?? '']) {
      await desk.getByLabel('Zoek een klant').fill(q);
      await desk.keyboard.press('Enter');
      await expect(desk).toHaveURL(/\/staff\/customers$/); // the search text must not appear in referrers and proxy logs
      await expect(row(desk, who.name).first()).toBeVisible();
    }
    await desk.getByLabel('Zoek een klant').fill(who.debtor_number);
    await desk.keyboard.press('Enter');
    await expect(row(desk, who.name)).toHaveCount(1);
    await desk.getByRole('link', { name: who.name }).click();
    await expect(staff.heading()).toHaveText(who.name);
    await expect(desk.getByText(/30 minuten/)).toBeVisible();
    await staff.accessible();

    const opening = desk.context().waitForEvent('page');
    await desk.getByRole('button', { name: 'Meekijken in een nieuw tabblad' }).click();
    const tab = await opening;
    const seen = new Portal(tab, staff.server, staff.host);
    await seen.heading().waitFor();
    const banner = tab.getByRole('status').filter({ hasText: 'Je kijkt mee als' });
    await expect(banner, '6-impersonator-start').toContainText(who.name);
    expect(new URL(tab.url()).hash).toBe('');
    await tab.getByRole('button', { name: who.name }).click();
    await tab.getByRole('menuitem', { name: 'Account' }).click();
    await expect(seen.heading()).toHaveText('Mijn gegevens');
    await expect(tab.locator('main')).toContainText(who.debtor_number);
    const change = tab.getByRole('button', { name: /^Telefoonnummer wijzigen\. / });
    await expect(change).toHaveAttribute('aria-disabled', 'true');
    await expect(banner, '6-impersonator-banner').toBeVisible();

    // Ending the impersonation keeps the staff session in the other tab.
    await tab.getByRole('button', { name: /Stop/ }).click();
    await expect(tab.getByLabel('Gebruikersnaam').or(tab.getByRole('heading', { name: 'Te doen' }))).toBeVisible();
    await staff.open('/staff/log');
    await expect(staff.heading()).toHaveText('Logboek');
    await expect(row(desk, 'Meegekeken').first(), '6-staff-start-impersonation').toContainText(staff.who.name);

    await portal.signIn(who);
    await portal.open('/account#account.access-log');
    const looks = page.getByRole('region', { name: 'Wie heeft je gegevens bekeken' }).getByRole('listitem');
    await expect(looks.first()).toContainText('Meegekeken in je portaal');
    await expect(looks.first()).toContainText(`Klantenservice, ${staff.who.name}`);
    await expect(looks.first()).toContainText(/20-11-2026, \d\d:\d\d tot uiterlijk \d\d:\d\d/);
    await desk.context().close();
  },
);

test(
  rows(
    ['9-start-decide', '9-staff-recent', '9-staff-footer'],
    'from the start page, also on a phone: decides in a row, and returns to the customer that was opened last',
  ),
  async ({ at, browser }) => {
    const portal = at(customers);
    const mark = `start${unique()}`;
    const who = await portal.customer({
      calls: [
        call('account', '/relations/email', { change_email: `${mark}@voorbeeld.example` }),
        call('account', '/relations/phonenumber', { phone_number: number() }),
      ],
    });
    const staff = await colleague(portal, browser);
    const desk = staff.page;
    // only the requests of this customer: those of other tests may have been waiting longer
    await desk.route(/\/staff\/changes\?/, (route) =>
      route.continue({ url: `${route.request().url()}&q=${encodeURIComponent(who.relation_id)}` }),
    );
    await staff.open(`/staff/customers/${who.relation_id}`);
    await expect(staff.heading()).toHaveText(who.name);
    await staff.open('/staff');
    const queue = desk.getByRole('region', { name: 'Wijzigingen die het langst wachten' });
    const viewed = desk.getByRole('region', { name: 'Laatst bekeken klanten' });
    await expect(viewed.getByRole('link'), '9-staff-recent').toHaveText([who.name]);
    await expect(viewed).toContainText(who.debtor_number);
    await expect(desk.getByRole('contentinfo').getByRole('link'), '9-staff-footer').toHaveText(['Toegankelijkheid']);
    const box = async (what: typeof queue) => (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const tile = desk.getByRole('main').getByRole('link', { name: /^\d+\s*Wijzigingen/ });
    const below = async () => {
      const [numbers, requests, last] = [await box(tile), await box(queue), await box(viewed)];
      expect(numbers.y + numbers.height, 'below the numbers of the queues').toBeLessThanOrEqual(requests.y);
      expect(requests.y + requests.height, '9-staff-recent: below the requests').toBeLessThanOrEqual(last.y);
      expect(requests.width, 'not next to them').toBeCloseTo(last.width, 0);
    };
    await below();
    await staff.accessible();
    for (const width of [390, 320]) {
      await desk.setViewportSize({ width, height: 844 });
      const buttons = queue.getByRole('button');
      await expect(buttons).toHaveCount(4);
      for (const one of await buttons.all()) {
        const size = await box(one);
        expect(Math.min(size.height, size.width), `9-start-decide: ${width}`).toBeGreaterThanOrEqual(44);
      }
      await below();
      await expect.poll(() => desk.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await staff.accessible();
    await queue.getByRole('button', { name: `Verwerken E-mailadres, ${mark}@voorbeeld.example` }).click();
    await expect(queue.getByRole('link', { name: /E-mailadres/ })).toHaveCount(0);
    await expect(queue.getByRole('link', { name: /Telefoonnummer/ }), '9-start-decide').toBeFocused();
    await queue.getByRole('button', { name: /^Afwijzen Telefoonnummer/ }).click();
    await sheet(desk, 'Telefoonnummer').getByLabel('Reden').fill('Niet door de klant gevraagd');
    await decide(desk, 'Telefoonnummer', 'Afwijzen');
    await expect(queue.getByRole('link', { name: /Telefoonnummer/ }), '9-start-decide').toHaveCount(0);
    await desk.context().close();
  },
);

test('the queue with the keyboard only', async ({ at, browser }) => {
  const portal = at(participants);
  const mark = `toets${unique()}`;
  for (const n of [1, 2])
    await portal.customer({
      calls: [call('account', '/relations/email', { change_email: `${mark}-${n}@voorbeeld.example` })],
    });
  const staff = await colleague(portal, browser);
  const desk = staff.page;
  await staff.open('/staff/changes');
  const tabTo = async (name: RegExp | string, role: 'button' | 'searchbox' | 'link' = 'button') => {
    for (let i = 0; i < 40; i++) {
      await desk.keyboard.press('Tab');
      const there = desk.locator(':focus').and(desk.getByRole(role, { name }));
      if (await there.count()) return;
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  await tabTo('Zoeken in verzoeken', 'searchbox');
  await desk.keyboard.type(mark);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('button', { name: 'E-mailadres' })).toHaveCount(2);
  await tabTo('E-mailadres');
  await desk.keyboard.press('ArrowDown');
  await expect(row(desk, `${mark}-2`).getByRole('button')).toBeFocused();
  await desk.keyboard.press('ArrowUp');
  await expect(row(desk, `${mark}-1`).getByRole('button')).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(sheet(desk, 'E-mailadres')).toContainText(`${mark}-1@`);
  await tabTo('Verwerken');
  await desk.keyboard.press('Enter');
  await expect(sheet(desk, 'E-mailadres').getByRole('button', { name: 'Volgende verzoek' })).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(sheet(desk, 'E-mailadres')).toContainText(`${mark}-2@`);
  await tabTo('Afwijzen');
  await desk.keyboard.press('Enter');
  await expect(sheet(desk, 'E-mailadres').getByLabel('Reden')).toBeFocused();
  await desk.keyboard.type('Niet nodig');
  await tabTo('Afwijzen');
  await desk.keyboard.press('Enter');
  await expect(sheet(desk, 'E-mailadres')).toContainText('Alles blijft zoals het was.');
  await desk.keyboard.press('Escape');
  await expect(sheet(desk, 'E-mailadres')).toHaveCount(0);
  await expect(desk.getByText('Niets gevonden')).toBeVisible();
  await desk.context().close();
});

for (const host of [participants, customers])
  test(`${host}: every screen of staff on a phone; rows are cards, nothing overflows the window`, async ({ at, browser }) => {
    const portal = at(host);
    const who = await portal.customer({
      calls: [call('account', '/relations/email', { change_email: `smal-${unique()}@voorbeeld.example` })],
    });
    const staff = await colleague(portal, browser);
    await staff.page.setViewportSize(phone);
    const found = '/staff/customers';
    for (const path of [
      '/staff',
      '/staff/changes',
      '/staff/applications',
      ...(host === participants ? ['/staff/offers', '/staff/orders', '/staff/orders?tab=payments'] : []),
      found,
      `/staff/customers/${who.relation_id}`,
      '/staff/log',
    ]) {
      await staff.open(path);
      if (path === found) {
        await staff.page.getByLabel('Zoek een klant').fill(who.debtor_number);
        await staff.page.keyboard.press('Enter');
        await expect(staff.page.getByRole('link', { name: who.name })).toBeVisible();
        expect(new URL(staff.page.url()).search, 'servers and proxies keep addresses').toBe('');
      }
      await expect(staff.page.locator('[aria-busy="true"]')).toHaveCount(0);
      // a11y.spec.ts checks the screens without a customer
      if (path.startsWith('/staff/orders') || path === found) await staff.accessible();
      await expect
        .poll(() => staff.page.evaluate(() => document.documentElement.scrollWidth), { message: path })
        .toBeLessThanOrEqual(phone.width);
    }
    await staff.open(`/staff/changes?q=${who.relation_id}`);
    await staff.page.getByRole('button', { name: 'E-mailadres' }).click();
    await expect(sheet(staff.page, 'E-mailadres').getByRole('button', { name: 'Verwerken' })).toBeVisible();
    // Back closes the sheet, which fills the window on a phone.
    await staff.page.goBack();
    await expect(sheet(staff.page, 'E-mailadres')).toHaveCount(0);
    await staff.page.context().close();
  });
