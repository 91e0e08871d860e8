import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { serve } from '../../tools/server.mjs';
import { root } from '../../tools/workspace.mjs';
import { type Customer, expect, Portal, participants, rows, test } from './harness';

/** Signs in as staff in a new browser context. */
async function colleague(portal: Portal, browser: Browser): Promise<Portal> {
  const context = await browser.newContext({ locale: 'nl-NL' });
  const staff = new Portal(await context.newPage(), portal.server, portal.host);
  await staff.signIn(await staff.customer({ role: 'staff' }));
  return staff;
}

/** Creates a member with shares of a new project. */
async function member(portal: Portal): Promise<Customer & { project: string }> {
  const who = await portal.customer({ sample: true, impersonator: true });
  return { ...who, project: `Z-${who.id}` };
}

/** Returns the path of the unsubscribe link in the newest email to an address. */
async function unsubscribeLink(portal: Portal, to: string): Promise<string> {
  let found = '';
  await expect(async () => {
    const answer = await portal.page.request.get(`http://127.0.0.1:${portal.server.port}/dev/mailbox/`, {
      headers: { Host: `${portal.host}:${portal.server.port}`, Accept: 'application/json' },
    });
    const mails = (await answer.json()) as { mail: { to: string } }[];
    found = /\/unsubscribe\?token=[\w-]+/.exec(JSON.stringify(mails.find((m) => m.mail.to === to)))?.[0] ?? '';
    expect(found).not.toBe('');
  }).toPass();
  return found;
}

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Berichten/ });
/** Returns the number of unread messages in the header, including those of the demo. */
const unread = async (page: Page) => Number(/\d+/.exec(await bell(page).innerText())?.[0] ?? 0);
const item = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });

/** Fills in a staff message in both languages. */
async function write(desk: Page, title: string, message: string): Promise<void> {
  for (const language of ['Nederlands', 'Engels']) {
    const part = desk.getByRole('region', { name: language });
    await part.getByLabel('Titel').fill(title);
    await part.getByLabel('Bericht').fill(message);
  }
}

