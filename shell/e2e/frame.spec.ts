import { customers, expect, participants, phone, rows, test } from './harness';

test(
  rows(
    [
      '2.1-root-redirect',
      '2.5-logo-landing',
      '2.1-return-after-sign-in',
      '5.10-enter-submits',
      '5.10-sign-in-normalise',
      '1-label-type',
    ],
    '@daily the landing page of each kind; the requested page after signing in',
  ),
  async ({ at, page }) => {
    for (const [host, landing] of [
      [participants, '/account'],
      [customers, '/dashboard'],
    ] as const) {
      const portal = at(host);
      const who = await portal.customer();
      await portal.open('/');
      await page.getByLabel('Gebruikersnaam').fill(`  ${who.username.toUpperCase()} `);
      await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('navigation', { name: 'Hoofdmenu' }), '5.10-enter-submits').toBeVisible();
      await expect(page, '2.1-root-redirect').toHaveURL(portal.url(landing));
      await expect(page.getByRole('button', { name: /Je account/ }), '5.10-sign-in-normalise').toBeVisible();
      const shares = page.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link', { name: 'Mijn delen' });
      await expect(shares, '1-label-type').toHaveCount(host === participants ? 1 : 0);
      await portal.open('/fixture');
      await page.locator('header').getByRole('link').first().click();
      await expect(page, '2.5-logo-landing').toHaveURL(portal.url(landing));
      await page.context().clearCookies();
      await portal.open('/fixture-note/12?x=1');
      await expect(portal.heading()).toHaveText('Inloggen');
      await page.getByLabel('Gebruikersnaam').fill(who.username);
      await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
      await page.keyboard.press('Enter');
      await expect(page.getByTestId('id')).toHaveText('12');
      await expect(page, '2.1-return-after-sign-in').toHaveURL(portal.url('/fixture-note/12?x=1'));
      await page.context().clearCookies();
    }
  },
);

test(rows('2.1-signed-in-guard', '@daily every signed-in route shows sign-in without a session'), async ({ portal, page }) => {
  for (const path of ['/dashboard', '/account', '/fixture', '/home', '/notfound', '/fixture/fixture-change/one']) {
    await portal.open(path);
    await expect(portal.heading(), path).toHaveText('Inloggen');
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page).toHaveURL(portal.url(path));
  }
});

test(
  rows(
    ['2.1-unknown-path', '2.1-notfound', '2.1-notfound-reconcile'],
    '@daily unknown paths go to the landing page, /notfound shows 404',
  ),
  async ({ portal, page }) => {
    await portal.signIn();
    for (const path of ['/no/such/path', '/nothing', '/fixture-never', '/register-something', '/fixture/no-overlay']) {
      await portal.open(path);
      await expect(page, `2.1-unknown-path: ${path}`).toHaveURL(portal.url('/dashboard'));
    }
    await portal.open('/notfound');
    await expect(page).toHaveURL(portal.url('/notfound'));
    await expect(portal.heading(), '2.1-notfound-reconcile').toHaveText('Pagina niet gevonden');
    await expect(page.getByText('404'), '2.1-notfound').toBeVisible();
  },
);

test(
  rows(
    [
      '2.4-under-construction',
      '2.4-public-mode',
      '2.4-pending-page-reconcile',
      '2.4-public-mode-reconcile',
      '2.4-public-unknown',
    ],
    '@daily the set of public pages',
  ),
  async ({ portal, page }) => {
    await portal.open('/under-construction');
    await expect(page.getByText('We werken aan het portaal'), '2.4-under-construction').toBeVisible();
    await portal.open('/fixture-open'); // the fixture declares this page public
    await expect(page.getByText('Dit mag iedereen zien.'), '2.4-public-mode').toBeVisible();
    await portal.open('/register');
    await expect(page.getByLabel('Gebruikersnaam')).toHaveCount(0);
    await portal.open('/pending-page');
    await page.reload();
    await expect(portal.heading(), '2.4-pending-page-reconcile').toHaveText('We hebben je aanvraag ontvangen');
    for (const path of ['/reactivation/a/b/c', '/thank-you/x', '/payment-cancelled/x', '/pending-page/x', '/verify']) {
      await page.goto(portal.url(path));
      await expect(page, `2.4-public-unknown: ${path}`).toHaveURL(portal.url('/'));
      await expect(portal.heading()).toHaveText('Inloggen');
    }
    await portal.open('/fixture?from=register'); // the word is not the first segment
    await expect(portal.heading()).toHaveText('Inloggen');
    await portal.signIn();
    await portal.open('/fixture-note/verify');
    await expect(page.getByTestId('id'), '2.4-public-mode-reconcile').toHaveText('verify');
  },
);

