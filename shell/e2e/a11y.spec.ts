import type { Page } from '@playwright/test';
import { axe, desktop, expect, narrow, type Portal, rows, test } from './harness';
import { measure } from './measure';

// Every screen in the manifests and every screen without a session: axe, reflow and target sizes. `make a11y` (A11Y=all) checks all
// of them in three labels (one of participants, one of customers, one with a home page), in both languages and at both widths: each
// screen is opened once, and language and width are then changed. In every other label it checks the screens that together use
// every color; `wattle labels vet` checks the color pairs themselves. Without A11Y it checks one label, one language and the narrow
// width.
const all = process.env.A11Y === 'all';
const whole = all ? ['1024', '1042', '1060'] : ['1042'];
const others = all ? ['1000', '1008', '1021', '1025', '1058', '1071', '1086', '1095'] : [];
const proves = ['face-axe', 'face-reflow', 'face-targets'];

/** The shell's pages without a session; the manifests list those of remotes. */
const publicPaths = ['/verify/x', '/under-construction', '/accessibility', '/pages', '/pages/terms'];
/** Screens that together have chips, rows, a chart, a form with its states, and an overlay. */
const colorPaths = ['/dashboard', '/invoices', '/usage', '/account', '/iban', '/offers'];

/** Checks the current screen in the languages and at the widths of this run, and reports all findings together. */
async function check(page: Page, what: string, full = true): Promise<void> {
  for (const locale of all && full ? (['nl', 'en'] as const) : [undefined])
    for (const size of all ? [desktop, narrow] : [narrow]) {
      await page.setViewportSize(size);
      if (locale && size === desktop) await switchLanguage(page, locale);
      await waitUntilSettled(page);
      const where = `${what} ${locale ?? ''} ${size.width}`;
      expect.soft(await axe(page), `face-axe: ${where}`).toEqual([]);
      const { sideways, small } = await measure(page);
      expect.soft(sideways, `face-reflow: ${where}`).toEqual([]);
      expect.soft(small, `face-targets: ${where}`).toEqual([]);
    }
}

/** Presses the frame's language switch, even below an overlay, which a person would have to close first. */
async function switchLanguage(page: Page, locale: 'nl' | 'en'): Promise<void> {
  await expect(async () => {
    // repeated, because the frame may have been rendered again for another width
    await page.evaluate((l) => document.querySelector<HTMLElement>(`button[lang=${l}]`)?.click(), locale);
    await expect(page.locator('html')).toHaveAttribute('lang', locale, { timeout: 2_000 });
  }).toPass();
}

/** Waits until the page has loaded and has adapted to the window's width. */
async function waitUntilSettled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(page.locator('[role=status][aria-busy=true]')).toHaveCount(0);
}

async function visit(portal: Portal, { path, optional }: Screen, full = true): Promise<void> {
  if (all) await portal.page.setViewportSize(desktop);
  await portal.open(path);
  // this label does not have the screen: the path redirects to the landing page, which is checked separately
  if (optional && new URL(portal.page.url()).pathname !== path.split('?')[0]) return;
  await waitUntilSettled(portal.page);
  // the fixture's dashboard has a tile that always fails
  if (path !== '/dashboard') await expect(portal.page.getByRole('alert'), path).toHaveCount(0);
  await check(portal.page, `${portal.host}${path}`, full);
}

/** Checks the views of the sign-in form. */
async function signInViews(portal: Portal, page: Page): Promise<void> {
  const start = async () => {
    if (all) await page.setViewportSize(desktop);
    await portal.open('/');
  };
  await start();
  await check(page, 'sign-in');
  await page.locator('main button[type=submit]').click();
  await check(page, 'sign-in with its errors');
  await page.locator('main form button[type=button]').last().click();
  await expect(portal.heading()).toBeFocused();
  await check(page, 'forgotten password');
  await start();
  const buttons = page.locator('main li button'); // views of modules: reactivation
  for (let n = await buttons.count(); n > 0; n--) {
    await buttons.nth(n - 1).click();
    await expect(portal.heading()).toBeFocused();
    await check(page, `view ${n}`);
    await start();
  }
  const temporary = await portal.customer({ temporary: true });
  await start();
  await page.locator('main input').first().fill(temporary.username);
  await page.locator('main input').last().fill(temporary.password);
  await page.locator('main button[type=submit]').click();
  await expect(page.locator('input[autocomplete=new-password]').first()).toBeVisible();
  await check(page, 'new password');
}

