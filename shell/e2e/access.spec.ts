import type { Locator, Page } from '@playwright/test';
import { customers, expect, migrated, narrow, participants, phone, rows, test } from './harness';
import { measure } from './measure';

const phoneForm = {
  open: 'Telefoonnummer wijzigen',
  field: 'Nieuw telefoonnummer',
  save: 'Opslaan',
  done: 'We wijzigen je telefoonnummer',
};

/** Returns what makes the focus visible: an outline of the focused element, or of the element that is shown instead of it. */
const focusIndicator = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const e = document.activeElement;
    if (!e || e === document.body) return 'nothing has focus';
    const b = e.getBoundingClientRect();
    if (b.bottom <= 0 || b.top >= innerHeight || b.right <= 0 || b.left >= innerWidth) return 'out of sight';
    const drawn = [e, e.nextElementSibling, e.parentElement, e.parentElement?.parentElement].filter((x) => x instanceof Element);
    const ring = drawn.some((x) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(x);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    return ring || e.matches('h1, h2, main, [role=dialog]')
      ? 'shown'
      : `${e.tagName} ${e.textContent?.slice(0, 40)} shows nothing`;
  });

/** Presses Tab until the control has focus, and checks that focus is visible at every stop. */
async function tabTo(page: Page, target: Locator, row: string): Promise<void> {
  for (let n = 0, outside = 0; n < 80 && outside < 2; n++) {
    await page.keyboard.press('Tab');
    // after the page's last control, focus moves once through the browser's own controls
    if (await page.evaluate(() => document.activeElement === document.body)) {
      outside++;
      continue;
    }
    expect(await focusIndicator(page), row).toBe('shown');
    if (await target.evaluate((e) => e === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

test(rows('face-journey-keyboard', 'sign-in, page, overlay and sign-out without a mouse'), async ({ portal, page }) => {
  const row = 'face-journey-keyboard';
  const who = await portal.customer();
  await portal.open('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Naar de inhoud' }), row).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Gebruikersnaam'), row);
  await page.keyboard.type(who.username);
  await tabTo(page, page.getByRole('textbox', { name: 'Wachtwoord' }), row);
  await page.keyboard.type(who.password);
  await tabTo(page, page.locator('main button[type=submit]'), row);
  await page.keyboard.press('Enter');
  const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });
  await expect(menu).toBeVisible();
  await tabTo(page, menu.getByRole('link', { name: 'Contact' }), row);
  await page.keyboard.press('Enter');
  await expect(portal.heading(), row).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: /Je account/ }), row);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(portal.heading()).toHaveText('Mijn gegevens');
  const change = page.getByRole('button', { name: phoneForm.open });
  await tabTo(page, change, row);
  const sheet = page.getByRole('dialog', { name: phoneForm.open });
  await page.keyboard.press('Enter');
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(change, row).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, sheet.getByLabel(phoneForm.field), row);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('06-8765 4321');
  await tabTo(page, sheet.getByRole('button', { name: phoneForm.save }), row);
  await page.keyboard.press('Enter');
  await expect(page.locator('main dl > div', { hasText: 'Telefoonnummer' }), row).toContainText('wordt gewijzigd in 0687654321');
  await expect(sheet).toHaveCount(0);
  await portal.open('/account');
  await tabTo(page, page.getByRole('button', { name: /Je account/ }), row);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Uitloggen' }), row).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(portal.heading(), row).toHaveText('Inloggen');
});