test(
  rows(
    [
      '6-staff-notifications-compose',
      '6-staff-notifications-list',
      '2.5-notifications-unread',
      '2.5-notifications-list',
      '2.5-notifications-sanitise',
      '2.4-unsubscribe-page',
      '2.3-overlay-message-preferences',
    ],
    'staff write to the participants of a project; a participant reads it, unsubscribes by the mail and subscribes again',
  ),
  async ({ at, page, browser }) => {
    const portal = at(participants);
    const who = await member(portal);
    const staff = await colleague(portal, browser);
    const desk = staff.page;
    await staff.open('/staff');
    await desk.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link', { name: 'Berichten' }).click();
    await desk.getByRole('link', { name: 'Nieuw bericht' }).click();
    await desk.getByLabel('Onderwerp').selectOption({ label: 'Projecten' });
    await desk.getByRole('radio', { name: 'Deelnemers van een project' }).check({ force: true });
    await desk.getByLabel('Code van het project').fill('BESTAAT-NIET');
    await expect(desk.getByText('Er is geen project met deze code.').first()).toBeVisible();
    await desk.getByLabel('Code van het project').fill(who.project);
    await write(
      desk,
      'Onderhoud aan de molen',
      'Op **dinsdag** staat de molen stil. Kijk bij [je opbrengst](/overview).\n\n- zes uur\n- geen kosten',
    );
    const seen = desk.getByRole('region', { name: 'Nederlands' }).getByRole('article');
    await expect(seen.getByRole('listitem')).toHaveText(['zes uur', 'geen kosten']);
    await expect(seen.locator('strong')).toHaveText('dinsdag');
    await desk.getByRole('checkbox', { name: 'Ook per e-mail versturen' }).check({ force: true });
    await expect(desk.getByRole('status').filter({ hasText: 'krijgt dit bericht' })).toHaveText(
      '1 klant krijgt dit bericht, 1 ook per e-mail.',
    );
    await staff.accessible();
    await desk.getByRole('button', { name: 'Versturen' }).click();
    const sure = desk.getByRole('alertdialog');
    await expect(sure, '6-staff-notifications-compose').toContainText('1 klant krijgt dit bericht, 1 ook per e-mail.');
    await sure.getByRole('button', { name: 'Versturen' }).click();
    const sent = desk.getByRole('row').filter({ hasText: 'Onderhoud aan de molen' });
    await expect(sent.first(), '6-staff-notifications-list').toContainText('1');
    await staff.accessible();

    // the participant
    await portal.signIn(who);
    await portal.open('/account#account.contact-info');
    const email = page.locator('main dl > div', { hasText: 'E-mailadres' }).locator('dd').first();
    await expect(email).toBeVisible(); // hidden text, while the cards above it load, reads as empty
    const address = await email.innerText();
    await expect(bell(page)).toContainText('ongelezen');
    const before = await unread(page);
    await bell(page).click();
    await expect(page).toHaveURL(/\/notifications$/);
    const message = item(page, 'Onderhoud aan de molen');
    await expect(message).toContainText('Ongelezen');
    await expect(message).toContainText('Op dinsdag staat de molen stil. Kijk bij je opbrengst. zes uur, geen kosten');
    await page.getByRole('button', { name: 'Onderhoud aan de molen' }).click();
    await expect(message.getByRole('listitem'), '2.5-notifications-list').toHaveText(['zes uur', 'geen kosten']);
    await expect.poll(() => unread(page), '2.5-notifications-unread').toBe(before - 1);
    await expect(message).not.toContainText('Ongelezen');
    await portal.accessible();
    await message.getByRole('link', { name: 'je opbrengst' }).click();
    await expect(page).toHaveURL(/\/overview$/);

    // forbidden elements are not rendered, whatever their source
    const harmful = {
      id: 'harmful',
      kind: 'news',
      title: 'Onderhoud aan de molen',
      message: '<p id="kept">Blijft<img src=x onerror="window.ran=1"></p><script>window.ran=1</script>',
      preview: 'Een fragment',
      projects: [],
      project_codes: [],
      publication_date_time: '2026-11-20T10:00:00+01:00',
      read: true,
    };
    await page.route('**/api/v0/sustainable/notifications?*', (route) => route.fulfill({ json: [harmful] }));
    await portal.open('/notifications');
    await page.getByRole('button', { name: 'Onderhoud aan de molen' }).click();
    await expect(page.getByText('Blijft')).toBeVisible();
    expect(await page.getByText('Blijft').evaluate((p) => [p.outerHTML, 'ran' in window]), '2.5-notifications-sanitise').toEqual([
      '<p>Blijft</p>',
      false,
    ]);

    // the link in the email, opened without a session
    const visitor = await browser.newContext({ locale: 'nl-NL' });
    const outside = at(participants, await visitor.newPage());
    await outside.open(await unsubscribeLink(portal, address));
    await expect(outside.page.getByRole('main')).toContainText(
      'Wil je geen e-mail meer van Coöperatie Polderwiek over: Projecten?',
    );
    await outside.accessible();
    await outside.page.getByRole('button', { name: 'Afmelden' }).click();
    await expect(outside.heading(), '2.4-unsubscribe-page').toHaveText('Je bent afgemeld');
    await expect(outside.page.getByRole('link', { name: 'Kies wat je krijgt' })).toBeVisible();
    await outside.open('/unsubscribe?token=onbekend');
    await expect(outside.heading(), '2.4-unsubscribe-page').toHaveText('We kennen deze link niet');
    await visitor.close();

    // and switched on again
    await page.unroute('**/api/v0/sustainable/notifications?*');
    await portal.open('/notifications/message-preferences');
    const sheet = page.getByRole('dialog', { name: 'Welke berichten je krijgt' });
    const mail = sheet.getByRole('group', { name: 'Projecten' }).getByRole('checkbox', { name: 'Per e-mail' });
    await expect(mail, '2.3-overlay-message-preferences').not.toBeChecked();
    await mail.check({ force: true });
    await portal.accessible();
    await sheet.getByRole('button', { name: 'Opslaan' }).click();
    await expect(sheet).toBeHidden();
    await portal.open('/account');
    const fact = page.getByRole('main').locator('dl > div').filter({ hasText: 'Projecten' });
    await expect(fact, '2.3-overlay-message-preferences').toContainText('In het portaal en per e-mail');
    await desk.context().close();
  },
);

