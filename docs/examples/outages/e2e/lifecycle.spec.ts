// The life cycle of the plugin in a running portal: it is installed, upgraded under load with a canary, crashes, and is removed.
// FIRST and NEXT are the files of two versions, as `wattle modules pack` writes them; the page has another title in NEXT.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Browser, expect, test } from '@playwright/test';
import { load, type Portal, start } from './portal';

const { FIRST, NEXT } = process.env;
test.skip(!FIRST || !NEXT, 'FIRST and NEXT name two versions of the plugin');

const before = 'Storingen';
const after = 'Storingen bij jou';
let portal: Portal;
test.beforeAll(async () => {
  portal = await start();
});
test.afterAll(async () => portal?.stop());

interface Customer {
  username: string;
  password: string;
}
const customer = async (): Promise<Customer> => JSON.parse((await portal.call('POST', '/dev/customers', {})).body);

/** Opens a page for a customer in a separate browser context and signs in. */
async function open(browser: Browser, who: Customer) {
  const page = await (await browser.newContext({ baseURL: portal.origin })).newPage();
  await page.goto('/');
  await page.getByLabel('Gebruikersnaam').fill(who.username);
  await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
  await page.getByRole('button', { name: 'Inloggen' }).click();
  await expect(page.getByRole('textbox', { name: 'Wachtwoord' })).toBeHidden();
  return page;
}
const near = async (bearer: string) => (await portal.call('GET', '/outages', undefined, bearer)).status;

/** Returns the entry of the remote that a customer gets, which differs by version. */
const titleOf = async (bearer: string): Promise<string> => {
  const { remotes } = JSON.parse((await portal.call('GET', '/portal', undefined, bearer)).body) as {
    remotes: { key: string; entry: string }[];
  };
  return remotes.find((r) => r.key === 'outages')?.entry ?? '';
};

test('dropped in, upgraded, canaried, crashed and removed', async ({ browser }) => {
  const ann = await customer();
  const bearer = await portal.token(ann);
  const menu = (page: Awaited<ReturnType<typeof open>>) => page.getByRole('navigation', { name: 'Hoofdmenu' });
  const page = await open(browser, ann);

  await test.step('the portal does not have it', async () => {
    expect(await near(bearer)).toBe(404);
    await expect(menu(page).getByRole('link', { name: before })).toHaveCount(0);
  });

  await test.step('dropped in: it is there without a restart', async () => {
    await portal.install(FIRST as string);
    await expect.poll(() => portal.processes().length).toBe(1);
    portal.choose(); // a label may name only installed modules
    await expect.poll(() => near(bearer)).toBe(200);
    await page.goto('/outages');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(before);
    await expect(menu(page).getByRole('link', { name: before })).toBeVisible();
  });

  const busy = load(portal, '/outages', bearer, 200);

  await test.step('canary: half of the customers get the next version', async () => {
    portal.choose('version: "1.0.0"');
    await portal.install(NEXT as string, '--beside');
    portal.choose('version: "1.0.0", canary: {version: "1.1.0", percent: 50}');
    const first = await titleOf(bearer);
    const people: { [entry: string]: Customer } = {};
    await expect
      .poll(
        async () => {
          for (let i = 0; i < 8; i++) {
            const one = await customer();
            people[await titleOf(await portal.token(one))] = one;
          }
          return Object.keys(people).length;
        },
        { timeout: 30_000 },
      )
      .toBe(2);
    const headings = new Set<string>();
    for (const one of Object.values(people)) {
      const own = await open(browser, one);
      await own.goto('/outages');
      headings.add((await own.getByRole('heading', { level: 1 }).textContent()) ?? '');
      await own.context().close();
    }
    expect([...headings].sort()).toEqual([before, after]);
    expect(Object.keys(people)).toContain(first);
  });

  await test.step('upgraded: everybody gets it, and no call failed', async () => {
    portal.choose('version: "1.1.0"');
    await expect
      .poll(async () => {
        await page.goto('/outages');
        return page.getByRole('heading', { level: 1 }).textContent();
      })
      .toBe(after);
    rmSync(path.join(portal.plugins, 'outages'), { recursive: true });
    await expect.poll(() => portal.processes().length).toBe(1);
    const { calls, failed, seconds } = await busy.stop();
    const rate = Math.round(calls / seconds);
    console.log(`canary and upgrade under load: ${calls} calls, ${rate} a second, ${failed.length} failed`);
    expect(failed).toEqual([]);
    expect(calls).toBeGreaterThan(500); // a busy machine makes fewer than 200 a second
  });

  await test.step('crashed: it is started again, and the rest of the portal goes on', async () => {
    const others = load(portal, '/relations/addresses', bearer, 50);
    const [pid] = portal.processes();
    process.kill(pid as number, 'SIGKILL');
    await expect.poll(() => portal.processes().some((p) => p !== pid)).toBe(true);
    await expect.poll(() => near(bearer)).toBe(200);
    await page.goto('/outages');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(after);
    expect((await others.stop()).failed).toEqual([]);
  });

  await test.step('removed: its page and operations are gone, and the rest goes on', async () => {
    for (const name of readdirSync(portal.plugins)) rmSync(path.join(portal.plugins, name), { recursive: true });
    await expect.poll(() => near(bearer)).toBe(404);
    await page.goto('/');
    await expect(menu(page).getByRole('link').first()).toBeVisible();
    await expect(menu(page).getByRole('link', { name: after })).toHaveCount(0);
    expect(portal.processes()).toEqual([]);
  });
});
