import type { Page } from '@playwright/test';
import { type DemoRecord, expect, participants, rows, test } from './harness';
import {
  accessible,
  apiOf,
  basket,
  card,
  checkOut,
  decide,
  filterByProject,
  line,
  member,
  offer,
  ownerSpec,
  participation,
  project,
  signedIn,
} from './marketplace-world';

/** Four weeks of the created customer's project: 10 kWh in each hour, all for its only member. */
const productionRecords: DemoRecord[] = Array.from({ length: 28 }, (_, back) => ({
  kind: 'production_day',
  data: { project_code: 'W-{{id}}', day: `{{day -${back}}}`, hours: Array.from({ length: 24 }, () => 10) },
})).filter(({ data }) => data.day !== '{{day -26}}'); // the night of 25 October has 25 hours
const chart = (page: Page, title: string) =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name: new RegExp(`^${title}`) }) });
const whole = 'Totale windopbrengst';
const charts = [whole, 'Opbrengst van jouw delen'];
/** Opens the chart of the whole project, which is closed at first (9-production-fold). */
const openWhole = (page: Page) =>
  chart(page, whole)
    .getByRole('button', { name: new RegExp(`^${whole}`), expanded: false })
    .click();

test(
  rows('1-participant-domains', 'a member uses everything for participants, from the charts to a move of shares'),
  async ({ at, page }) => {
    const portal = at(participants);
    // a seller with a public and a personal offer
    const seller = await member(portal, ownerSpec([offer(1, 12, 49)]));
    const call = await apiOf(portal, seller);
    const { direct_offer_code: code } = await call<{ direct_offer_code: string }>('POST', '/sustainable/offers', {
      participation_identifier: `P1-${seller.id}`,
      project_code: `W-${seller.id}`,
      date: '2026-11-20',
      number_of_shares: 4,
      price: 30,
      buyer_email_address: 'vriend@voorbeeld.example',
    });
    await decide(portal, seller);

    const who = await signedIn(portal, { records: [project(), participation(1, 40), ...productionRecords] });
    await portal.open('/');
    const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });
    const go = (name: string) => menu.getByRole('link', { name, exact: true }).click();

    // production charts: first in the menu, except for the start page that this label shows and the fixture's items
    await expect(menu.locator('a:not([href^="/fixture"], [href="/home"])').first()).toHaveText('Opbrengst');
    await go('Opbrengst');
    await expect(page).toHaveURL(/\/overview$/);
    await openWhole(page);
    for (const title of charts) {
      await expect(chart(page, title)).toContainText('kWh');
      await expect(chart(page, title).getByRole('group', { name: /26 oktober t\/m 22 november/ })).toBeVisible();
    }

    // own participations
    await go('Mijn delen');
    await expect(portal.heading()).toHaveText('Mijn delen');
    await expect(page.getByRole('main')).toContainText(`Windpark ${who.id}`);
    await expect(page.getByRole('main')).toContainText('40');

    // available offers, the basket and checkout with payment
    await go('Aanbod');
    await filterByProject(page, seller);
    await card(page, seller).getByRole('spinbutton').fill('3');
    await card(page, seller).getByRole('button', { name: 'In winkelmand' }).click();
    await basket(page).click();
    await page.getByRole('link', { name: 'Naar winkelmand' }).click();
    await expect(portal.heading()).toHaveText('Afrekenen');
    await checkOut(page);
    await expect(page.getByText('Proefbetaling: er gaat geen geld om')).toBeVisible();
    await page.getByRole('button', { name: 'Betalen', exact: true }).click();
    await expect(portal.heading()).toHaveText('Bedankt, je betaling is binnen');
    await go('Mijn bestellingen');
    await expect(line(page, seller.id)).toContainText('Betaald');

    // a personal offer, redeemed by its code
    await go('Persoonlijk aanbod');
    await page.getByRole('button', { name: 'Code inwisselen' }).click();
    const redeem = page.getByRole('dialog', { name: 'Code inwisselen' });
    await redeem.getByRole('textbox', { name: 'Code' }).fill(code);
    await redeem.getByRole('button', { name: 'Inwisselen' }).click();
    await expect(redeem.getByRole('heading', { name: 'Gelukt' })).toBeVisible();
    await redeem.getByRole('link', { name: 'Naar je persoonlijke aanbod' }).click();
    await expect(card(page, seller)).toContainText('€ 30');

    // the member's own offer
    await go('Aanbod plaatsen');
    const create = page.getByRole('dialog', { name: 'Aanbod plaatsen' });
    await create.getByRole('radio', { name: 'Openbaar aanbod' }).check();
    await create.getByRole('spinbutton', { name: 'Delen' }).fill('5');
    await create.getByLabel('Prijs per deel').fill('49');
    await create.getByRole('button', { name: 'vandaag: 20-11-2026' }).click();
    await create.getByRole('button', { name: 'Aanbod plaatsen' }).click();
    await go('Mijn aanbod');
    await expect(line(page, who.id)).toContainText('Wacht op goedkeuring');

    // shares from one address to another
    await go('Delen verhuizen');
    const move = page.getByRole('dialog', { name: 'Delen verhuizen' });
    await move.getByRole('spinbutton', { name: 'Delen' }).fill('6');
    await move.getByRole('button', { name: 'vandaag: 20-11-2026' }).click();
    await move.getByRole('radio', { name: 'Een nieuw adres' }).check();
    for (const [field, value] of Object.entries({ Postcode: '9731AB', Nummer: '7', Straat: 'Lindelaan', Plaats: 'Groningen' }))
      await move.getByLabel(field).fill(value);
    await move.getByRole('button', { name: 'Delen verhuizen' }).click();
    await expect(move).toHaveCount(0);
    await go('Mijn delen');
    await expect(page.getByRole('main')).toContainText('Lindelaan 7');
  },
);

