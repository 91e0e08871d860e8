import { customers, expect, participants, phone, rows, test } from './harness';

test(
  rows(
    ['2.3-prefix', '2.3-close-escape', '2.3-close-target', '2.3-account-routes-reconcile', 'face-focus', 'face-title'],
    '@daily overlays above any view',
  ),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture');
    await page.getByRole('textbox', { name: 'Blijft staan' }).fill('er onder');
    const opener = page.getByRole('button', { name: 'Notitie wijzigen' });
    const sheet = page.getByRole('dialog', { name: 'Notitie wijzigen' });
    await opener.click();
    await expect(sheet).toBeVisible();
    await expect(page, '2.3-prefix').toHaveURL(portal.url('/fixture/fixture-change/one'));
    await expect(page, 'face-title').toHaveTitle('Notitie wijzigen | Mijn Haardlicht');
    await expect(page.getByTestId('overlay-id')).toHaveText('one');
    await portal.accessible();
    await page.emulateMedia({ reducedMotion: 'no-preference' }); // from here on with animations
    await page.keyboard.press('Escape');
    await expect(sheet, '2.3-close-escape').toBeHidden();
    await expect(page, '2.3-close-target').toHaveURL(portal.url('/fixture'));
    await expect(opener, 'face-focus').toBeFocused();
    await expect(page.getByRole('textbox', { name: 'Blijft staan' })).toHaveValue('er onder');
    // by deep link: the view is rendered below, or the parent if the view does not exist
    await page.goto(portal.url('/fixture-long/fixture-change/two%20x'));
    await expect(page.getByTestId('overlay-id')).toHaveText('two x');
    await sheet.getByRole('button', { name: 'Sluiten' }).click();
    await expect(sheet, '2.3-close-escape: its close button').toBeHidden();
    await expect(page).toHaveURL(portal.url('/fixture-long'));
    await expect(portal.heading()).toHaveText('Lange lijst');
    await page.goto(portal.url('/unknown-view/fixture-change/three'));
    await expect(page.getByTestId('overlay-id')).toHaveText('three');
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(portal.url('/fixture'));
    // the overlays are the same with the fixed parents in 2.3-account-routes-reconcile
    await page.goto(portal.url('/account/change-phonenumber'));
    await expect(page.getByRole('dialog', { name: 'Telefoonnummer wijzigen' }), '2.3-account-routes-reconcile').toBeVisible();
    await page.goto(portal.url('/fixture/change-phonenumber'));
    await expect(page.getByRole('dialog', { name: 'Telefoonnummer wijzigen' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(portal.url('/fixture'));
  },
);

interface Declared {
  manifest: { overlays: { name: string; parent: string; params?: string[]; needs?: unknown }[] };
}

test(
  rows('9-overlay-return', '@daily every overlay of the product leads back to the page and the link that it was opened from'),
  async ({ at, page }) => {
    test.slow(); // twelve overlays
    const opened = new Set<string>();
    // an id that the meter overlays can read; other overlays do not need it
    const connection = { agreement_identifier: '1', location_id: '1', ean_code: '871600000000000154', delivery: false };
    const id = Buffer.from(JSON.stringify(connection)).toString('base64url');
    for (const host of [participants, customers]) {
      const portal = at(host);
      await portal.signIn();
      await portal.open('/fixture-long');
      const { remotes } = await page.evaluate(
        async () => (await (await fetch('/api/v0/portal')).json()) as { remotes: Declared[] },
      );
      for (const o of remotes.flatMap((r) => r.manifest.overlays)) {
        if (opened.has(o.name) || o.needs) continue;
        opened.add(o.name);
        const below = `/fixture-long?to=${[o.parent, o.name, ...(o.params ?? []).map(() => id)].join('/')}`;
        await portal.open(below);
        const link = page.getByRole('main').getByRole('link', { name: o.name });
        await link.click();
        await expect(page.getByRole('dialog'), o.name).toBeVisible();
        await expect(portal.heading(), `${o.name}: the page stays below it`).toHaveText('Lange lijst');
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog'), o.name).toHaveCount(0);
        await expect(page, o.name).toHaveURL(portal.url(below));
        await expect(link, `9-overlay-return: ${o.name}`).toBeFocused();
      }
    }
    expect(opened.size, 'create-offer, move-shares and others').toBeGreaterThan(9);
  },
);

test(
  rows('9-overlay-return', 'opened from a menu, which closes, an overlay returns focus to the button of that menu'),
  async ({ at, page }) => {
    const portal = at(participants);
    await portal.signIn();
    const sheet = page.getByRole('dialog', { name: 'Aanbod plaatsen' });
    const menus = [
      { size: phone, button: 'Menu', item: 'link' },
      { size: { width: 900, height: 800 }, button: 'Marktplaats', item: 'menuitem' },
    ] as const;
    for (const { size, button, item } of menus) {
      await page.setViewportSize(size);
      await portal.open('/fixture-long');
      const opener = page.getByRole('button', { name: button, exact: true });
      await opener.click();
      await page.getByRole(item, { name: 'Aanbod plaatsen' }).click();
      await expect(sheet).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page).toHaveURL(portal.url('/fixture-long'));
      await expect(opener, `9-overlay-return: ${button}`).toBeFocused();
    }
  },
);

test(
  rows(['2.3-save-enabled', 'face-unsaved'], '@daily saving requires a change; leaving with changes asks for confirmation'),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture');
    await page.getByRole('button', { name: 'Notitie wijzigen' }).click();
    const save = page.getByRole('button', { name: 'Bewaren' });
    await expect(save).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByText('Vul eerst een tekst in.')).toBeVisible();
    await save.focus(); // the button is aria-disabled, not disabled
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Tekst')).toBeFocused();
    await page.getByLabel('Tekst').fill('een notitie');
    await expect(save, '2.3-save-enabled').not.toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Verder bewerken' }).click();
    await expect(page.getByLabel('Tekst')).toHaveValue('een notitie');
    await save.click();
    await expect(page.getByTestId('notes')).toHaveText('een notitie');
    await expect(page.getByTestId('count')).toHaveText('1'); // another view that reads the same path
    await page.getByRole('navigation').getByRole('link', { name: 'Formulier' }).click();
    await page.getByLabel('Tekst').fill('niet bewaard');
    await page.getByRole('navigation').getByRole('link', { name: 'Notities' }).click();
    await page.getByRole('button', { name: 'Blijven' }).click();
    await expect(page.getByLabel('Tekst'), 'face-unsaved').toHaveValue('niet bewaard');
    await page.getByRole('navigation').getByRole('link', { name: 'Notities' }).click();
    await page.getByRole('button', { name: 'Weggaan' }).click();
    await expect(portal.heading()).toHaveText('Notities');
  },
);