interface Manifest {
  routes: { path: string; access?: string; needs?: { setting?: string } }[];
  overlays: { name: string; parent: string; params?: string[]; needs?: object }[];
}
interface Screen {
  path: string;
  /** The screen is only in some labels. */
  optional?: boolean;
}
async function manifests(portal: Portal): Promise<Record<string, Manifest>> {
  const answer = await portal.page.request.get(`http://127.0.0.1:${portal.server.port}/api/v0/portal`, {
    headers: { Host: portal.host },
  });
  const { remotes } = (await answer.json()) as { remotes: { key: string; manifest: Manifest }[] };
  return Object.fromEntries(remotes.map((r) => [r.key, r.manifest]));
}
/** Returns all paths for a role, with a value for each parameter. It throws if a value is missing, so that no screen is skipped. */
function paths(of: Record<string, Manifest>, role: string, values: Record<string, string>): Screen[] {
  const known = Object.values(of).flatMap((m) => [
    ...m.routes.filter((r) => (r.access ?? 'customer') === role).map((r) => ({ path: r.path, optional: !!r.needs })),
    ...(role === 'customer' ? m.overlays : []).map((o) => ({
      path: [o.parent, o.name, ...(o.params ?? []).map((p) => `:${p}`)].join('/'),
      optional: !!o.needs,
    })),
  ]);
  return known.map(({ path, optional }) => ({
    optional,
    path: path.replace(/:(\w+)/g, (_, param: string) => {
      const value = values[`${path.split('/')[1]}:${param}`];
      if (!value) throw new Error(`${path}: no value for ${param}`);
      return value;
    }),
  }));
}

/** Returns identifiers in the sample customer's data. */
async function sampleIds(portal: Portal, of: Record<string, Manifest>): Promise<Record<string, string>> {
  const { page } = portal;
  const values: Record<string, string> = { 'fixture:id': 'one', 'fixture-note:id': 'one' };
  if (of.marketplace) {
    await portal.open('/offers');
    const offer = page.getByRole('main').getByRole('link', { name: /^(Bekijk wat dit opbrengt|See what this brings)/ });
    await expect(offer.or(page.getByRole('main').getByRole('button')).first()).toBeVisible();
    // a market that first asks for access does not show offers
    values['offers:identifier'] =
      (await offer.count()) > 0 ? ((await offer.first().getAttribute('href'))?.split('/').at(-1) ?? '') : 'gone';
  }
  if (!of.billing || !of.usage) return values;
  const asked = page.waitForResponse((r) => /\/api\/v0\/agreements$/.test(new URL(r.url()).pathname) && r.ok());
  await portal.open('/agreements');
  const [first] = (await (await asked).json()) as { agreement_identifier_with_sequence: string }[];
  const agreement = first?.agreement_identifier_with_sequence ?? '';
  // the page encodes the parameter of this overlay, so it is read from the button's link
  await portal.open('/metermeasuring');
  await page
    .getByRole('button', { name: /^(Alle meterstanden|All readings)/ })
    .first()
    .click();
  await expect(page).toHaveURL(/usage-history/);
  const history = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  return {
    ...values,
    'agreements:agreementId': agreement,
    'usage:agreementId': agreement,
    'usage:id': history,
    'periodical-payments:agreementId': agreement,
  };
}

if (all) test.describe.configure({ timeout: 20 * 60_000 }); // a role has about thirty screens in a label, each checked four times

for (const label of whole) {
  const begin = async (page: Page) => {
    await page.setViewportSize(all ? desktop : narrow);
    if (!all) await page.addInitScript(() => localStorage.setItem('wattle:locale', 'en'));
  };
  test(rows(proves, `@axe ${label}, without a login`), async ({ at, page }) => {
    const portal = at(`${label}.localhost`);
    await begin(page);
    await signInViews(portal, page);
    const known = paths(await manifests(portal), 'public', { 'reactivation:token': 'x' });
    for (const screen of [...publicPaths.map((path) => ({ path })), ...known])
      await visit(portal, screen.path === '/thank-you' ? { ...screen, path: '/thank-you?n=WyJCLTEyMyIsMTE3Nl0' } : screen);
  });
  test(rows(proves, `@axe ${label}, as a customer`), async ({ at, page }) => {
    const portal = at(`${label}.localhost`);
    await begin(page);
    await portal.signIn(await portal.customer({ sample: true }));
    const of = await manifests(portal);
    const known = paths(of, 'customer', await sampleIds(portal, of));
    const own = [{ path: '/dashboard' }, { path: '/home', optional: true }, { path: '/notfound' }];
    for (const screen of [...own, ...known]) await visit(portal, screen);
  });
  test(rows(proves, `@daily @axe ${label}, as staff`), async ({ at, page }) => {
    const portal = at(`${label}.localhost`);
    await begin(page);
    const customer = await portal.customer({ sample: true });
    await portal.signIn(await portal.customer({ role: 'staff' }));
    const known = paths(await manifests(portal), 'staff', { 'staff:relation': customer.relation_id });
    for (const screen of known) await visit(portal, screen);
  });
}

for (const label of others)
  test(rows(proves, `@axe ${label}, its colours`), async ({ at, page }) => {
    const portal = at(`${label}.localhost`);
    await page.setViewportSize(desktop);
    await portal.open('/');
    await check(page, `${label} sign-in`, false);
    if ((await page.locator('main form').count()) === 0) return; // a label that has moved shows only the link
    await portal.signIn(await portal.customer());
    const known = Object.values(await manifests(portal)).flatMap((m) => m.routes.map((r) => r.path));
    for (const path of colorPaths)
      if (path === '/dashboard' || known.includes(path)) await visit(portal, { path, optional: true }, false);
  });