test(rows('2.5-notifications-unread', '@daily impersonation marks nothing as read'), async ({ at, page, browser }) => {
  const portal = at(participants);
  const who = await member(portal);
  const staff = await colleague(portal, browser);
  await staff.open('/staff/notifications/new');
  await staff.page.getByLabel('Onderwerp').selectOption({ label: 'Nieuws' });
  await staff.page.getByRole('radio', { name: 'Een aantal klanten' }).check({ force: true });
  await staff.page.getByLabel('Klantnummers').fill(who.debtor_number);
  await write(staff.page, 'Alleen voor jou', 'Dit lees je zelf.');
  await staff.page.getByRole('button', { name: 'Versturen' }).click();
  await staff.page.getByRole('alertdialog').getByRole('button', { name: 'Versturen' }).click();
  await expect(staff.page.getByRole('row').filter({ hasText: 'Alleen voor jou' }).first()).toBeVisible();
  await staff.page.context().close();

  await page.goto(portal.url(`/#impersonate=${who.impersonation_code}`));
  await expect(page.getByText(`Je kijkt mee als ${who.name}.`)).toBeVisible();
  await expect(bell(page)).toContainText('ongelezen');
  const before = await unread(page);
  await bell(page).click();
  await page.getByRole('button', { name: 'Alleen voor jou' }).click();
  await expect(page.getByText('Dit lees je zelf.')).toBeVisible();
  await expect(item(page, 'Alleen voor jou'), '2.5-notifications-unread').toContainText('Ongelezen');
  await portal.go('/account');
  await expect(portal.heading()).toHaveText(/^Welkom, \S/);
  expect(await unread(page), '2.5-notifications-unread').toBe(before);
});

const all = globSync('*/label.cue', { cwd: path.join(root, 'labels') }).map((f) => path.dirname(f));
const withNotifications = ['1024', '1060', '1071'];

test(
  rows(
    ['2.1-notifications-route', '2.1-notifications-labels'],
    'every label: the page exists where notifications are configured, and is an unknown path elsewhere',
  ),
  async ({ at, browser }) => {
    expect(all.length).toBeGreaterThan(withNotifications.length);
    for (const label of all) {
      const context = await browser.newContext({ locale: 'nl-NL' });
      const portal = at(`${label}.localhost`, await context.newPage());
      await portal.signIn(await portal.customer(), context);
      await portal.open('/notifications');
      const has = withNotifications.includes(label);
      const url = expect(portal.page, `2.1-notifications-route ${label}`);
      if (has) await url.toHaveURL(/\/notifications$/);
      else await url.not.toHaveURL(/\/notifications/);
      await expect(bell(portal.page), `2.1-notifications-labels ${label}`).toHaveCount(has ? 1 : 0);
      if (!has) {
        // as for any other unknown path
        const landing = portal.page.url();
        await portal.open('/no-such-path');
        expect(portal.page.url(), `2.1-notifications-labels ${label}`).toBe(landing);
      }
      await context.close();
    }
  },
);

const notices = (page: Page) => page.getByRole('region', { name: 'Mededelingen' });
/** Opens the texts of all notices, including those behind the button for more. */
async function openNotices(page: Page, region = notices(page)) {
  const closed = region.locator('button[aria-expanded=false]');
  await expect(closed.first()).toBeVisible();
  while (await closed.count()) await closed.first().click();
}
const general = 'Belastingen en netbeheerkosten veranderen op 1 januari';
/** Labels with their own text about the changes on 1 January. */
const own: Record<string, string> = {
  '1024': 'Je stroomrekening verandert op 1 januari',
  '1071': 'Wat verandert er op 1 januari?',
};

