import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/workspace.mjs';
import { customers, expect, migrated, participants, phone, rows, test } from './harness';

test(
  rows(
    ['1-label-branding-applied', '1-label-lookup-startup', '1-one-label-per-host', '7.7-analytics'],
    '@daily each label has its own branding, on sign-in and inside',
  ),
  async ({ at, page, request }) => {
    // requests to other origins, and requests that the portal's policy blocked
    const foreignRequests: string[] = [];
    let origin = '';
    page.on('request', (r) => {
      if (!r.url().startsWith('data:') && new URL(r.url()).origin !== origin) foreignRequests.push(r.url());
    });
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) foreignRequests.push(message.text());
    });
    const seen = [];
    const keys: string[] = [];
    for (const host of [participants, customers]) {
      const portal = at(host);
      origin = new URL(portal.url('/')).origin;
      const looks = async () =>
        page.evaluate(() => {
          const css = (selector: string) => {
            const element = document.querySelector(selector);
            return element ? getComputedStyle(element) : undefined;
          };
          const button = [...document.querySelectorAll('button')].find((b) => b.type === 'submit');
          return {
            button: button && getComputedStyle(button).backgroundColor,
            header: css('header')?.backgroundColor,
            font: css('h1')?.fontFamily,
            title: document.title,
            logo: (document.querySelector('img[alt]') as HTMLImageElement | null)?.src,
            drawn: ((document.querySelector('img[alt]') as HTMLImageElement | null)?.naturalWidth ?? 0) > 0,
            icon: (document.querySelector('link[rel=icon]') as HTMLLinkElement).href,
          };
        });
      await portal.open('/');
      await page.waitForLoadState('load');
      const outside = await looks();
      await portal.signIn();
      await portal.open('/fixture');
      const inside = await looks();
      expect(outside.drawn && inside.drawn).toBe(true);
      expect(inside.icon).toBe(outside.icon);
      seen.push({ ...outside, header: inside.header, insideTitle: inside.title, insideFont: inside.font });
      const answer = await request.get(`http://127.0.0.1:${portal.server.port}/api/v0/portal`, { headers: { Host: host } });
      const { label } = (await answer.json()) as { label: { key: string; page_title: string; logo: string } };
      keys.push(label.key);
      const cue = readFileSync(join(root, 'labels', label.key, 'label.cue'), 'utf8');
      const [, hex = ''] = /primary_color: +"#([0-9a-f]{6})"/.exec(cue) ?? [];
      const channels = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      expect(outside.button, '1-label-branding-applied: its own color').toBe(`rgb(${channels.join(', ')})`);
      expect(outside.logo, '1-label-branding-applied: its own logo').toBe(origin + label.logo);
      expect(outside.font, '1-label-branding-applied: its own font').toContain(
        /heading_font_family: +"([^"]+)"/.exec(cue)?.[1] ?? 'none',
      );
      expect(outside.title, '1-label-lookup-startup').toContain(label.page_title);
      expect(inside.title).toContain(label.page_title);
    }
    const [a, b] = seen;
    for (const key of ['button', 'header', 'font', 'title', 'logo', 'icon'] as const)
      expect(a?.[key], `1-label-branding-applied: ${key}`).not.toBe(b?.[key]);
    expect(new Set(keys).size, '1-one-label-per-host').toBe(2);
    const tracked = await request.get(
      `http://127.0.0.1:${at(participants).server.port}/api/v0/labels/key?domain=${participants}`,
    );
    expect(((await tracked.json()) as { ga_tracking_id: string }).ga_tracking_id, 'a label that has an id').toMatch(/^G-/);
    expect(foreignRequests, '7.7-analytics').toEqual([]);
  },
);

test(rows('1-font-default', '@daily Open Sans when the style has no font'), async ({ at, page }) => {
  await at('1071.localhost').open('/');
  expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^"Open Sans"/);
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => document.fonts.check('16px "Open Sans"'))).toBe(true);
});

// Labels that have moved, each with a live host and a test host.
const moved = ['1000', '1008', '1021', '1025', '1058', '1086', '1095'];