test('production by hour and year, kept after a reload; a failed chart does not affect the other', async ({ at, page }) => {
  const portal = at(participants);
  await signedIn(portal, { records: [project(), participation(1, 40), ...productionRecords] });
  await portal.open('/overview');
  await expect(chart(page, whole)).toContainText(/[\d.]+\s?kWh/);
  await openWhole(page);
  await accessible(portal);
  await page.getByRole('radio', { name: 'Dag', exact: true }).click();
  await page.getByRole('button', { name: 'Vorige periode' }).click();
  for (const title of charts) {
    await expect(chart(page, title)).toContainText('donderdag 19 november 2026');
    await expect(chart(page, title)).toContainText(/(^|\D)240\s?kWh/);
  }
  await page.reload();
  const shares = chart(page, charts[1] as string);
  await shares.getByRole('button', { name: 'Toon als tabel' }).click();
  await expect(shares.getByRole('table').getByRole('row')).toHaveCount(1 + 24 + 1);
  await accessible(portal);
  await page.getByRole('radio', { name: 'Jaar', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Volgende periode/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(page).not.toHaveURL(/offset/);

  await page.route(/SHARES_IN_PROJECT/, (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: 'unexpected', title: '' } }),
  );
  // the days of this month are known, so the year is compared for these days (9-production-compare)
  await page.getByRole('radio', { name: 'Maand', exact: true }).click();
  await page.getByRole('button', { name: 'Vorige periode' }).click();
  await expect(shares.getByText('Er zijn nu geen gegevens')).toBeVisible();
  await openWhole(page); // closed again by the reload
  await expect(chart(page, whole).getByRole('group', { name: /oktober 2026/ })).toBeVisible();
  await accessible(portal);
  await page.unroute(/SHARES_IN_PROJECT/);
  await shares.getByRole('button', { name: 'Probeer het opnieuw' }).click();
  await expect(shares.getByRole('group', { name: /oktober 2026/ })).toBeVisible();
});

test(
  rows('9-glance', '@daily where members land they see what their shares make, and from there each project'),
  async ({ at, page }) => {
    const portal = at(participants);
    await signedIn(portal, { records: [project(), participation(1, 40), ...productionRecords] });
    await portal.open('/');
    await expect(page).toHaveURL(/\/account$/);
    const glance = page.getByRole('region', { name: 'Mijn delen in één oogopslag' });
    // 27 days of 240 kWh, all for the only member
    await expect(glance, '9-glance').toContainText('6.480 kWh');
    await expect(glance).toContainText('Vandaag240 kWh');
    const [top, sections] = await Promise.all([
      glance.boundingBox(),
      page.getByRole('region', { name: 'Contactgegevens' }).boundingBox(),
    ]);
    expect(top?.y ?? Number.NaN, '9-glance: above the sections').toBeLessThan(sections?.y ?? 0);
    await accessible(portal);
    await glance.getByRole('link', { name: 'Meer over je delen' }).click();
    await expect(portal.heading()).toHaveText('Opbrengst');
  },
);