test(rows('face-journey-zoom', 'at 200% of a window of 1280 by 800'), async ({ browser, at }) => {
  const row = 'face-journey-zoom';
  // browser zoom of 200%: half as many CSS pixels, each twice as large
  const context = await browser.newContext({ locale: 'nl-NL', viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const portal = at(customers, page);
  const fits = async () => expect(await measure(page), row).toEqual({ sideways: [], small: [] });
  const who = await portal.customer({ sample: true });
  await portal.open('/');
  await page.getByLabel('Gebruikersnaam').fill(who.username);
  await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
  await fits();
  await page.locator('main button[type=submit]').click();
  await expect(page).toHaveURL(/\/dashboard$/); // the menu closes when the first page opens
  await page.getByRole('button', { name: 'Menu' }).click();
  await fits();
  await page.getByRole('dialog').getByRole('link', { name: 'Facturen' }).click();
  await expect(page.getByRole('table').first()).toBeVisible();
  await fits();
  // no element covers the button: a trial click reaches its center
  await page
    .getByRole('button', { name: /downloaden$|^Download/ })
    .last()
    .click({ trial: true });
  await portal.open('/account');
  await page.getByRole('button', { name: phoneForm.open }).click();
  const sheet = page.getByRole('dialog', { name: phoneForm.open });
  const field = sheet.getByLabel(phoneForm.field);
  await field.fill('06-8765 4321');
  await fits();
  await field.click({ trial: true });
  await sheet.getByRole('button', { name: phoneForm.save }).click();
  await expect(page.locator('main dl > div', { hasText: 'Telefoonnummer' }), row).toContainText('wordt gewijzigd in 0687654321');
  await context.close();
});

test(rows('face-journey-motion', '@daily no animations from sign-in to the message'), async ({ portal, page }) => {
  const row = 'face-journey-motion';
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    for (const what of ['transitionrun', 'animationstart'])
      document.addEventListener(what, ({ target }) => {
        for (const a of (target as Element).getAnimations()) {
          const { duration, iterations } = a.effect?.getComputedTiming() ?? {};
          if (Number(duration) * Number(iterations) > 20) moved.push(`${(target as Element).tagName} ${duration} ms`);
        }
      });
  });
  const moved = () => page.evaluate(() => (window as unknown as { moved: string[] }).moved.splice(0));
  const who = await portal.customer();
  await page.setViewportSize(phone);
  await portal.open('/');
  await page.getByLabel('Gebruikersnaam').fill(who.username);
  await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
  await page.locator('main button[type=submit]').click();
  await expect(page).toHaveURL(/dashboard/);
  await expect(portal.heading()).toBeVisible();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await menu.getByRole('link', { name: 'Account' }).click();
  await expect(menu).toHaveCount(0);
  await page.getByRole('button', { name: phoneForm.open }).click();
  const sheet = page.getByRole('dialog', { name: phoneForm.open });
  await sheet.getByLabel(phoneForm.field).fill('06-8765 4321');
  await sheet.getByRole('button', { name: phoneForm.save }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: phoneForm.done })).toBeVisible();
  expect(await moved(), row).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' }); // proves that the check detects motion
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu).toBeVisible();
  expect(await moved(), row).not.toEqual([]);
});

/** Returns texts with too little contrast in the painted colors. axe uses the CSS colors, which forced colors replace. */
const lowContrastTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type RGBA = [number, number, number, number];
    const read = (color: string): RGBA => {
      const [r = 0, g = 0, b = 0, a = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
      return [r, g, b, a];
    };
    const over = ([r, g, b, a]: RGBA, [r2, g2, b2]: RGBA): RGBA => [
      r * a + r2 * (1 - a),
      g * a + g2 * (1 - a),
      b * a + b2 * (1 - a),
      1,
    ];
    const behind = (e: Element): RGBA => {
      const own = read(getComputedStyle(e).backgroundColor);
      return own[3] === 1 || !e.parentElement ? over(own, [255, 255, 255, 1]) : over(own, behind(e.parentElement));
    };
    const light = (c: RGBA) => {
      const [r, g, b] = c.slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
    };
    return [...document.body.querySelectorAll('*')]
      .filter((e) => !(e instanceof SVGElement) && e.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent?.trim()))
      .filter((e) => !e.closest(':disabled, [aria-disabled=true], [aria-hidden=true], noscript'))
      .flatMap((e) => {
        const paper = behind(e);
        const [a, b] = [light(over(read(getComputedStyle(e).color), paper)), light(paper)].sort((x, y) => y - x);
        const ratio = ((a ?? 0) + 0.05) / ((b ?? 0) + 0.05);
        return ratio < 4.5 ? [`${e.tagName} "${e.textContent?.slice(0, 30)}" ${ratio.toFixed(2)}`] : [];
      });
  });