test(
  rows(
    ['1-special-texts-labels', '1-market-messages-labels', '2.1-notices-place'],
    'every label: its own or the general text of a notice, and market messages of two labels, on their pages',
  ),
  async ({ at, browser }) => {
    for (const label of all) {
      const context = await browser.newContext({ locale: 'nl-NL' });
      const portal = at(`${label}.localhost`, await context.newPage());
      const { page } = portal;
      await portal.signIn(await portal.customer({ sample: true }), context);
      const participant = withNotifications.includes(label);
      await portal.open(participant ? '/account' : '/agreements');
      await openNotices(page);
      await expect(
        notices(page).getByText(own[label] ?? general, { exact: true }),
        `1-special-texts-labels ${label}`,
      ).toBeVisible();
      if (own[label]) await expect(notices(page).getByText(general), `1-special-texts-labels ${label}`).toHaveCount(0);
      await expect(notices(page).getByText(/^Marktbericht van/), `1-market-messages-labels ${label}`).toHaveCount(
        own[label] ? 1 : 0,
      );
      await portal.go('/contact');
      await expect(portal.heading()).toHaveText('Contact');
      await expect(notices(page), `2.1-notices-place ${label}`).toHaveCount(0);
      await context.close();
    }
  },
);

test(
  rows(
    ['2.1-notices-place', '9-solar-deduction'],
    'a member reads the market message in both languages and dismisses it permanently',
  ),
  async ({ at, page, browser }) => {
    const portal = at(participants);
    const who = await portal.signIn(await portal.customer());
    await portal.open('/account');
    await openNotices(page);
    const solar = notices(page).getByText('125 kWh per eenheid');
    await expect(solar, '9-solar-deduction').toBeVisible();
    await portal.accessible();
    await page.getByRole('button', { name: 'EN, English' }).first().click();
    const english = page.getByRole('region', { name: 'Notices' });
    await openNotices(page, english);
    await expect(english, '9-solar-deduction').toContainText('125 kWh per unit');
    await page.getByRole('button', { name: 'NL, Nederlands' }).first().click();
    await expect(solar).toBeVisible();
    const close = notices(page).getByRole('button', { name: /^Sluiten: / });
    const there = await close.count();
    expect(there).toBeGreaterThan(1);
    for (let left = there - 1; left >= 0; left--) {
      await close.first().click();
      await expect(close).toHaveCount(left);
    }
    await expect(portal.heading()).toBeFocused();
    await portal.open('/account');
    await expect(portal.heading()).toHaveText(/^Welkom, \S/);
    await expect(notices(page), '2.1-notices-place').toHaveCount(0);
    // another device of the same customer
    const other = await browser.newContext({ locale: 'nl-NL' });
    const tablet = at(participants, await other.newPage());
    await tablet.signIn(who, other);
    await tablet.open('/account');
    await openNotices(tablet.page);
    await expect(notices(tablet.page).getByText('125 kWh per eenheid'), '2.1-notices-place').toBeVisible();
    await other.close();
  },
);

test(
  rows(['9-compensation-notice', '9-solar-deduction'], 'dates, texts and figures come from the label, also on other days'),
  async ({ browser }) => {
    const days: [day: string, compensation: boolean][] = [
      ['2026-11-26', true],
      ['2026-12-10', false],
      ['2026-12-28', true],
    ];
    for (const [day, compensation] of days) {
      const labels = mkdtempSync(path.join(os.tmpdir(), 'wattle-labels-'));
      cpSync(path.join(root, 'labels/1024'), path.join(labels, '1024'), { recursive: true });
      const changed = day.startsWith('2026-12');
      const file = path.join(labels, '1024/label.cue');
      const text = readFileSync(file, 'utf8');
      if (changed) writeFileSync(file, text.replaceAll('125 kWh', '130 kWh').replaceAll('€ 190', '€ 205'));
      const server = await serve({ labels, args: ['--clock', `${day}T10:00:00Z`] });
      const context = await browser.newContext({ locale: 'nl-NL' });
      const portal = new Portal(await context.newPage(), server, participants);
      await portal.signIn(undefined, context);
      await portal.open('/account');
      await openNotices(portal.page);
      await expect(notices(portal.page), `9-solar-deduction on ${day}`).toContainText(
        changed ? '130 kWh per eenheid' : '125 kWh per eenheid',
      );
      const paid = notices(portal.page).getByText('Compensatie van de overheid');
      await expect(paid, `9-compensation-notice on ${day}`).toHaveCount(compensation ? 1 : 0);
      if (compensation)
        await expect(notices(portal.page), `9-compensation-notice on ${day}`).toContainText(changed ? '€ 205' : '€ 190');
      await context.close();
      await server.stop();
      rmSync(labels, { recursive: true, force: true });
    }
  },
);