test(
  rows(['1-migrated-labels', '1-migrated-link-target', '1-test-host-rule'], '@daily a link to the new portal and no form'),
  async ({ at, page, request }) => {
    for (const key of moved) {
      const portal = at(`${key}-live.localhost`);
      const answer = await request.get(`http://127.0.0.1:${portal.server.port}/api/v0/portal`, {
        headers: { Host: portal.host },
      });
      const { label } = (await answer.json()) as { label: { key: string; migrated: { name: string; url: string } } };
      expect(label.key).toBe(key);
      await portal.open('/');
      const link = page.getByRole('link', { name: `Naar ${label.migrated.name}` });
      await expect(link, `1-migrated-labels: ${key}`).toBeVisible();
      expect(label.migrated.url).toMatch(/^https:\/\//);
      await expect(link, `1-migrated-link-target: ${key}`).toHaveAttribute('href', label.migrated.url);
      await expect(page.getByRole('textbox'), '1-test-host-rule').toHaveCount(0);
    }
    await at(migrated.live).accessible();
  },
);

test(rows('1-migrated-test-host', '@daily a test host keeps the form'), async ({ at, page }) => {
  await at(migrated.test).open('/');
  await expect(page.getByRole('textbox', { name: 'Gebruikersnaam' })).toBeVisible();
});

test(
  rows(['1-migrated-1024', '1-migrated-1024-reconcile'], '@daily its own text next to a working form'),
  async ({ at, page }) => {
    const portal = at(participants);
    await portal.open('/');
    await expect(
      page.getByText('Voor je delen en je lidmaatschap blijf je hier inloggen.'),
      '1-migrated-1024-reconcile',
    ).toBeVisible();
    const who = await portal.customer();
    await page.getByLabel('Gebruikersnaam').fill(who.username);
    await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    await at(migrated.live).open('/');
    await expect(page.getByText('Voor je delen'), '1-migrated-1024').toHaveCount(0);
  },
);

test(
  rows(['1-unknown-host', '8-startup-failure'], '@daily a host without a label: the general error page, without branding'),
  async ({ server, page, at }) => {
    await page.goto(server.origin('nobody.localhost'));
    await expect(page.getByRole('heading', { name: 'Dit portaal is nu niet beschikbaar' }), '8-startup-failure').toBeVisible();
    await expect(page.locator('img'), '1-unknown-host').toHaveCount(0);
    await at('nobody.localhost').accessible();
    await page.getByRole('button', { name: /EN/ }).click();
    await expect(page.getByRole('heading', { name: 'This portal is not available right now' })).toBeVisible();
    await page.goto(server.origin('localhost'));
    await expect(page.getByRole('link', { name: /Polderwiek/ }).first(), '1-unknown-host: the labels').toBeVisible();
    await page.getByRole('button', { name: 'Nieuwe klant van Kadestroom' }).click();
    await expect(page.locator('code', { hasText: /^test-/ })).toBeVisible();
    await at('localhost').accessible();
  },
);

test(
  rows(
    ['1-language-resolution', '1-language-switch', '4-language-stored', 'face-lang', 'face-title', '1-languages'],
    '@daily stored, browser, Dutch; kept after a reload',
  ),
  async ({ browser, server, at }) => {
    for (const [locale, heading] of [
      ['en-GB', 'Sign in'],
      ['nl-NL', 'Inloggen'],
      ['de-DE', 'Inloggen'],
    ] as const) {
      const context = await browser.newContext({ locale });
      const portal = at(customers, await context.newPage());
      await portal.open('/');
      await expect(portal.heading(), `1-language-resolution: ${locale}`).toHaveText(heading);
      await context.close();
    }
    const context = await browser.newContext({ locale: 'de-DE' });
    const page = await context.newPage();
    const portal = at(customers, page);
    await portal.open('/');
    await page.getByLabel('Gebruikersnaam').fill('half getypt');
    await page.getByRole('button', { name: 'Inloggen' }).click();
    await expect(page.getByRole('alert').getByText('Vul je wachtwoord in.')).toBeVisible();
    await page.getByRole('button', { name: 'EN, English' }).click();
    await expect(page.locator('html'), 'face-lang').toHaveAttribute('lang', 'en');
    await expect(page, 'face-title').toHaveTitle('Sign in | Mijn Haardlicht');
    await expect(page.getByLabel('Username'), 'face-lang: what was typed').toHaveValue('half getypt');
    await expect(page.getByRole('alert').getByText('Fill in your password.'), '1-languages').toBeVisible();
    await page.reload();
    await expect(portal.heading(), '4-language-stored').toHaveText('Sign in');
    await portal.signIn();
    for (const size of [phone, { width: 900, height: 700 }, { width: 1280, height: 800 }]) {
      await page.setViewportSize(size);
      await portal.open('/fixture');
      await expect(portal.heading()).toHaveText('Notes');
      if (size === phone) await page.getByRole('button', { name: 'Menu' }).click();
      await expect(page.getByRole('button', { name: 'NL, Nederlands' }), '1-language-switch').toBeVisible();
    }
    await page.getByRole('textbox', { name: 'Kept while typing' }).fill('blijft');
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await expect(portal.heading()).toHaveText('Notities');
    await expect(page).toHaveTitle('Notities | Mijn Haardlicht');
    await expect(page.getByRole('textbox', { name: 'Blijft staan' })).toHaveValue('blijft');
    for (const path of ['/under-construction', '/verify/nothing', '/register']) {
      await page.goto(server.origin(customers) + path);
      await expect(page.getByRole('button', { name: 'NL, Nederlands' })).toBeVisible();
    }
    await context.close();
  },
);

test(rows('face-noscript', '@daily without JavaScript the page shows a text with the phone number'), async ({ browser, at }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const portal = at(customers, await context.newPage());
  await portal.page.goto(portal.url('/'));
  const words = portal.page.locator('noscript');
  await expect(words).toBeVisible();
  expect(await portal.page.content()).toMatch(/<noscript>[^<]*JavaScript[^<]*085 010 42 42/);
  await context.close();
});

test(
  rows('face-skip-link', '@daily the first tab stop leads to the content, on every kind of page'),
  async ({ portal, page }) => {
    const first = async () => {
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: 'Naar de inhoud' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.locator('#content')).toBeFocused();
    };
    await portal.open('/');
    await first();
    await portal.open('/under-construction');
    await first();
    await portal.signIn();
    await portal.open('/fixture');
    await first();
  },
);
