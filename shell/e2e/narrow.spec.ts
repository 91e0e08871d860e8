// The effect of a narrow and a low window on words and short pages.
import type { Page } from '@playwright/test';
import { test } from './demo';
import { customers, desktop, expect, narrow, participants, rows } from './harness';

/** Returns the words whose letters are on more than one line, each with the text around it. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = all.nextNode(); node; node = all.nextNode()) {
      const text = (node as Text).data;
      const parent = node.parentElement;
      if (!parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      // texts only for screen readers are in boxes of 1 px
      if (parent.closest('a[href="#content"]') || parent.getBoundingClientRect().width <= 1) continue;
      for (const word of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}.,:]*/gu)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top)));
        if (lines.size > 1) broken.push(`${word[0]} in “${parent.closest('li, tr, section, div')?.textContent?.slice(0, 80)}”`);
      }
    }
    return broken;
  });

const menuOf = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Hoofdmenu' })
    .getByRole('link')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));

test(
  rows(['9-whole-words', '9-short-pages'], 'on the pages of the menu, @daily for a customer and a member'),
  async ({ at, page }) => {
    const short: string[] = [];
    for (const host of [customers, participants]) {
      const portal = at(host);
      await page.context().clearCookies();
      await page.setViewportSize(desktop);
      await portal.signIn(await portal.customer({ sample: true }));
      await portal.open('/account');
      for (const path of ['/account', ...(await menuOf(page))]) {
        await page.setViewportSize(narrow);
        await portal.open(path);
        await expect(page.locator('main [role="status"][aria-busy]')).toHaveCount(0);
        await expect.poll(() => brokenWords(page), `9-whole-words: ${host}${path} at 320`).toEqual([]);
        await page.setViewportSize({ width: 1280, height: 900 });
        const { content, whole } = await page.evaluate(() => {
          const column = document.querySelector('main [data-width]')?.lastElementChild;
          const menu = document.querySelector('nav')?.scrollHeight ?? 0;
          const foot = document.querySelector('footer')?.getBoundingClientRect().height ?? 0;
          return {
            content: Math.max((column?.getBoundingClientRect().bottom ?? 0) + window.scrollY + 64, 64 + menu) + foot,
            whole: document.documentElement.scrollHeight,
          };
        });
        if (content > 900) continue;
        short.push(path);
        expect(whole, `9-short-pages: ${host}${path}`).toBe(900);
      }
    }
    // the members' menu is higher than this window
    expect(short, '9-short-pages').toContain('/contact');
  },
);
