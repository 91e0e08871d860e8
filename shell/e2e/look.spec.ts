// The look that a label sets in `style`: corners, buttons, density, header, and a heading font.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from './demo';
import { axe, desktop, expect, type Portal, phone, rows } from './harness';
import { measure } from './measure';

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 32"><path fill="#ffffff" d="M0 0h160v32H0z"/></svg>';

/**
 * Creates a copy of label 1042 with more in its style, and waits until it is served. Returns its portal, and a function that
 * removes it.
 */
async function branded(folder: string, key: string, at: (host: string) => Portal, style: string) {
  const dir = path.join(folder, key);
  mkdirSync(dir, { recursive: true });
  cpSync(path.join(folder, '1042', 'assets'), path.join(dir, 'assets'), { recursive: true });
  writeFileSync(path.join(dir, 'assets', 'light.svg'), logo);
  const cue = readFileSync(path.join(folder, '1042', 'label.cue'), 'utf8')
    .replaceAll('1042.localhost', `${key}.localhost`)
    .replace('label_key: "1042"', `label_key: "${key}"`)
    .replace(/name: "mijn\.[a-z]+\.example"/, `name: "mijn.${key}.example"`)
    .replace(/^\t(corner_radius|button_shape|density|header_style|heading_font_\w+|logo_on_header): .*$/gm, '')
    .replace(/^(pages|promos): \[\n(\t.*\n)*\]$/gm, '')
    .replace('"/pages/privacy"', '"https://www.voorbeeld.example/privacy"');
  writeFileSync(path.join(dir, 'label.cue'), `${cue}\nstyle: {${style}}\n`);
  const portal = at(`${key}.localhost`);
  await expect(async () => {
    await portal.page.goto(portal.url('/'));
    await expect(portal.heading()).toHaveText('Inloggen', { timeout: 2_000 });
  }).toPass();
  return { portal, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

const pages = ['/dashboard', '/usage', '/invoices', '/agreements', '/account', '/move', '/contact'];

/** Returns the corner radii of everything visible on the page, separately for buttons, and the left padding of tiles. */
const drawn = (portal: Portal) =>
  portal.page.evaluate(() => {
    const shown = [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && !e.closest('svg'));
    // a button of the kit, or a link that looks like one: it has the button radius
    const shape = getComputedStyle(document.documentElement).getPropertyValue('--w-radius-button').trim();
    const isBox = (e: Element) => {
      const s = getComputedStyle(e);
      return s.backgroundColor !== 'rgba(0, 0, 0, 0)' || Number.parseFloat(s.borderTopWidth) > 0;
    };
    const radii = (all: Element[]) =>
      [...new Set(all.flatMap((e) => getComputedStyle(e).borderRadius.split(/[ /]+/)))].map((r) => r.replace(/^0%$/, '0px'));
    const tile = document.querySelector('[data-tile] > section > div:last-of-type');
    return {
      shape,
      boxes: radii(shown.filter(isBox)),
      cards: radii([...document.querySelectorAll('[data-tile] > section')]),
      tiles: tile ? getComputedStyle(tile).paddingLeft : '',
      rows: [...document.querySelectorAll('tbody tr:has(td[data-amount]) td:first-child')].map(
        (td) => td.getBoundingClientRect().height,
      ),
    };
  });

test(
  rows(['9-brand-radius', '9-brand-buttons', '9-brand-density'], 'corners, buttons and density of a label, on its main pages'),
  async ({ at, page, labels }, info) => {
    const unique = `w${info.parallelIndex}r${info.repeatEachIndex}`;
    const looks = [
      {
        style: 'corner_radius: 0, button_shape: "square", density: "compact"',
        card: '0px',
        button: '0px',
        pad: '16px',
        phonePad: '12px',
        row: 52,
      },
      {
        style: 'corner_radius: 24, button_shape: "pill", density: "roomy"',
        card: '24px',
        button: '999px',
        pad: '32px',
        phonePad: '24px',
        row: 76,
      },
    ];
    for (const [i, look] of looks.entries()) {
      const { portal, remove } = await branded(labels, `look${i}-${unique}`, at, look.style);
      try {
        await page.setViewportSize(desktop);
        await expect(page.getByRole('button', { name: 'Inloggen' }), '9-brand-buttons').toHaveCSS('border-radius', look.button);
        await page.context().clearCookies();
        await portal.signIn(await portal.customer({ sample: true }));
        for (const to of pages) {
          await portal.open(to);
          await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
          const found = await drawn(portal);
          if (look.card === '0px')
            expect(
              found.boxes.filter((r) => !['0px', '50%', '999px', '1px', '2px', '3px', '4px'].includes(r)),
              `9-brand-radius: ${to}`,
            ).toEqual([]);
          expect((await measure(page)).small, `9-brand-density: ${to}`).toEqual([]);
          if (to === '/dashboard') {
            expect(found.cards, '9-brand-radius').toEqual([look.card]);
            expect(found.tiles, '9-brand-density').toBe(look.pad);
          }
          if (to === '/invoices') {
            expect(found.rows.length).toBeGreaterThan(1);
            for (const height of found.rows) expect(height, '9-brand-density').toBeGreaterThanOrEqual(look.row);
            expect(Math.min(...found.rows), '9-brand-density').toBeLessThan(look.row + 6);
          }
        }
        await page.setViewportSize(phone);
        await portal.open('/account');
        expect((await measure(page)).small, '9-brand-density: phone').toEqual([]);
        await portal.open('/contact');
        await expect(page.getByRole('button', { name: 'Versturen' }).first(), '9-brand-buttons').toHaveCSS(
          'border-radius',
          look.button,
        );
        const pad = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--w-pad'));
        expect(pad, '9-brand-density: phone').toBe(look.phonePad);
      } finally {
        remove();
      }
    }
  },
);

test(rows('9-brand-header', 'a filled and a centered header'), async ({ at, page, labels }, info) => {
  const unique = `w${info.parallelIndex}r${info.repeatEachIndex}`;
  const widths = [768, 1024, 1280, 1920];
  const header = page.locator('header').first();
  const image = header.getByRole('link').first().getByRole('img');
  const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });
  const onPhone: unknown[] = [];
  for (const style of ['plain', 'filled', 'centered']) {
    const { portal, remove } = await branded(
      labels,
      `head-${style}-${unique}`,
      at,
      `header_style: "${style}", logo_on_header: "light.svg"`,
    );
    try {
      await page.context().clearCookies();
      await portal.signIn(await portal.customer({ sample: true }));
      await page.setViewportSize(phone);
      await portal.open('/contact');
      onPhone.push([await header.boundingBox(), await image.boundingBox(), await page.locator('main h1').boundingBox()]);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        // The menu of the previous width stays until the page has been rendered at the new width.
        await expect(async () => {
          const [bar, drawing, items, title] = await Promise.all(
            [header, image, menu, page.locator('main h1')].map((l) => l.boundingBox({ timeout: 2_000 })),
          );
          if (!bar || !drawing || !items || !title) throw new Error('something of the frame is not drawn');
          expect(bar.height).toBe(64);
          if (style === 'centered') {
            const middle = drawing.x + drawing.width / 2;
            expect(Math.abs(middle - width / 2), `9-brand-header: the logo at ${width}`).toBeLessThanOrEqual(1);
            expect(items.y, '9-brand-header: the menu is below it').toBe(64);
            expect(items.width).toBe(width);
            expect(title.y).toBeGreaterThan(items.y + items.height);
            const left = await header.getByRole('button', { name: 'NL' }).boundingBox({ timeout: 2_000 });
            expect(Math.abs((left?.x ?? 0) + 10 - title.x), `one left edge at ${width}`).toBeLessThanOrEqual(0.5);
          } else expect(drawing.x).toBeLessThan(width / 2 - 200);
        }).toPass();
      }
      await page.setViewportSize(desktop);
      if (style === 'filled') {
        await expect(header, '9-brand-header').toHaveCSS('background-color', 'rgb(92, 29, 75)');
        await expect(header, '9-brand-header').toHaveCSS('color', 'rgb(255, 247, 238)');
        await expect(image, '9-brand-header').toHaveAttribute('src', /logo-on-header/);
        // the focus ring has the color of the text in the header
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await expect(header.locator(':focus-visible'), '9-brand-header').toHaveCSS('outline-color', 'rgb(255, 247, 238)');
      }
      if (style === 'centered') {
        await portal.open('/contact'); // a menu closes soon after a change of width
        await menu.getByRole('button', { name: 'Financieel' }).click();
        await page.getByRole('menuitem', { name: 'Facturen' }).click();
        await expect(page, '9-brand-header').toHaveURL(portal.url('/invoices'));
        await expect(page.getByRole('table').first()).toBeVisible();
      }
      expect(await axe(page), `9-brand-header: ${style}`).toEqual([]);
    } finally {
      remove();
    }
  }
  expect(onPhone[1], '9-brand-header: phone').toEqual(onPhone[0]);
  expect(onPhone[2], '9-brand-header: phone').toEqual(onPhone[0]);
});

