import { expect, participants, rows, test } from './harness';
import {
  accessible,
  apiOf,
  beach,
  browserOf,
  card,
  contract,
  decide,
  line,
  member,
  newestMail,
  offer,
  ownerSpec,
  participation,
  project,
  signedIn,
} from './marketplace-world';

test(
  rows(
    [
      '2.1-my-offers-route',
      '2.3-overlay-create-offer',
      '4-offer-created-navigation',
      '5.7-offer-price-floor',
      '5.7-offer-messages',
    ],
    'a public offer: created, approved, for sale, partly and then completely retracted',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await signedIn(portal, ownerSpec());
    await portal.open('/offers');
    await page.getByRole('navigation').getByRole('link', { name: 'Aanbod plaatsen' }).click();
    const sheet = page.getByRole('dialog', { name: 'Aanbod plaatsen' });
    await expect(sheet.getByLabel('Welke delen?'), '2.3-overlay-create-offer').toHaveValue(`P1-${seller.id}`);
    await sheet.getByRole('radio', { name: 'Openbaar aanbod' }).check();
    const price = sheet.getByLabel('Prijs per deel');
    const shares = sheet.getByRole('spinbutton', { name: 'Delen' });
    await price.fill('61');
    await price.blur();
    await expect(price).toHaveAccessibleDescription(/Maximale prijs overschreden/);
    await price.fill('24,99');
    await price.blur();
    await expect(price).toHaveAccessibleDescription(/Minimale prijs niet gehaald/);
    await price.fill('49,99');
    await shares.fill('41');
    await shares.blur();
    await expect(shares, '5.7-offer-messages').toHaveAccessibleDescription(/Niet genoeg delen/);
    await shares.fill('12');
    await expect(sheet.getByText('12 × € 49 = € 588'), '5.7-offer-price-floor').toBeVisible();
    await sheet.getByRole('button', { name: 'vandaag: 20-11-2026' }).click();
    await accessible(portal);
    await sheet.getByRole('button', { name: 'Aanbod plaatsen' }).click();
    await expect(page).toHaveURL(/\/my-offers$/);
    await expect(sheet).toHaveCount(0);
    await expect(page.getByText(/We hebben je aanbod ontvangen/), '4-offer-created-navigation').toBeVisible();
    const mine = line(page, `Windpark ${seller.id}`);
    await expect(mine).toContainText('Wacht op goedkeuring');
    await expect(mine).toContainText('€ 49');
    await accessible(portal);
    await decide(portal, seller);
    await page.reload();
    await expect(mine).toContainText('Te koop');

    await mine.getByRole('button', { name: 'Intrekken' }).click();
    const retract = page.getByRole('dialog', { name: 'Aanbod intrekken' });
    await retract.getByRole('spinbutton').fill('5');
    await expect(retract).toContainText(`Nog te koop van Windpark ${seller.id}: 7.`);
    await accessible(portal);
    await retract.getByRole('button', { name: 'Intrekken' }).click();
    await expect(retract).toHaveCount(0);
    await expect(mine.getByRole('cell', { name: '7', exact: true })).toBeVisible();
    await mine.getByRole('button', { name: 'Intrekken' }).click();
    await retract.getByRole('button', { name: 'Intrekken' }).click();
    await expect(mine, '2.1-my-offers-route').toContainText('Gesloten');
    await expect(mine.getByRole('button')).toHaveCount(0);
    await portal.open('/participation');
    await expect(page.getByRole('main')).toContainText('40');
  },
);

