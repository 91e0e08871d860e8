import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serve } from '../../tools/server.mjs';
import { expect, Portal, participants, test } from './harness';
import {
  accessible,
  basket,
  browserOf,
  card,
  checkOut,
  filterByProject,
  line,
  member,
  newestMail,
  ownerSpec,
} from './marketplace-world';

test('two members and staff, each in a browser: offered, approved, bought, paid, and transferred on the transfer date', async ({
  page,
}) => {
  const data = mkdtempSync(path.join(os.tmpdir(), 'wattle-journey-'));
  const on = (clock: string) => serve({ args: ['--data', data, '--clock', clock] });
  let server = await on('2026-11-20T10:00:00Z');
  try {
    const seller = new Portal(page, server, participants);
    const who = await member(seller, ownerSpec());
    await seller.signIn(who);
    const buyer = await browserOf(seller);
    const staff = await browserOf(seller, { role: 'staff' });

    // the seller offers 12 shares
    await seller.open('/my-offers/create-offer');
    const sheet = page.getByRole('dialog', { name: 'Aanbod plaatsen' });
    await sheet.getByRole('radio', { name: 'Openbaar aanbod' }).check();
    await sheet.getByRole('spinbutton', { name: 'Delen' }).fill('12');
    await sheet.getByLabel('Prijs per deel').fill('49');
    await sheet.getByRole('button', { name: 'vandaag: 20-11-2026' }).click();
    await sheet.getByRole('button', { name: 'Aanbod plaatsen' }).click();
    await expect(line(page, who.id)).toContainText('Wacht op goedkeuring');

    // not visible until staff approve it
    await buyer.open('/offers');
    await filterByProject(buyer.page, who);
    await expect(buyer.page.getByText('Er is nu geen aanbod')).toBeVisible();
    await staff.open(`/staff/changes?kind=marketplace.offer&q=${who.relation_id}`);
    await staff.page.getByRole('button', { name: 'Aanbod', exact: true }).click();
    const request = staff.page.getByRole('dialog', { name: 'Aanbod' });
    await expect(request).toContainText(`Windpark ${who.id}`);
    await request.getByRole('button', { name: 'Goedkeuren', exact: true }).click();
    await expect(request).toContainText('uitgevoerd');
    await page.reload();
    await expect(line(page, who.id)).toContainText('Te koop');

    // the other member buys and pays
    await buyer.page.reload();
    await filterByProject(buyer.page, who);
    await card(buyer.page, who).getByRole('spinbutton').fill('12');
    await card(buyer.page, who).getByRole('button', { name: 'In winkelmand' }).click();
    await basket(buyer.page).click();
    await buyer.page.getByRole('link', { name: 'Naar winkelmand' }).click();
    await checkOut(buyer.page);
    await expect(buyer.page.getByText('Proefbetaling: er gaat geen geld om')).toBeVisible();
    await page.reload();
    await expect(line(page, who.id)).toContainText('Gereserveerd');
    await buyer.page.getByRole('button', { name: 'Betalen', exact: true }).click();
    await expect(buyer.page.locator('h1')).toHaveText('Bedankt, je betaling is binnen');
    await buyer.page.getByRole('main').getByRole('link', { name: 'Mijn bestellingen' }).click();
    await expect(line(buyer.page, who.id)).toContainText('Betaald');
    await page.reload();
    await expect(line(page, who.id)).toContainText('Verkocht');

    // the day of transfer
    await server.stop();
    server = await on('2026-12-21T11:00:00Z');
    const [later, there] = [new Portal(page, server, participants), new Portal(buyer.page, server, participants)];
    await later.signIn(who);
    await there.signIn(buyer.who);
    await expect(async () => {
      await there.open('/my-orders');
      await expect(line(there.page, who.id)).toContainText('Overgedragen', { timeout: 5_000 });
    }).toPass();
    await there.open('/participation');
    await expect(there.page.getByRole('main')).toContainText(`Windpark ${who.id}`);
    await expect(there.page.getByRole('main')).toContainText('12');
    await accessible(there);
    await later.open('/my-offers');
    await expect(line(page, who.id)).toContainText('Overgedragen');
    await later.open('/participation');
    await expect(page.getByRole('main')).toContainText('28');
    await newestMail(there, buyer.who.email, /del/i);
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
