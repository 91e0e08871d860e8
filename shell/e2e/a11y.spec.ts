import type { Page } from '@playwright/test';
import { desktop, expect, type Portal, phone, test } from './harness';

// Every screen that the manifests know and those that need no login, by axe. `make a11y` (A11Y=all) looks at all of them in two labels,
// a participants' and a customers' one, and in every other label, language and width at the screens that together bear every colour:
// `wattle labels vet` checks the pairs of colours themselves. Without it: one label, one language, a phone.
const all = process.env.A11Y === 'all';
const whole = ['1024', '1042'];
const hosts = all ? ['1000', '1008', '1021', '1024', '1025', '1042', '1058', '1060', '1071', '1086', '1095'] : ['1042'];

/** Pages without a login, and what they show. */
const open = [
  '/register',
  '/pending-page',
  '/reactivation/x',
  '/verify/x',
  '/thank-you?n=WyJCLTEyMyIsMTE3Nl0',
  '/payment-cancelled',
  '/under-construction',
];
/** Chips, rows, a chart, a form with its states and an overlay. */
const colours = ['/dashboard', '/invoices', '/usage', '/account', '/iban', '/offers'];

/** The views that the sign-in form changes into. */
async function signInViews(portal: Portal, page: Page): Promise<void> {
  await portal.open('/');
  await portal.accessible();
  if ((await page.locator('main form').count()) === 0) return; // a label that has moved shows the way only
  await page.locator('main button[type=submit]').click(); // with its errors
  await portal.accessible();
  await page.locator('main form button[type=button]').last().click();
  await expect(portal.heading()).toBeFocused();
  await portal.accessible();
  await portal.open('/');
  const doors = page.locator('main li button'); // those of the modules: reactivation
  for (let n = await doors.count(); n > 0; n--) {
    await doors.nth(n - 1).click();
    await expect(portal.heading()).toBeFocused();
    await portal.accessible();
    await portal.open('/');
  }
  const temporary = await portal.customer({ temporary: true });
  await portal.open('/');
  await page.locator('main input').first().fill(temporary.username);
  await page.locator('main input').last().fill(temporary.password);
  await page.locator('main button[type=submit]').click();
  await expect(page.locator('input[autocomplete=new-password]').first()).toBeVisible();
  await portal.accessible();
}

interface Manifest {
  routes: { path: string; access?: string }[];
  overlays: { name: string; parent: string; params?: string[] }[];
}
/** Paths that take no parameters, of a role. */
async function paths(portal: Portal, page: Page, role: string): Promise<string[]> {
  const answer = await page.request.get(`http://127.0.0.1:${portal.server.port}/api/v0/portal`, {
    headers: { Host: portal.host },
  });
  const { remotes } = (await answer.json()) as { remotes: { manifest: Manifest }[] };
  return remotes.flatMap(({ manifest: m }) => [
    ...m.routes.filter((r) => !r.path.includes(':') && (r.access ?? 'customer') === role).map((r) => r.path),
    ...(role === 'customer' ? m.overlays.filter((o) => !o.params?.length).map((o) => `${o.parent}/${o.name}`) : []),
  ]);
}

async function look(portal: Portal, page: Page, path: string): Promise<void> {
  await portal.open(path);
  if (path !== '/dashboard') await expect(page.getByRole('alert'), path).toHaveCount(0);
  await portal.accessible();
}

for (const label of hosts)
  for (const locale of all ? ['nl', 'en'] : ['en']) {
    const full = !all || whole.includes(label);
    // what differs between widths differs alike in every label
    const widths = !all ? [phone] : locale === 'en' ? [phone] : full ? [desktop, phone] : [desktop];
    for (const size of widths) {
      const start = async (page: Page) => {
        await page.setViewportSize(size);
        await page.addInitScript((l) => localStorage.setItem('wattle:locale', l), locale);
      };
      test(`@axe ${label} ${locale} ${size.width}, without a login`, async ({ at, page }) => {
        const portal = at(`${label}.localhost`);
        await start(page);
        if (!full) {
          await portal.open('/');
          return portal.accessible();
        }
        await signInViews(portal, page);
        for (const path of open) {
          await portal.open(path);
          await portal.accessible();
        }
      });
      test(`@axe ${label} ${locale} ${size.width}, as a customer`, async ({ at, page }) => {
        const portal = at(`${label}.localhost`);
        await start(page);
        await portal.signIn(await portal.customer(full ? { sample: true } : {}));
        const known = await paths(portal, page, 'customer');
        const wanted = full ? ['/dashboard', '/notfound', ...known.filter((p) => p !== '/fixture-never')] : colours;
        for (const path of wanted) if (full || path === '/dashboard' || known.includes(path)) await look(portal, page, path);
      });
      if (full)
        test(`@axe ${label} ${locale} ${size.width}, as staff`, async ({ at, page }) => {
          const portal = at(`${label}.localhost`);
          await start(page);
          await portal.signIn(await portal.customer({ role: 'staff' }));
          for (const path of await paths(portal, page, 'staff')) await look(portal, page, path);
        });
    }
  }