test(
  rows(
    ['face-focus', 'face-scroll', 'face-title'],
    '@daily the heading gets focus, and the back button restores the scroll position',
  ),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture-long');
    await page.getByRole('link', { name: 'row 60' }).scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(500);
    await page.getByRole('link', { name: 'row 60' }).click();
    await expect(page.getByTestId('id')).toHaveText('60');
    await expect(portal.heading(), 'face-focus').toBeFocused();
    await expect(page, 'face-title').toHaveTitle('Notitie | Mijn Haardlicht');
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(portal.heading()).toHaveText('Lange lijst');
    await expect.poll(() => page.evaluate(() => scrollY), { message: 'face-scroll' }).toBe(before);
  },
);

test(rows('face-remote-down', 'a remote that cannot be loaded keeps its menu, paths and slots'), async ({ portal, page }) => {
  await portal.signIn();
  let down = true;
  await page.route('**/assets/fixture/**', (route) => (down ? route.abort() : route.fallback()));
  await portal.open('/dashboard');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Notities' })).toBeVisible();
  const tile = page.getByRole('region', { name: 'Notitietegel' });
  await expect(tile.getByRole('button', { name: 'Probeer opnieuw' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Klantenservice' }).getByText('085 010 42 42')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Notities' }).click();
  await expect(page).toHaveURL(portal.url('/fixture'));
  await expect(page).toHaveTitle('Notities | Mijn Haardlicht');
  await expect(page.locator('main').getByText('Dit onderdeel is er nu even niet').first()).toBeVisible();
  await portal.accessible();
  down = false;
  await page.locator('main').getByRole('button', { name: 'Probeer opnieuw' }).last().click();
  await expect(portal.heading()).toHaveText('Notities');
  // a view that throws an error while rendering does not affect other views
  await page.goto(portal.url('/dashboard'));
  const broken = page.getByRole('region', { name: 'Kapotte tegel' });
  await expect(broken.getByRole('button', { name: 'Probeer opnieuw' })).toBeVisible();
  await expect(page.getByTestId('tile')).toBeVisible();
  await page.evaluate(() => {
    (window as { repaired?: boolean }).repaired = true;
  });
  await broken.getByRole('button', { name: 'Probeer opnieuw' }).click();
  await expect(broken.getByText('repaired')).toBeVisible();
});

test(
  rows('face-deploy', '@daily an open tab keeps working and loads the new version at a navigation'),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture');
    await page.evaluate(() => {
      (window as { sameDocument?: boolean }).sameDocument = true;
    });
    await page.route('**/api/v0/portal', async (route) => {
      const answer = await route.fetch({
        url: route.request().url().replace(portal.host, '127.0.0.1'),
        headers: { ...route.request().headers(), host: portal.host },
      });
      await route.fulfill({ response: answer, json: { ...(await answer.json()), build: 'a-newer-one' } });
    });
    const looked = page.waitForResponse('**/api/v0/portal');
    await page.getByRole('navigation').getByRole('link', { name: 'Lange lijst' }).click();
    await looked;
    await expect(portal.heading()).toHaveText('Lange lijst');
    expect(await page.evaluate(() => (window as { sameDocument?: boolean }).sameDocument)).toBe(true);
    const loaded = page.waitForEvent('load');
    await page.getByRole('navigation').getByRole('link', { name: 'Formulier' }).click();
    await loaded;
    expect(await page.evaluate(() => (window as { sameDocument?: boolean }).sameDocument)).toBeUndefined();
    await expect(portal.heading()).toHaveText('Formulier');
    await expect(page).toHaveURL(portal.url('/fixture-form'));
  },
);