test(
  rows(['2.4-verify-page', '4-verify-state-mapping'], '@daily the states are loading, verified, already and unverified'),
  async ({ portal, page }) => {
    for (const [status, text] of [
      [200, 'Je e-mailadres is bevestigd'],
      [412, 'Dit e-mailadres was al bevestigd'],
      [410, 'We konden je e-mailadres niet bevestigen'],
      [500, 'We konden je e-mailadres niet bevestigen'],
    ] as const) {
      let answer: () => void = () => undefined;
      const asked = new Promise<string>((resolve) => {
        void page.route('**/emailverification/verify/**', async (route) => {
          resolve(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
          await new Promise<void>((go) => {
            answer = go;
          });
          await route.fulfill({ status, contentType: 'application/json', body: '{"verified":true,"purpose":"account.email"}' });
        });
      });
      await page.goto(portal.url('/verify/of/token-1'));
      expect(await asked).toBe('POST /api/v0/emailverification/verify/token-1');
      await expect(page.getByRole('status').getByText('we controleren de link'), '2.4-verify-page').toBeVisible();
      answer();
      await expect(portal.heading(), '4-verify-state-mapping').toHaveText(text);
      await expect(page.getByText('Vanaf nu gebruiken we dit adres')).toHaveCount(status === 200 ? 1 : 0);
      await page.unroute('**/emailverification/verify/**');
    }
    await portal.open('/verify/no-such-token'); // the response is from the server, not from a mock
    await expect(portal.heading()).toHaveText('We konden je e-mailadres niet bevestigen');
  },
);

test(
  rows(
    ['2.1-dashboard-service-tile', '2.1-dashboard-responsive', '2.5-menu-dashboard-mobile'],
    '@daily tiles on a desktop, an accordion on a phone',
  ),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/dashboard');
    await expect(
      page.getByRole('region', { name: 'Klantenservice' }).getByText('085 010 42 42'),
      '2.1-dashboard-service-tile',
    ).toBeVisible();
    await expect(page.locator('[data-tile]')).not.toHaveCount(0);
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Overzicht' }), '2.5-menu-dashboard-mobile').toHaveCount(
      0,
    );
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(page.locator('[data-tile]')).not.toHaveCount(0);
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Overzicht' })).toHaveCount(0);
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(page.locator('[data-tile]')).toHaveCount(0);
    await expect(
      page.getByRole('navigation').getByRole('link', { name: 'Overzicht' }),
      '2.5-menu-dashboard-mobile: at 767 px',
    ).toBeVisible();
    await page.setViewportSize(phone);
    const panel = page.getByRole('button', { name: /Klantenservice/ });
    await expect(panel, '2.1-dashboard-responsive').toHaveAttribute('aria-expanded', /true|false/);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 400))); // waits until the change of width, which closes menus, has been handled
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Notities' }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Overzicht' }).click();
    await expect(page).toHaveURL(portal.url('/dashboard'));
  },
);

test(
  rows(['2.5-account-menu', '2.5-footer-privacy'], '@daily account page and signing out; privacy in the footer'),
  async ({ portal, page, at }) => {
    await portal.signIn();
    await portal.open('/fixture');
    await page.getByRole('button', { name: /Je account/ }).click();
    await expect(page.getByRole('menuitem'), '2.5-account-menu').toHaveText(['Account', 'Uitloggen']);
    await portal.accessible({ otherWidth: false });
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await expect(page).toHaveURL(portal.url('/account'));
    const privacy = page.getByRole('contentinfo').getByRole('link', { name: /Privacy/ });
    await expect(privacy, '2.5-footer-privacy: a page of the label').toHaveAttribute('href', '/pages/privacy');
    let url: string | null = 'https://www.haardlicht.example/privacy-en-cookies';
    await page.route('**/*', async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const answer = await route.fetch({
        url: route.request().url().replace(portal.host, '127.0.0.1'),
        headers: { ...route.request().headers(), host: portal.host },
      });
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/"privacy_url":"[^"]*"/, `"privacy_url":${JSON.stringify(url)}`),
      });
    });
    await at(portal.host).open('/account');
    await expect(privacy, '2.5-footer-privacy').toHaveAttribute('href', url);
    await expect(privacy).toHaveAttribute('target', '_blank');
    url = null;
    await at(portal.host).open('/account');
    await expect(page.getByRole('contentinfo')).toBeVisible();
    await expect(privacy, '2.5-footer-privacy').toHaveCount(0);
  },
);

