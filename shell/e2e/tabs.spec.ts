import type { Page, Route } from '@playwright/test';
import { type Customer, customers, expect, type Portal, participants, rows, test } from './harness';
import { basket, card, checkOut, filterByProject, member, offer, ownerSpec, signedIn } from './marketplace-world';

const signIn = async (page: Page, who: Customer): Promise<void> => {
  await page.getByLabel('Gebruikersnaam').fill(who.username);
  await page.getByRole('textbox', { name: 'Wachtwoord', exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Inloggen' }).click();
};
const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Je account/ }).click();
  await page.getByRole('menuitem', { name: 'Uitloggen' }).click();
};
const unauthorized = (route: Route): Promise<void> =>
  route.fulfill({
    status: 401,
    contentType: 'application/problem+json',
    body: '{"status":401,"code":"unauthorized","title":"x"}',
  });
/** Creates a customer whose only note identifies the page's owner. */
const withNote = (portal: Portal, text: string): Promise<Customer> =>
  portal.customer({ calls: [{ module: 'fixture', path: '/fixture/notes/own', body: { text } }] });
const notes = (page: Page) => page.getByTestId('notes').getByRole('listitem');

test(
  rows(
    '7.7-refresh-same-person',
    '@daily two people at two sign-in forms: nothing that one began is written in the name of the other',
  ),
  async ({ portal, page, at }) => {
    const [fenna, bakery] = [await withNote(portal, 'Fenna'), await withNote(portal, 'Bakkerij')];
    const other = at(customers, await page.context().newPage());
    // messages from the second tab are lost, as if the first one were frozen
    await other.page.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    await Promise.all([portal.open('/fixture'), other.open('/fixture')]);
    await signIn(page, fenna);
    await expect(notes(page)).toHaveText(['Fenna']);
    await signIn(other.page, bakery);
    await expect(notes(other.page)).toHaveText(['Bakkerij']);

    await page.getByRole('button', { name: 'Notitie wijzigen' }).click();
    await page.getByLabel('Tekst').fill('nummer van Fenna');
    let written = 0;
    await page.route('**/api/v0/fixture/notes/one', (route) => {
      written++;
      return unauthorized(route); // her token has expired
    });
    const refused = page.waitForResponse('**/api/v0/auth/refresh');
    await page.getByRole('button', { name: 'Bewaren' }).click();
    expect((await refused).status(), '7.7-refresh-same-person').toBe(409);
    await expect(notes(page), 'her page is left').toHaveText(['Bakkerij']);
    await expect(page.getByLabel('Tekst')).toHaveValue('');
    expect(written, 'nothing is repeated').toBe(1);
    await other.open('/fixture');
    await expect(notes(other.page), 'his session goes on, and nothing was written').toHaveText(['Bakkerij']);
  },
);

test(
  rows(
    ['7.7-refresh-same-person', 'face-refresh'],
    'a sign-in of somebody else reaches the other tab; one of the same person leaves there what was typed',
  ),
  async ({ portal, page, at }) => {
    const [fenna, bakery] = [await withNote(portal, 'Fenna'), await withNote(portal, 'Bakkerij')];
    const other = at(customers, await page.context().newPage());
    await Promise.all([portal.open('/fixture-form'), other.open('/fixture')]);
    await signIn(page, fenna);
    await page.getByLabel('Concept').fill('half');
    await signIn(other.page, fenna);
    await expect(notes(other.page)).toHaveText(['Fenna']);
    await page.getByRole('navigation').getByRole('link', { name: 'Notities' }).click();
    await expect(page.getByTestId('notes')).toBeAttached();
    await page.route('**/api/v0/fixture/notes', unauthorized, { times: 1 });
    const repeated = page.waitForResponse((r) => r.url().endsWith('/fixture/notes') && r.status() === 200);
    await page.getByRole('button', { name: 'refetch' }).click();
    await repeated; // with the other tab's session
    await page.getByRole('navigation').getByRole('link', { name: 'Formulier' }).click();
    await expect(page.getByLabel('Concept'), 'face-refresh').toHaveValue('half');

    const third = at(customers, await page.context().newPage());
    await signOutQuietly(third);
    await signIn(third.page, bakery);
    await expect(notes(third.page)).toHaveText(['Bakkerij']);
    await expect(page.getByLabel('Concept'), '7.7-refresh-same-person').toHaveValue('');
    await expect(notes(other.page)).toHaveText(['Bakkerij']);
  },
);

/** Opens a tab that shows the sign-in form although other tabs have a session, as if it had been opened before they signed in. */
async function signOutQuietly(portal: Portal): Promise<void> {
  await portal.page.route('**/api/v0/auth/refresh', (route) => route.fulfill({ status: 204 }), { times: 1 });
  await portal.open('/fixture');
  await expect(portal.heading()).toHaveText('Inloggen');
}

for (const [what, fail] of [
  ['without a connection', (route: Route) => route.abort()],
  [
    'while the server fails',
    (route: Route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503,"code":"unavailable"}' }),
  ],
] as const)
  test(rows('7.7-sign-out-unanswered', `signing out ${what}: the next person is not signed in`), async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture');
    const url = '**/api/v0/auth/sign-out';
    await page.route(url, fail);
    await signOut(page);
    await expect(portal.heading()).toHaveText('Inloggen');
    await portal.open('/fixture');
    await expect(portal.heading(), '7.7-sign-out-unanswered').toHaveText('Inloggen');
    await page.unroute(url);
    const ended = page.waitForResponse(url);
    await portal.open('/fixture');
    expect((await ended).status()).toBe(204);
    await expect(portal.heading()).toHaveText('Inloggen');
    expect(await page.context().cookies(portal.url('/api/v0/auth/refresh'))).toEqual([]);
    await signIn(page, await withNote(portal, 'de volgende'));
    await expect(notes(page)).toHaveText(['de volgende']);
    await portal.open('/fixture');
    await expect(notes(page), 'a session of the next person is renewed as ever').toHaveText(['de volgende']);
  });

test(
  rows(
    '9-basket-as-shown',
    'another tab that is closed changes no basket; a browser that was killed keeps none for the next person',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await member(portal, ownerSpec([offer(1, 4, 49)]));
    await signedIn(portal);
    await portal.open('/offers');
    await filterByProject(page, seller);
    await card(page, seller).getByRole('button', { name: 'In winkelmand' }).click();
    await expect(basket(page)).toHaveAccessibleName('Winkelmand: 1');
    await portal.open('/checkout');
    const other = at(participants, await page.context().newPage());
    await other.open('/checkout');
    await expect(basket(other.page)).toHaveAccessibleName('Winkelmand: 1');
    await other.page.close({ runBeforeUnload: true });
    await expect.poll(() => page.context().pages().length).toBe(1);
    await checkOut(page);
    await expect(page.getByText('Proefbetaling: er gaat geen geld om'), '9-basket-as-shown').toBeVisible();

    await portal.open('/offers');
    const stored = (tab: Page) => tab.evaluate(() => Object.keys(localStorage).filter((k) => k.includes('basket')));
    await expect.poll(() => stored(page).then((all) => all.length)).toBe(1);
    const next = at(participants, await page.context().newPage());
    const crashed = page.waitForEvent('crash');
    const cdp = await page.context().newCDPSession(page);
    await Promise.race([cdp.send('Page.crash').catch(() => undefined), crashed]);
    await crashed;
    await page.context().clearCookies();
    await next.open('/offers');
    await expect(next.heading()).toHaveText('Inloggen');
    expect(await stored(next.page), '9-basket-as-shown').toEqual([]);
  },
);