test(
  rows(['face-clock', '1-date-style'], 'today is the day of the server’s clock in the label’s zone'),
  async ({ portal, page }) => {
    await page.clock.setFixedTime(new Date('2031-05-05T12:00:00Z'));
    await portal.signIn();
    await portal.open('/fixture');
    await expect(page.getByTestId('today'), 'face-clock').toHaveText('20-11-2026');
    await page.evaluate(() => localStorage.setItem('wattle:locale', 'en'));
    await portal.open('/fixture');
    await expect(page.getByTestId('today'), '1-date-style').toHaveText('20-11-2026');
  },
);

test(
  rows(
    ['4-snack-limit', '8-alert-duration', '8-notice-duration'],
    'three at once; five and six seconds; the pointer pauses the time',
  ),
  async ({ portal, page }) => {
    await portal.signIn();
    await page.clock.install();
    await portal.open('/fixture');
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    const toast = page.locator('[data-kind]');
    const typed = page.getByRole('textbox', { name: 'Blijft staan' });
    for (const text of ['een', 'twee', 'drie', 'vier']) {
      await typed.fill(text);
      await page.getByRole('button', { name: 'alert' }).click();
    }
    await page.mouse.move(5, 5);
    await expect(toast, '4-snack-limit').toHaveCount(3);
    await page.clock.runFor(5100);
    await expect(toast, '8-alert-duration').toHaveText(['alert vier']);
    await page.clock.runFor(5100);
    await expect(toast).toHaveCount(0);
    await page.getByRole('button', { name: 'notice' }).click();
    await page.mouse.move(5, 5);
    await page.clock.runFor(5800);
    await expect(toast, '8-notice-duration').toHaveCount(1);
    await toast.hover();
    await page.clock.runFor(10_000);
    await expect(toast).toHaveCount(1);
    await page.mouse.move(5, 5);
    await page.clock.runFor(400);
    await expect(toast).toHaveCount(0);
  },
);