test(
  rows(
    [
      '2.1-personal-offers-redeem',
      '2.3-overlay-redeem-offer',
      '5.7-redeem-length',
      '7.6-activation-effect',
      '8-redeem-success',
      '8-redeem-invalid-code',
    ],
    '@daily a personal offer and its code',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await signedIn(portal, ownerSpec());
    const call = await apiOf(portal, seller);
    await call('POST', '/sustainable/offers', {
      participation_identifier: `P1-${seller.id}`,
      project_code: `W-${seller.id}`,
      date: '2026-11-20',
      number_of_shares: 4,
      price: 10,
      buyer_email_address: 'vriend@voorbeeld.example',
    });
    await decide(portal, seller);
    await portal.open('/my-offers');
    const code = (await line(page, seller.id).locator('code').textContent()) ?? '';
    expect(code).toMatch(/^[0-9A-Z]{11}$/);
    await expect(line(page, seller.id).getByRole('button', { name: 'Kopieer code' })).toBeVisible();

    const buyer = await browserOf(portal);
    await buyer.open('/personal-offers');
    await accessible(buyer);
    await buyer.page.getByRole('button', { name: 'Code inwisselen' }).click();
    const sheet = buyer.page.getByRole('dialog', { name: 'Code inwisselen' });
    const field = sheet.getByRole('textbox', { name: 'Code' });
    await expect(field, '2.1-personal-offers-redeem').toBeVisible();
    const redeem = sheet.getByRole('button', { name: 'Inwisselen' });
    await field.fill('TEKORT');
    await field.blur();
    await expect(field, '5.7-redeem-length').toHaveAccessibleDescription(/Ongeldige code/);
    await field.fill('AAAAAAAAAAA');
    await redeem.click();
    await expect(field, '8-redeem-invalid-code').toHaveAccessibleDescription(/Ongeldige code/);
    await accessible(buyer);
    await field.fill(` ${code} `);
    await redeem.click();
    await expect(sheet.getByRole('heading', { name: 'Gelukt' }), '2.3-overlay-redeem-offer').toBeVisible();
    await expect(sheet, '8-redeem-success').toContainText(`Nu bij je persoonlijke aanbod: Windpark ${seller.id}, 4 × € 10.`);
    await accessible(buyer);
    await sheet.getByRole('link', { name: 'Naar je persoonlijke aanbod' }).click();
    await expect(card(buyer.page, seller)).toContainText('€ 10');

    const other = await browserOf(portal);
    await other.open('/personal-offers/redeem-offer');
    const late = other.page.getByRole('dialog').getByRole('textbox', { name: 'Code' });
    await late.fill(code);
    await other.page.getByRole('button', { name: 'Inwisselen', exact: true }).click();
    await expect(late, '7.6-activation-effect').toHaveAccessibleDescription(/Ongeldige code/);
    await Promise.all([buyer.page.context().close(), other.page.context().close()]);
  },
);

test(
  rows(['1-personal-transfer', '5.7-transfer-contract'], 'shares transferred to a member by e-mail address'),
  async ({ at, page }) => {
    const portal = at(participants);
    const poor = await member(portal);
    const receiver = await browserOf(portal, { records: [contract] });
    const seller = await signedIn(portal, ownerSpec());
    await portal.open('/participation');
    await page.getByRole('button', { name: 'Overdragen' }).click();
    const sheet = page.getByRole('dialog', { name: 'Aanbod plaatsen' });
    await expect(sheet.getByRole('radio', { name: 'Gratis overdragen' })).toBeChecked();
    await expect(sheet).toContainText('actief stroomcontract');
    const email = sheet.getByLabel('E-mailadres van het andere lid');
    await sheet.getByRole('spinbutton', { name: 'Delen' }).fill('6');
    await sheet.getByRole('button', { name: 'vandaag: 20-11-2026' }).click();
    const send = sheet.getByRole('button', { name: 'Gratis overdragen' });
    for (const [to, why] of [
      ['niemand@voorbeeld.example', 'We kennen geen lid met dit e-mailadres'],
      [poor.email, 'Dit lid heeft geen actief stroomcontract'],
    ] as const) {
      await email.fill(to);
      await send.click();
      await expect(sheet.getByRole('alert').filter({ hasText: 'Fout' }), '5.7-transfer-contract').toContainText(why);
      await expect(email).toHaveValue(to);
    }
    await accessible(portal);
    await email.fill(receiver.who.email);
    await send.click();
    await expect(page).toHaveURL(/\/my-offers$/);
    const mine = line(page, `Windpark ${seller.id}`);
    await expect(mine).toContainText('Overdracht');
    await expect(mine).toContainText('gratis');
    await decide(portal, seller);
    await page.reload();
    await expect(mine).toContainText('Overgedragen');
    await receiver.open('/participation');
    await expect(receiver.page.getByRole('main'), '1-personal-transfer').toContainText(`Windpark ${seller.id}`);
    await accessible(receiver);
    await newestMail(portal, receiver.who.email, /del/i);
    await receiver.page.context().close();
  },
);

test(
  rows(['5.7-transfer-contract-text'], '@daily each label explains in its own text which agreement is required'),
  async ({ at, page }) => {
    const seen: string[] = [];
    for (const label of ['1024', '1071', '1060']) {
      const portal = at(`${label}.localhost`);
      await signedIn(portal, ownerSpec());
      await portal.open('/participation/create-offer?kind=transfer');
      const text = page.getByRole('dialog').getByText(/stroomcontract/);
      await expect(text).toBeVisible();
      seen.push((await text.textContent()) ?? '');
    }
    expect(new Set(seen).size).toBe(3);
  },
);