test(rows('2.5-menu-closes', '@daily on navigation and when the width changes, not the height'), async ({ portal, page }) => {
  await portal.signIn();
  await page.setViewportSize(phone);
  await portal.open('/fixture');
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu).toBeVisible();
  await portal.accessible({ otherWidth: false });
  await page.emulateMedia({ reducedMotion: 'no-preference' }); // from here on with animations
  await page.getByRole('link', { name: 'Formulier' }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(portal.url('/fixture-form'));
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu).toBeVisible();
  await page.setViewportSize({ ...phone, height: 600 });
  await page.evaluate(() => new Promise((done) => setTimeout(done, 400)));
  await expect(menu).toBeVisible();
  await page.setViewportSize({ ...phone, width: 400 });
  await expect(menu).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => new Promise((done) => setTimeout(done, 400))); // waits until that change has been handled
  await page.getByRole('button', { name: /Je account/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.setViewportSize({ width: 1200, height: 800 });
  await expect(page.getByRole('menu')).toBeHidden();
});

test(rows('9-width-keeps', '@daily typed text, focus and the page itself stay at each width'), async ({ portal, page }) => {
  await portal.signIn();
  await page.setViewportSize(phone);
  await portal.open('/contact');
  const message = page.getByLabel('Je bericht');
  await message.fill('Half een zin');
  await message.evaluate((field) => {
    for (const one of [
      field,
      document.querySelector('main'),
      document.querySelector('main h1'),
      document.querySelector('header'),
    ])
      one?.setAttribute('data-drawn-first', '');
    // a field that is hidden even for a moment loses focus: a page that waits for code is hidden until the code has loaded
    field.addEventListener('blur', () => field.setAttribute('data-lost', ''));
  });
  const bar = page.getByRole('navigation', { name: 'Ga naar' });
  const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });
  for (const width of [768, 1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(width < 768 ? bar : menu).toBeVisible();
    await expect(width < 768 ? menu : bar).toHaveCount(0);
    await expect(page.locator('[data-drawn-first]'), `9-width-keeps: ${width}`).toHaveCount(4);
    await expect(message, `9-width-keeps: ${width}`).toHaveValue('Half een zin');
    await expect(message, `9-width-keeps: ${width}`).toBeFocused();
    await expect(page.locator('[data-lost]'), `9-width-keeps: ${width}`).toHaveCount(0);
  }
});

test(
  rows('8-relation-load-failed', 'no menu and no content without the relation; staff are not affected'),
  async ({ portal, page, browser, at }) => {
    await portal.signIn(await portal.customer({ bare: true }));
    await portal.open('/fixture');
    await expect(portal.heading()).toHaveText('Je gegevens zijn niet beschikbaar');
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByTestId('greeting')).toHaveCount(0);
    await portal.accessible();

    const context = await browser.newContext({ locale: 'nl-NL' });
    const other = at(customers, await context.newPage());
    await other.signIn();
    let fail = true;
    await other.page.route('**/api/v0/relations', (route) =>
      fail
        ? route.fulfill({
            status: 500,
            contentType: 'application/problem+json',
            body: '{"status":500,"code":"internal","title":"x"}',
          })
        : route.fallback(),
    );
    await other.page.goto(other.url('/fixture'));
    await expect(other.heading()).toHaveText('Je gegevens zijn niet beschikbaar');
    await expect(other.page.getByRole('navigation'), '8-relation-load-failed').toHaveCount(0);
    await expect(other.page.getByTestId('greeting'), '8-relation-load-failed').toHaveCount(0);
    fail = false;
    await other.page.getByRole('button', { name: 'Probeer opnieuw' }).click();
    await expect(other.heading()).toHaveText('Notities');
    await context.close();

    const second = await browser.newContext({ locale: 'nl-NL' });
    const member = at(participants, await second.newPage());
    await member.signIn(await member.customer({ bare: true }));
    await member.open('/fixture');
    await expect(member.heading(), '8-relation-load-failed: a member').toHaveText('Je gegevens zijn niet beschikbaar');
    await expect(member.page.getByRole('navigation')).toHaveCount(0);
    await second.close();

    const third = await browser.newContext({ locale: 'nl-NL' });
    const staff = at(customers, await third.newPage());
    await staff.signIn(await staff.customer({ role: 'staff' }));
    await staff.open('/');
    await expect(staff.heading()).not.toHaveText('Je gegevens zijn niet beschikbaar');
    await third.close();
  },
);
