import { customers, expect, participants, phone, rows, test } from './harness';
import {
  accessible,
  basket,
  card,
  checkOut,
  decide,
  filterByProject,
  line,
  member,
  newestMail,
  offer,
  order,
  ownerSpec,
  participation,
  pay,
  project,
  signedIn,
} from './marketplace-world';

test(
  rows(
    [
      '2.1-offers-route',
      '2.1-offers-filters',
      '9-offer-apart',
      '9-offer-current',
      '9-offer-page',
      '2.1-offers-back-link',
      '2.1-checkout-route',
      '2.1-checkout-costs',
      '2.1-my-orders-route',
      '2.4-thank-you',
      '2.4-thank-you-encoding',
      '2.5-cart-badge',
      '2.5-cart-checkout-button',
      '4-checkout-success',
      '4-order-pay-link',
      '5.7-checkout-checkboxes',
      '7.6-paylink-return',
      '9-checkout-now',
      '9-checkout-phone',
      '9-checkout-result',
      '9-offer-project',
      '9-phone-bar',
      '9-submit-reasons',
    ],
    '@daily from the offers to the thank-you page',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await member(portal, ownerSpec([offer(1, 12, 49), offer(2, 6, 40)]));
    const buyer = await signedIn(portal);
    await portal.open('/offers');
    await filterByProject(page, seller);
    await expect(
      page.getByRole('combobox', { name: 'Project', exact: true }).locator('option:checked'),
      '2.1-offers-filters',
    ).toContainText('2');
    await expect(card(page, seller), '2.1-offers-route').toHaveCount(2);
    await expect(card(page, seller).first()).toContainText('€ 40'); // lowest price first
    await expect(card(page, seller).first(), '9-offer-project').toContainText('draait sinds 2016');
    await accessible(portal);
    const dear = card(page, seller).filter({ hasText: '€ 49' });
    await expect(dear, '9-offer-apart').toHaveAccessibleName(/12 delen/);
    await dear.getByRole('link', { name: 'Bekijk wat dit opbrengt' }).click();
    await expect(portal.heading(), '9-offer-page').toContainText(seller.id);
    const offers = page.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link', { name: 'Aanbod', exact: true });
    await expect(offers, '9-offer-current').toHaveAttribute('aria-current', 'page');
    const brings = page.getByRole('region', { name: 'Wat je delen opbrengen' });
    await expect(brings).toContainText('nog geen heel jaar gemeten');
    await expect(brings).toContainText('€ 490'); // ten shares
    await accessible(portal);
    await page.goBack();
    await dear.getByRole('spinbutton').fill('99');
    await expect(dear.getByRole('spinbutton')).toHaveValue('12'); // 5.7-shares-clamp
    await dear.getByRole('spinbutton').fill('3');
    await expect(dear).toContainText('€ 147');
    await dear.getByRole('button', { name: 'In winkelmand' }).click();
    await expect(basket(page), '2.5-cart-badge').toHaveAccessibleName('Winkelmand: 1');
    await basket(page).click();
    await expect(page.getByRole('banner')).toContainText('€ 147');
    await accessible(portal);
    await page.getByRole('link', { name: 'Naar winkelmand' }).click();
    await expect(page, '2.5-cart-checkout-button').toHaveURL(/\/checkout$/);
    await expect(portal.heading(), '2.1-checkout-route').toHaveText('Afrekenen');
    await expect(page.getByRole('main'), '2.1-checkout-costs').toContainText('€ 12,50');
    await expect(page.getByRole('main').getByRole('link', { name: 'Bekijk het aanbod' }), '2.1-offers-back-link').toHaveAttribute(
      'href',
      '/offers',
    );
    await expect(page.getByRole('main'), '9-checkout-now').toContainText('Nu te betalen€ 147,00');
    await expect(page.locator('input[name=day]')).toHaveValue('21-12-2026');
    const place = page.getByRole('button', { name: 'Bestellen en betalen' });
    await expect(place, '5.7-checkout-checkboxes').toHaveAttribute('aria-disabled', 'true');
    const reason = page.getByRole('link', { name: 'Vink aan dat we je bestelling meteen mogen uitvoeren' });
    await expect(reason, '9-submit-reasons: beside the button from the start').toBeVisible();
    await place.click({ force: true });
    await expect(page.getByRole('checkbox').first(), '9-submit-reasons: a press leads to the first').toBeFocused();
    await reason.click();
    await expect(page.getByRole('checkbox').last(), '9-submit-reasons').toBeFocused();
    await page.getByRole('checkbox').first().check();
    await expect(place).toHaveAttribute('aria-disabled', 'true');
    await accessible(portal);

    // on a phone: a bar with the amount and the button instead of the menu
    await page.setViewportSize(phone);
    const amount = page.locator('p', { hasText: 'Nu te betalen' }).filter({ visible: true });
    await expect(amount, '9-checkout-phone').toContainText('€ 147,00');
    await expect(page.getByRole('navigation', { name: 'Ga naar' }), '9-phone-bar: not on this page').toHaveCount(0);
    const bottom = async () => {
      const box = await place.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(bottom, '9-checkout-phone: at the bottom of the window').toBeGreaterThan(phone.height - 24);
    expect(await bottom()).toBeLessThanOrEqual(phone.height);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('contentinfo'), '9-checkout-phone: nothing between the form and the bar').toBeHidden();
    const top = (await reason.boundingBox())?.y ?? 0; // what is missing is in the bar, above the button
    expect(top, '9-checkout-phone').toBeGreaterThan(phone.height - 160);
    const last = await page.getByRole('main').getByRole('link', { name: 'Bekijk het aanbod' }).boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0), '9-checkout-phone: the end of the page').toBeLessThanOrEqual(top);
    await place.click({ force: true });
    const box = page.getByRole('checkbox').last();
    await expect(box, '9-checkout-phone: a press leads to what is missing').toBeFocused();
    expect((await box.boundingBox())?.y, '9-checkout-phone: clear of the bar').toBeLessThan(top - 24);
    await box.check();
    await expect(reason, '9-checkout-phone: as long as something is missing').toBeHidden();
    await box.uncheck();
    await expect(reason).toBeVisible();
    await expect(page.getByRole('banner').getByRole('button', { name: 'EN, English' }), '9-phone-bar').toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Stoppen en teruggaan' }), '9-phone-bar').toBeVisible();
    await accessible(portal);
    await page.setViewportSize({ width: 1280, height: 900 });
    await checkOut(page);
    // the payment page, in the same tab
    await expect(page.getByText('Proefbetaling: er gaat geen geld om'), '4-checkout-success').toBeVisible();
    await expect(page.getByRole('main')).toContainText('€ 147,00');
    await page.goBack();
    await expect(page, '4-checkout-success').toHaveURL(/\/my-orders$/);
    await expect(basket(page)).toHaveAccessibleName('Winkelmand: 0');
    const mine = line(page, `Windpark ${seller.id}`);
    await expect(mine).toContainText('Nog te betalen');
    await expect(mine, '2.1-my-orders-route').toContainText('€ 147,00');
    await expect(mine).toContainText('21-12-2026');
    await accessible(portal);
    await page.goForward();
    await page.getByRole('button', { name: 'Betalen', exact: true }).click();
    await expect(page, '7.6-paylink-return').toHaveURL(/\/thank-you\?n=/);
    await expect(portal.heading(), '9-checkout-result').toHaveText('Bedankt, je betaling is binnen');
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Mijn bestellingen' }).first()).toBeVisible(); // inside the portal
    await expect(page.getByRole('main'), '2.4-thank-you').toContainText('€ 147,00');
    await accessible(portal);
    const reference = (await page.getByRole('main').textContent())?.match(/B-[0-9A-Z]{10}/)?.[0] ?? '';
    await page.getByRole('main').getByRole('link', { name: 'Mijn bestellingen' }).click();
    await expect(mine).toContainText('Betaald');
    await expect(mine, '2.4-thank-you-encoding').toContainText(reference);
    await expect(mine.getByRole('button', { name: /^Betalen/ }), '4-order-pay-link').toHaveCount(0);
    await newestMail(portal, buyer.email, /betaal|betaling|bestelling/i);
  },
);