test(rows('face-journey-colours', '@daily in the forced colors of the system'), async ({ portal, page }) => {
  const row = 'face-journey-colours';
  await page.emulateMedia({ forcedColors: 'active' });
  const seen = async (what: string) => {
    const edgeless = await page.evaluate(() =>
      [...document.querySelectorAll('input:not([type=hidden]), select, textarea, [role=dialog], main form button[type=submit]')]
        .filter((e) => e.checkVisibility() && getComputedStyle(e).opacity !== '0')
        .filter((e) => {
          const around = [e, e.parentElement, e.parentElement?.parentElement].filter((x) => x instanceof Element);
          return !around.some((x) => {
            const { borderTopStyle, borderTopWidth, outlineStyle } = getComputedStyle(x);
            return (borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) >= 1) || outlineStyle !== 'none';
          });
        })
        .map((e) => `${e.tagName} ${e.getAttribute('aria-label') ?? e.textContent?.slice(0, 30)}`),
    );
    expect(edgeless, `${row}: ${what} without an edge`).toEqual([]);
    expect(await lowContrastTexts(page), `${row}: ${what}`).toEqual([]);
  };
  /** Checks that the background differs from that of the other element: the system's highlight. */
  const highlighted = (chosen: Locator, other: Locator) =>
    expect(async () => {
      const color = (l: Locator) => l.evaluate((e) => getComputedStyle(e).backgroundColor);
      expect(await color(chosen), row).not.toBe(await color(other));
    }).toPass();
  const who = await portal.customer({ sample: true });
  await portal.open('/');
  await page.getByLabel('Gebruikersnaam').fill(who.username);
  await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
  expect(await focusIndicator(page), row).toBe('shown');
  await seen('sign-in');
  await highlighted(page.locator('button[aria-pressed=true]').first(), page.locator('button[aria-pressed=false]').first());
  await page.keyboard.press('Enter');
  const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });
  await menu.getByRole('link', { name: 'Verbruik' }).click();
  await highlighted(menu.getByRole('link', { name: 'Verbruik' }), menu.getByRole('link', { name: 'Facturen' }));
  await expect(page.locator('figure svg, [data-chart]').first()).toBeVisible();
  await seen('usage');
  await portal.open('/account/change-phonenumber');
  await expect(page.getByLabel(phoneForm.field)).toBeVisible();
  await seen('an overlay');
});

test(
  rows(['face-statement', '1-label-accessibility'], 'in every kind of label, with and without a session, in both languages'),
  async ({ at, page }) => {
    for (const [host, name, mail, number] of [
      [customers, 'Haardlicht Energie', 'hallo@haardlicht.example', '085 010 42 42'],
      [participants, undefined, undefined, undefined],
      [migrated.live, undefined, undefined, undefined],
    ] as const) {
      const portal = at(host);
      await page.goto(portal.url('/'));
      await page.getByRole('link', { name: 'Toegankelijkheid' }).click(); // the link on the sign-in screen
      await expect(portal.heading(), 'face-statement').toHaveText('Toegankelijkheid');
      const { label } = JSON.parse((await page.locator('#portal').textContent()) ?? '') as {
        label: { name: string; email: string; phone: string };
      };
      expect(name ?? label.name).toBe(label.name);
      const main = page.locator('main');
      for (const text of [
        name ?? label.name,
        mail ?? label.email,
        number ?? label.phone,
        'EN 301 549',
        '2019/882',
        'gedeeltelijk',
        /Laatst getest op \d{2}-\d{2}-2026/,
        'binnen 5 werkdagen',
        'Autoriteit Consument & Markt',
        'pdf',
      ])
        await expect(main, `face-statement: ${host}`).toContainText(text, { ignoreCase: true });
      await page.getByRole('button', { name: /^EN/ }).click();
      await expect(main, `face-statement: ${host}`).toContainText('meets the standard in part');
      await expect(main).toContainText(label.name);
      await page.getByRole('button', { name: /^NL/ }).click();
    }
    const portal = at(customers);
    await portal.signIn();
    await portal.open('/contact');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Toegankelijkheid' }).click();
    await expect(portal.heading(), 'face-statement').toHaveText('Toegankelijkheid');
    await expect(page.getByRole('navigation', { name: 'Hoofdmenu' }), 'inside the frame').toBeVisible();

    const own = 'https://www.haardlicht.example/toegankelijk';
    await page.route('**/*', async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const answer = await route.fetch({
        url: route.request().url().replace(portal.host, '127.0.0.1'),
        headers: { ...route.request().headers(), host: portal.host },
      });
      const body = await answer.text();
      await route.fulfill({
        response: answer,
        body: body.replace(/"accessibility":\{[^}]*\}/, `"accessibility":{"status":"full","tested":null,"url":"${own}"}`),
      });
    });
    await portal.open('/accessibility');
    await expect(page.locator('main').getByRole('link'), '1-label-accessibility').toHaveAttribute('href', own);
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Toegankelijkheid' })).toHaveAttribute('href', own);
    await page.unroute('**/*');
    await page.route('**/*', async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const answer = await route.fetch({
        url: route.request().url().replace(portal.host, '127.0.0.1'),
        headers: { ...route.request().headers(), host: portal.host },
      });
      const body = await answer.text();
      await route.fulfill({
        response: answer,
        body: body.replace(/"accessibility":\{[^}]*\}/, '"accessibility":{"status":"full","tested":"2026-01-31","url":null}'),
      });
    });
    await portal.open('/accessibility');
    await expect(page.locator('main'), '1-label-accessibility').toContainText(
      'voldoet volledig aan de norm. Laatst getest op 31-01-2026',
    );
    await expect(page.getByText('Wat nog niet goed werkt')).toHaveCount(0);
  },
);