test(
  rows(
    [
      '2.1-participation-move-shares',
      '2.3-overlay-move-shares',
      '5.8-save-disabled',
      '5.8-new-address',
      '5.8-existing-address',
      '7.6-get-future-moves',
    ],
    'shares move to a new address now, and to another one later',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const who = await signedIn(portal, { records: [project(), participation(1, 40), participation(2, 10, beach)] });
    await portal.open('/participation');
    await page.getByRole('navigation').getByRole('link', { name: 'Delen verhuizen' }).click();
    await expect(page, '2.1-participation-move-shares').toHaveURL(/\/participation\/move-shares$/);
    await expect(portal.heading(), '2.1-participation-move-shares: over the page').toHaveText('Mijn delen');
    const sheet = page.getByRole('dialog', { name: 'Delen verhuizen' });
    const save = sheet.getByRole('button', { name: 'Delen verhuizen' });
    await sheet.getByLabel('Welke delen?').selectOption(`P1-${who.id}`);
    await sheet.getByRole('spinbutton', { name: 'Delen' }).fill('6');
    await sheet.getByRole('button', { name: 'vandaag: 20-11-2026' }).click();
    await expect(save, '5.8-save-disabled').toHaveAttribute('aria-disabled', 'true');
    await sheet.getByRole('radio', { name: 'Een nieuw adres' }).check();
    await sheet.getByLabel('Postcode').fill('9731AB');
    await sheet.getByLabel('Nummer').fill('7');
    await sheet.getByLabel('Straat').fill('Lindelaan');
    await expect(save, '5.8-new-address').toHaveAttribute('aria-disabled', 'true');
    await sheet.getByLabel('Plaats').fill('Groningen');
    await accessible(portal);
    await save.click();
    await expect(sheet, '2.3-overlay-move-shares').toHaveCount(0);
    await expect(page).toHaveURL(/\/participation$/);
    await expect(page.getByRole('main')).toContainText('Lindelaan 7, Groningen');
    await portal.open(`/participation/move-shares?participation=P1-${who.id}`);
    await sheet.getByRole('spinbutton', { name: 'Delen' }).fill('4');
    await sheet.getByLabel('Vanaf wanneer').fill('01-12-2026');
    await sheet.getByRole('radio', { name: 'Een adres waar je al delen hebt' }).check();
    await sheet.getByLabel('Kies een adres').selectOption(`P2-${who.id}`);
    await save.click();
    await expect(sheet).toHaveCount(0);
    await portal.open('/account#marketplace.moves');
    const section = page.getByRole('region', { name: 'Delen die verhuizen' });
    await expect(section, '7.6-get-future-moves').toContainText('01-12-2026');
    await expect(section).toContainText('4 delen');
    await expect(section, '5.8-existing-address').toContainText('Strandweg 3, Lauwersoog');
    await section.getByRole('button', { name: 'Verhuizing annuleren' }).click();
    await expect(page.getByText('De verhuizing is geannuleerd.')).toBeVisible();
    await expect(section).toContainText('Er staan geen verhuizingen van delen gepland.');
    await expect(section.getByRole('button', { name: 'Verhuizing annuleren' })).toHaveCount(0);
  },
);

test(
  rows(['5.8-fields-disabled'], 'a project without selling: nothing can be moved or offered, with the reason'),
  async ({ at, page }) => {
    const portal = at(participants);
    await signedIn(portal, {
      records: [
        project({ member_offer_settings: [{ from_date: '2020-01-01', min_price: 25, max_price: 60, allow_selling: false }] }),
        participation(1, 40),
      ],
    });
    await portal.open('/participation/move-shares');
    const sheet = page.getByRole('dialog');
    for (const field of [sheet.getByRole('spinbutton', { name: 'Delen' }), sheet.getByLabel('Vanaf wanneer')]) {
      await expect(field).toHaveAttribute('aria-disabled', 'true');
      await expect(field).toHaveAccessibleDescription(/kunnen nu niet worden verhuisd/);
    }
    await accessible(portal);
    await portal.open('/my-offers/create-offer');
    await expect(sheet.getByRole('button', { name: 'Aanbod plaatsen' })).toHaveAccessibleDescription(
      /kunnen nu niet worden verkocht/,
    );
  },
);

test('@daily an impersonator cannot offer, retract, pay or move, and reads why', async ({ at, page }) => {
  const portal = at(participants);
  const who = await portal.customer(ownerSpec([offer(1, 5, 40)], { impersonator: true }));
  await portal.open(`/my-offers#impersonate=${who.impersonation_code}`);
  await expect(line(page, who.id).getByRole('button', { name: 'Intrekken' })).toHaveAccessibleDescription(/Je kijkt alleen mee/);
  await page.getByRole('navigation').getByRole('link', { name: 'Aanbod plaatsen' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Aanbod plaatsen' })).toHaveAccessibleDescription(
    /Je kijkt alleen mee/,
  );
});