test(
  rows(
    ['2.4-payment-cancelled', '4-orders-to-expire', '8-order-cancelled'],
    'a canceled payment that is paid from the account page; a canceled order',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await member(portal, ownerSpec([offer(1, 12, 49)]));
    const buyer = await signedIn(portal);
    await order(portal, buyer, seller, 2);
    await portal.open('/my-orders');
    await expect(line(page, seller.id)).toContainText('Nog te betalen');
    const tab = await pay(page, 'Annuleren');
    await expect(tab).toHaveURL(/\/payment-cancelled/);
    await expect(tab.locator('h1'), '2.4-payment-cancelled').toHaveText('Betaling geannuleerd');
    await tab.close();
    await portal.open('/account');
    const due = page.getByRole('region', { name: 'Te betalen' });
    await expect(due).toContainText(`Windpark ${seller.id}`);
    await expect(due.getByRole('listitem')).toContainText(/^€\s98,00.*betaal vóór 04-12-2026/);
    await expect(due.getByRole('button', { name: /^Betalen/ }), '4-orders-to-expire').toBeVisible();
    await portal.open('/my-orders');
    await line(page, seller.id).getByRole('button', { name: 'Annuleren' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Je betaalt niets.');
    await accessible(portal);
    await dialog.getByRole('button', { name: 'Bestelling annuleren' }).click();
    await expect(page.getByText(/Bestelling B-[0-9A-Z]+ is geannuleerd/), '8-order-cancelled').toBeVisible();
    await expect(line(page, seller.id)).toContainText('Geannuleerd');
    await expect(line(page, seller.id).getByRole('button')).toHaveCount(0);
    await portal.open('/account');
    await expect(page.getByRole('region', { name: 'Mijn bestellingen' }), '4-orders-to-expire').toContainText(
      'Je hebt geen bestellingen die je nog moet betalen.',
    );
    await portal.open('/offers');
    await filterByProject(page, seller);
    await expect(card(page, seller)).toContainText('12 delen'); // available again
  },
);

test(
  rows(['9-withdrawal-function'], 'a withdrawal takes two steps, with a receipt on screen and by mail'),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await member(portal, ownerSpec([offer(1, 12, 49)]));
    const buyer = await signedIn(portal);
    await order(portal, buyer, seller, 2);
    await portal.open('/my-orders');
    const tab = await pay(page);
    await expect(tab).toHaveURL(/\/thank-you/);
    await tab.close();
    await page.reload();
    await line(page, seller.id).getByRole('button', { name: 'Aankoop herroepen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Aankoop herroepen' });
    await expect(dialog).toContainText('Je krijgt € 98,00 terug. Dat kan tot en met 04-12-2026, zonder reden.');
    await accessible(portal);
    await dialog.getByRole('button', { name: 'Herroeping bevestigen' }).click();
    await expect(dialog).toContainText(/Ontvangen op 20-11-2026 om \d\d:\d\d, kenmerk .+\. Je krijgt €\s98,00 terug\./);
    await dialog.getByRole('button', { name: 'Sluiten' }).last().click();
    await expect(line(page, seller.id)).toContainText('Geannuleerd');
    expect(await newestMail(portal, buyer.email, /van de koop afziet/)).toContain('98,00');
  },
);

test(
  rows(['4-checkout-emptied', '8-place-order-status'], 'shares sold meanwhile: a part of the basket, then all of it'),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await member(portal, ownerSpec([offer(1, 4, 49), offer(2, 6, 40)]));
    const other = await member(portal);
    await signedIn(portal);
    await portal.open('/offers');
    await filterByProject(page, seller);
    for (const price of ['€ 49', '€ 40']) {
      await card(page, seller).filter({ hasText: price }).getByRole('button', { name: 'In winkelmand' }).click();
      await expect(card(page, seller).filter({ hasText: price }).getByRole('button', { name: 'Aantal wijzigen' })).toBeVisible();
    }
    await portal.open('/checkout');
    await expect(page.getByRole('main')).toContainText('€ 89');
    await order(portal, other, seller, 4, 1);
    await checkOut(page);
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('OFFER_UNAVAILABLE');
    await expect(alert, '8-place-order-status').toContainText('Een deel is intussen verkocht en uit je winkelmand gehaald');
    await expect(page).toHaveURL(/\/checkout$/);
    await expect(page.getByRole('main')).toContainText('€ 40');
    await expect(basket(page)).toHaveAccessibleName('Winkelmand: 1');
    await accessible(portal);
    await page.reload();
    await expect(basket(page)).toHaveAccessibleName('Winkelmand: 1'); // the server's state
    await order(portal, other, seller, 6, 2);
    await checkOut(page);
    await expect(page, '4-checkout-emptied').toHaveURL(/\/offers$/);
    await expect(page.getByText('OFFER_UNAVAILABLE')).toBeVisible();
    await expect(basket(page)).toHaveAccessibleName('Winkelmand: 0');
    await portal.open('/my-orders');
    await expect(page.getByText('Je hebt geen bestellingen')).toBeVisible();
  },
);