test(rows('face-font-letters', '@daily in a shipped font and in one of the label'), async ({ at, page }) => {
  for (const [host, family] of [
    [customers, 'Figtree'],
    ['1071.localhost', 'Open Sans'],
  ] as const) {
    const portal = at(host);
    const fonts = new Set<string>();
    page.on('request', (r) => {
      if (r.resourceType() === 'font' && !r.url().includes('/heading-font')) fonts.add(r.url());
    });
    await portal.open('/accessibility');
    await page.evaluate(() => document.fonts.ready);
    expect([...fonts], `face-font-letters: ${host} in Dutch`).toHaveLength(1);
    await page
      .locator('main p')
      .first()
      .evaluate((h) => {
        h.textContent = 'Barış Şahin, Ğ, Łukasz Kovač, Győző, Žižek, Ștefan';
      });
    await expect.poll(() => fonts.size).toBe(2);
    await page.evaluate(() => document.fonts.ready);
    const cdp = await page.context().newCDPSession(page);
    const { root } = await cdp.send('DOM.getDocument');
    const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'main p' });
    await cdp.send('CSS.enable');
    await expect(async () => {
      const drawn = await cdp.send('CSS.getPlatformFontsForNode', { nodeId });
      const others = drawn.fonts.filter((f) => !f.isCustomFont || !f.familyName.startsWith(family));
      expect(others, `face-font-letters: ${host}`).toEqual([]);
    }).toPass();
    await cdp.detach();
    page.removeAllListeners('request');
  }
});

test(rows('face-print', 'invoices, agreements, orders and the result of a payment'), async ({ at, page }) => {
  const printed = async (path: string, ...holds: RegExp[]) => {
    await page.emulateMedia({ media: 'print' });
    const main = page.locator('main');
    for (const text of holds) await expect(main, `face-print: ${path}`).toContainText(text, { useInnerText: true });
    for (const frame of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('navigation')])
      for (const part of await frame.all()) await expect(part, `face-print: ${path}`).toBeHidden();
    await expect(page.locator('main button:visible:not([aria-expanded])'), `face-print: ${path}`).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Naar de inhoud' })).toBeHidden();
    // the content has the full paper width
    expect((await main.boundingBox())?.x, `face-print: ${path}`).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await expect(page.getByRole('banner')).toBeVisible();
  };
  const customer = at(customers);
  await customer.signIn(await customer.customer({ sample: true }));
  await customer.open('/invoices');
  await expect(page.getByRole('table').first()).toBeVisible();
  await printed('/invoices', /€\s\d/, /\d{2}-\d{2}-20\d{2}/);
  await customer.open('/agreements');
  await expect(page.locator('main dl').first()).toBeVisible();
  await printed('/agreements', /€/);
  // a sheet is printed without the page below it
  await customer.open('/account/change-phonenumber');
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByLabel(phoneForm.field)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('#root'), 'face-print').toBeHidden();
  await expect(sheet).toBeVisible();
  expect((await sheet.boundingBox())?.x, 'face-print').toBe(0);
  await page.emulateMedia({ media: 'screen' });
  const member = at(participants);
  await member.signIn(await member.customer({ sample: true }));
  await member.open('/thank-you?n=WyJCLTEyMyIsMTE3Nl0');
  await printed('/thank-you', /B-123/);
  await page.setViewportSize(narrow); // printed from a phone
  await member.open('/my-orders');
  await printed('/my-orders', /bestelling/i);
});