test(rows('face-reduced-motion', '@daily no animations with reduced motion'), async ({ portal, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(phone);
  await portal.signIn();
  await portal.open('/fixture');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  const slow = await page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((e) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(e);
      const seconds = [...(animationName === 'none' ? [] : animationDuration.split(',')), ...transitionDuration.split(',')].map(
        Number.parseFloat,
      );
      return seconds.some((s) => s > 0.01) ? [`${e.tagName} ${animationDuration} ${transitionDuration}`] : [];
    }),
  );
  expect(slow).toEqual([]);
});

test(rows('2.3-prefix', 'slots of the shell: header, notice, sign-in'), async ({ portal, page }) => {
  await portal.open('/');
  await page.getByRole('button', { name: 'Notitie activeren' }).click();
  await expect(portal.heading()).toHaveText('Notitie activeren');
  await page.getByRole('button', { name: 'Klaar' }).click();
  await expect(portal.heading()).toHaveText('Inloggen');
  await portal.signIn();
  await portal.open('/fixture');
  await expect(page.getByTestId('count')).toHaveText('0');
  await page.getByRole('button', { name: 'Verberg deze tip' }).click();
  await expect(page.getByTestId('hint')).toHaveCount(0);
  await portal.open('/home');
  await expect(page.getByTestId('tile')).toBeVisible();
  await expect(page.getByTestId('greeting')).toHaveCount(0);
});

test(
  rows(['9-offer-group', '9-offer-slot', '2.4-public-declared'], 'remotes of two teams use slots and groups of each other'),
  async ({ portal, page }) => {
    await portal.open('/guest-open');
    await expect(page.getByText('Dit kun je lezen zonder account.'), '2.4-public-declared').toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await portal.accessible();
    await page.goto(portal.url('/guest-open/nothing'));
    await expect(page, '2.4-public-declared: an unknown path below it').toHaveURL(portal.url('/'));
    await expect(portal.heading()).toHaveText('Inloggen');
    await portal.open('/guest'); // its first segment is different
    await expect(portal.heading()).toHaveText('Inloggen');
    await expect(page).toHaveURL(portal.url('/guest'));

    await portal.signIn();
    await portal.open('/fixture-note/7');
    await expect(page.getByTestId('remark'), '9-offer-slot').toHaveText('Bij notitie 7 is nog niets opgemerkt.');
    const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });
    const heading = menu.getByRole('heading', { name: 'Notitieboek' });
    await expect(heading.locator('xpath=following-sibling::ul').getByRole('link'), '9-offer-group').toHaveText([
      'Formulier',
      'Opmerkingen',
    ]);
    await page.setViewportSize({ width: 900, height: 800 }); // in the bar, the group is a separate menu
    const items = page.getByRole('menuitem');
    await expect(async () => {
      if ((await items.count()) === 0) await page.getByRole('button', { name: 'Notitieboek' }).click(); // a change of width closes menus
      await expect(items, '9-offer-group').toHaveText(['Formulier', 'Opmerkingen'], { timeout: 1000 });
    }).toPass();
    await portal.accessible({ otherWidth: false });
    await page.getByRole('menuitem', { name: 'Opmerkingen' }).click();
    await expect(portal.heading()).toHaveText('Opmerkingen');
  },
);

test(rows(['9-slot-texts'], 'tiles load the texts of tiles, pages those of the whole remote'), async ({ portal, page }) => {
  const catalogues = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap((r) => /\/usage\/[^/]+\/(texts\.\w+(?:\.slots)?)\./.exec(r.name)?.[1] ?? [])
        .sort(),
    );
  await portal.signIn(await portal.customer({ sample: true }));
  await portal.open('/dashboard');
  await expect(page.getByRole('link', { name: 'Bekijk je verbruik' })).toBeVisible(); // a tile's text
  expect(await catalogues(), '9-slot-texts').toEqual(['texts.nl.slots']);
  await page.getByRole('link', { name: 'Bekijk je verbruik' }).click();
  await expect(page.getByText('Wat je verbruikt en teruglevert')).toBeVisible();
  expect(await catalogues(), '9-slot-texts').toEqual(['texts.nl', 'texts.nl.slots']);
  await expect(page.locator('body')).not.toContainText(/\busage\.[a-z_]+/); // no text is missing
});