test(rows(['9-market-page-base', '9-market-page-size'], 'ten offers per page, the cheapest first'), async ({ at, page }) => {
  const portal = at(participants);
  const seller = await member(portal, {
    records: [project(), participation(1, 40), ...Array.from({ length: 11 }, (_, n) => offer(n + 1, 1, 60 - n))],
  });
  await signedIn(portal);
  await portal.open('/offers');
  await filterByProject(page, seller);
  await expect(card(page, seller), '9-market-page-size').toHaveCount(10);
  await expect(card(page, seller).first()).toContainText('€ 50');
  await page.getByRole('button', { name: 'Pagina 2' }).click();
  await expect(card(page, seller)).toHaveCount(1);
  await expect(card(page, seller), '9-market-page-base').toContainText('€ 60');
});

test(rows(['6-market-access-approval'], 'a label with approval of members: request, pending, approved'), async ({ at, page }) => {
  const portal = at('1071.localhost');
  const who = await signedIn(portal);
  await portal.open('/offers');
  await page.getByRole('button', { name: 'Toegang aanvragen' }).click();
  await expect(page.getByText('We bekijken je aanvraag')).toBeVisible();
  await accessible(portal);
  await decide(portal, who);
  await portal.open('/offers');
  await expect(page.getByRole('combobox', { name: 'Project', exact: true })).toBeVisible();
});

test(
  rows(
    ['2.1-marketplace-routes-gate', '2.5-cart-labels-reconcile'],
    'in a label without a marketplace its pages lead to the landing page, and there is no basket',
  ),
  async ({ at, page }) => {
    const portal = at(customers);
    await signedIn(portal);
    await portal.open('/');
    const landing = page.url();
    await expect(basket(page)).toHaveCount(0);
    for (const path of [
      '/offers',
      '/personal-offers',
      '/my-offers',
      '/my-orders',
      '/checkout',
      '/my-offers/create-offer',
      '/personal-offers/redeem-offer',
    ]) {
      await portal.open(path);
      await expect(page, `2.1-marketplace-routes-gate: ${path}`).toHaveURL(landing);
    }
    for (const label of ['1024', '1060', '1071']) {
      const there = at(`${label}.localhost`);
      await signedIn(there);
      await there.open('/my-orders');
      await expect(
        page.getByRole('banner').getByRole('button', { name: /^Winkelmand/ }),
        '2.5-cart-labels-reconcile',
      ).toHaveCount(1);
      await expect(there.heading(), `2.1-marketplace-routes-gate: not in ${label}`).toHaveText('Mijn bestellingen');
    }
  },
);
