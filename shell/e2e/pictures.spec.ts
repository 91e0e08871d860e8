// The label's own illustrations and photos: next to sign-in, above dashboard, home and account, and in empty states.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { test } from './demo';
import { desktop, expect, narrow, type Portal, phone, rows } from './harness';

const circle =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120"><circle cx="80" cy="60" r="50" fill="#3f7d20"/></svg>';
const names = ['dashboard', 'empty', 'error', 'sent', 'mill', 'sun', 'house'];
const drawings = `illustrations: {${names.map((name) => `${name}: "own.svg"`).join(', ')}}`;

/** Returns a function that creates labels with other pictures than the label that they copy. */
function maker(folder: string, photo: Buffer) {
  return (key: string, pictures: string): string => {
    const to = path.join(folder, key);
    cpSync(path.join(folder, '1008/assets'), path.join(to, 'assets'), { recursive: true });
    writeFileSync(path.join(to, 'assets/own.svg'), circle);
    writeFileSync(path.join(to, 'assets/own.jpg'), photo);
    const cue = readFileSync(path.join(folder, '1008/label.cue'), 'utf8')
      .replaceAll('1008', key)
      .replaceAll('mijn.klavervolt.example', `mijn.${key}.example`)
      .replace(/^migrated: .*$/m, '')
      .replace(/^\tillustration: .*$/m, '')
      .replace(/^\tphotos: .*$/m, '')
      .replace(/^\tillustrations: \{[^}]*\}$/m, '');
    writeFileSync(path.join(to, 'label.cue'), `${cue}\nstyle: {${pictures}}\n`);
    return to;
  };
}

/** Returns a photo made by the browser from a page of one color. */
async function photo(page: Page): Promise<Buffer> {
  await page.setViewportSize({ width: 800, height: 400 });
  await page.setContent('<body style="background: #7fb2d9">');
  return page.screenshot({ type: 'jpeg' });
}

const photoOf = (page: Page) => page.locator('main picture img');
const picture = (page: Page, name: string) => page.locator(`img[src*="/pictures/${name}?"]`);

/** Opens a page while its photo is still loading, and returns how far the title moves when the photo arrives. */
async function moved(page: Page, portal: Portal, to: string, name: string): Promise<number> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const at = `**/pictures/${name}*`;
  await page.route(at, async (route) => {
    await held;
    await route.continue();
  });
  await portal.open(to);
  const top = async () => (await portal.heading().boundingBox())?.y ?? Number.NaN;
  const before = await top();
  release();
  await expect.poll(() => photoOf(page).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(800);
  expect(await photoOf(page).evaluate((img: HTMLImageElement) => img.currentSrc)).toContain(`/${name}?`);
  await page.unroute(at);
  return (await top()) - before;
}

test(
  rows(['9-brand-illustrations', '9-brand-photos'], 'a label with pictures of its own, and one without'),
  async ({ at, page, context, labels }, info) => {
    const unique = `w${info.parallelIndex}r${info.repeatEachIndex}`;
    const make = maker(labels, await photo(page));
    const folders = [
      make(`photos-${unique}`, `${drawings}, photos: {sign_in: "own.jpg", dashboard: "own.jpg", account: "own.jpg"}`),
      make(`drawn-${unique}`, drawings),
      make(`plain-${unique}`, ''),
    ];
    const fetched: string[] = [];
    page.on('request', (r) => fetched.push(...(r.url().match(/pictures\/[a-z-_]+/g) ?? [])));
    try {
      const portal = at(`photos-${unique}.localhost`);
      const drawn = at(`drawn-${unique}.localhost`);
      await page.setViewportSize(phone);
      await expect(async () => {
        await page.goto(portal.url('/'));
        await expect(portal.heading()).toHaveText('Inloggen', { timeout: 2_000 });
      }).toPass();
      expect(fetched, '9-brand-photos: a phone does not fetch that of sign-in').toEqual([]);
      await page.setViewportSize(desktop);
      const signIn = page.locator('picture img');
      await expect
        .poll(() => signIn.evaluate((img: HTMLImageElement) => [img.currentSrc.includes('/photo-sign_in?'), img.naturalWidth]))
        .toEqual([true, 800]);
      expect((await signIn.boundingBox())?.height, '9-brand-photos: it fills its half').toBe(desktop.height);
      await expect(page.getByRole('img'), '9-brand-photos: it has no text').toHaveCount(1); // the logo
      await portal.accessible();

      // a public page that reports an error
      await portal.open('/verify/AAAAAAAAAAAAAAAAAAAAAA');
      await expect(picture(page, 'illustration-error'), '9-brand-illustrations: an error').toBeVisible();

      await portal.signIn();
      for (const [to, name] of [
        ['/dashboard', 'photo-dashboard'],
        ['/home', 'photo-dashboard'],
        ['/account', 'photo-account'],
      ] as const) {
        await page.setViewportSize(desktop);
        expect(await moved(page, portal, to, name), `9-brand-photos: ${to} does not move`).toBe(0);
        const band = await photoOf(page).boundingBox();
        const title = await portal.heading().boundingBox();
        expect([band?.height, band?.x], `9-brand-photos: a band in the column of ${to}`).toEqual([160, title?.x]);
        expect((band?.y ?? 0) + 160, `9-brand-photos: above the title of ${to}`).toBeLessThan(title?.y ?? 0);
        await expect(picture(page, 'illustration-dashboard'), '9-brand-illustrations: not next to a photo').toBeHidden();
        await portal.accessible();
        await page.setViewportSize(phone);
        await expect(photoOf(page), `9-brand-photos: ${to} on a phone`).toBeHidden();
        fetched.length = 0;
        await portal.open(to);
        expect(fetched, `9-brand-photos: not fetched on a phone for ${to}`).not.toContain(`pictures/${name}`);
      }

      await context.clearCookies();
      await drawn.signIn();
      const decoration = picture(page, 'illustration-dashboard');
      for (const to of ['/dashboard', '/home']) {
        for (const [width, height] of [
          [desktop.width, 112],
          [phone.width, 72],
        ] as const) {
          await page.setViewportSize({ width, height: phone.height });
          await drawn.open(to);
          const [box, title] = [await decoration.boundingBox(), await drawn.heading().boundingBox()];
          expect(box?.height, `9-brand-illustrations: next to the title of ${to} at ${width}`).toBe(height);
          expect(box?.x).toBeGreaterThanOrEqual((title?.x ?? 0) + (title?.width ?? 0));
          expect((box?.y ?? 0) + height).toBeGreaterThan(title?.y ?? 0);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
          await drawn.accessible();
        }
        await page.setViewportSize(narrow);
        await expect(decoration, `9-brand-illustrations: ${to} at 320`).toBeHidden();
      }
      await drawn.open('/account');
      await expect(decoration).toHaveCount(0);

      const plain = at(`plain-${unique}.localhost`);
      await context.clearCookies();
      await page.setViewportSize(desktop);
      await plain.open('/');
      await expect(page.locator('picture'), '9-brand-photos: none').toHaveCount(0);
      await plain.signIn();
      await plain.open('/dashboard');
      await expect(page.locator('main img'), '9-brand-illustrations: none').toHaveCount(0);
    } finally {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    }
  },
);