test(rows('9-brand-fonts', '@daily a font for titles'), async ({ at, page, labels }, info) => {
  const key = `titles-w${info.parallelIndex}r${info.repeatEachIndex}`;
  // body text has the product's font, so that the two differ
  const { portal, remove } = await branded(labels, key, at, 'heading_font_family: "Titles", heading_font_file: "figtree.woff2"');
  try {
    await page.setViewportSize(desktop);
    await page.context().clearCookies();
    await portal.signIn(await portal.customer({ sample: true }));
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/heading-font?*', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest('**/heading-font?*');
    await page.goto(portal.url('/contact'));
    await portal.heading().waitFor();
    await asked;
    expect(await page.locator('link[rel=preload][href*="heading-font"]').count(), '9-brand-fonts').toBe(0);
    const title = () =>
      portal.heading().evaluate((h1) => {
        const range = document.createRange();
        range.selectNodeContents(h1);
        const { width } = range.getBoundingClientRect();
        return { width, below: h1.getBoundingClientRect().bottom, font: getComputedStyle(h1).fontFamily };
      });
    const before = await title();
    expect(await page.evaluate(() => document.fonts.check('600 28px Titles')), 'it is not there yet').toBe(false);
    release();
    await expect.poll(() => page.evaluate(() => document.fonts.check('600 28px Titles'))).toBe(true);
    const after = await title();
    expect(after.font, '9-brand-fonts').toMatch(/^"?Titles"?,/);
    expect(after.below, '9-brand-fonts: nothing moves').toBe(before.below);
    expect(Math.abs(after.width / before.width - 1), '9-brand-fonts: the title is as wide').toBeLessThan(0.08);
    expect(
      await page
        .locator('main p')
        .first()
        .evaluate((p) => getComputedStyle(p).fontFamily),
      '9-brand-fonts: text',
    ).not.toContain('Titles');
    await portal.open('/dashboard');
    const amount = page.locator('[data-tile] p').filter({ hasText: /^€/ }).first();
    await expect(amount, '9-brand-fonts: amounts').toHaveCSS('font-family', /^"?Titles"?,/);
    expect(
      await page
        .locator('nav h2')
        .first()
        .evaluate((h) => getComputedStyle(h).fontFamily),
    ).not.toContain('Titles');
  } finally {
    remove();
  }
});
