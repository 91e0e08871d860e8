import type { Page } from '@playwright/test';
import { axe, desktop, expect, phone, rows, test } from './harness';
import { measure } from './measure';

/**
 * Returns what goes wrong on a page: console errors, including violations of its policy, failed scripts, and requests to another
 * origin.
 */
function faults(page: Page, origin: string): string[] {
  const found: string[] = [];
  page.on('console', (m) => {
    if (m.type() === 'error') found.push(`${page.url()}: ${m.text()}`);
  });
  page.on('pageerror', (e) => found.push(`${page.url()}: ${e.message}`));
  page.on('request', (r) => {
    if (!r.url().startsWith('data:') && new URL(r.url()).origin !== origin) found.push(`${page.url()} asks ${r.url()}`);
  });
  return found;
}

/** Returns the sidebar: name and address of each page, by section. */
async function navigation(page: Page, start: string): Promise<Map<string, { name: string; url: string }[]>> {
  await page.goto(start);
  const groups = page.locator('.VPSidebar .group');
  await groups.first().waitFor();
  const read = await groups.evaluateAll((all) =>
    all.map((group) => ({
      section: group.querySelector('h2')?.textContent?.trim() ?? '',
      pages: [...group.querySelectorAll('a')].map((a) => ({ name: a.textContent?.trim() ?? '', url: a.href })),
    })),
  );
  return new Map(read.map((r) => [r.section, r.pages]));
}

const guides = ['Begin', 'Labels', 'Modules', 'In production', 'Security'];

test(
  rows('11-docs-journey-pages', 'every page of the side bar: one title, no error, nothing from elsewhere, no sideways scrolling'),
  async ({ page, server }) => {
    const origin = server.origin('localhost');
    const found = faults(page, origin);
    await page.setViewportSize(phone);
    const sections = await navigation(page, `${origin}/docs/`);
    for (const section of [...guides, 'Runbooks', 'Reference', 'API by module', 'Change Wattle'])
      expect([...sections.keys()]).toContain(section);
    const pages = [...sections.values()].flat();
    expect(pages.length).toBeGreaterThan(40);
    for (const { name, url } of pages) {
      await page.goto(url);
      await expect(page.locator('h1'), name).toHaveCount(1);
      await expect(page.locator('h1'), name).toBeVisible();
      await expect(page.locator('.VPSidebarItem.is-active > .item > a'), `${name} is marked in the side bar`).toHaveAttribute(
        'href',
        new URL(url).pathname,
      );
      await expect(page.locator('th:empty'), `${name}: columns without a name`).toHaveCount(0);
      const { sideways } = await measure(page);
      expect(
        sideways.filter((s) => s.startsWith('page')),
        name,
      ).toEqual([]);
    }
    expect(found).toEqual([]);
  },
);

test(rows('11-docs-journey-axe', 'guides, and a page of each other section, in light and dark'), async ({ page, server }) => {
  const start = `${server.origin('localhost')}/docs/`;
  await page.setViewportSize(desktop);
  const sections = await navigation(page, start);
  const pages = [...sections].flatMap(([section, all]) => (guides.includes(section) ? all : all.slice(0, 1)));
  for (const { name, url } of pages) {
    await page.goto(url);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /dark/ : /^(?!.*dark)/);
      expect(await axe(page), `${name}, ${colorScheme}`).toEqual([]);
    }
  }
});

test(
  rows(
    ['11-docs-journey-search', '11-docs-journey-reference', '11-docs-journey-axe'],
    'from the start page of a demo to a guide, a block of commands, a search and the reference',
  ),
  async ({ page, server, context }) => {
    const origin = server.origin('localhost');
    const found = faults(page, origin);
    await page.setViewportSize(desktop);
    await page.goto(origin);
    await page.getByRole('link', { name: 'Documentatie' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wattle');
    await page.getByRole('main').getByRole('link', { name: 'The first ten minutes' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The first ten minutes');

    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const block = page.locator('div.language-sh', { hasText: 'demo accounts' });
    await block.hover();
    await block.getByRole('button').click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()), '11-docs-journey-search')
      .toBe('bin/wattle demo accounts');

    // any request to another origin is a fault, so the demo must contain everything that the search needs
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Search' });
    await expect(box).toBeFocused();
    expect(await axe(page)).toEqual([]);
    await box.fill('identity key');
    await expect(page.getByRole('option').first()).toContainText('The identity key');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axe(page), '11-docs-journey-axe').toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await axe(page), '11-docs-journey-axe').toEqual([]);
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ArrowUp');
    await page.getByTitle('Display detailed list').click();
    await expect(page.locator('.excerpt').first()).toBeVisible();
    await box.focus();
    await page.keyboard.press('Enter');
    await expect(page, '11-docs-journey-search').toHaveURL(`${origin}/docs/operations#the-identity-key`);
    await expect(page.getByRole('heading', { name: 'The identity key' })).toBeInViewport();

    const side = page.getByRole('navigation', { name: 'Sidebar' });
    for (const [name, title, text] of [
      ['Commands', 'Commands', 'wattle serve'],
      ['Settings of labels', 'Settings of labels', 'label_key'],
      ['Events', 'Events', 'marketplace.offer_due'],
      ['API of billing', 'API of billing', 'GET /api/v0/agreements'],
    ] as const) {
      await side.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 }), '11-docs-journey-reference').toHaveText(title);
      await expect(page.getByRole('main').getByText(text, { exact: true }).first()).toBeVisible();
    }
    expect(found).toEqual([]);
  },
);
