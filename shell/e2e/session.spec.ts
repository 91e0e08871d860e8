import { customers, expect, rows, test } from './harness';

const fill = async (page: import('@playwright/test').Page, username: string, password: string) => {
  await page.getByLabel('Gebruikersnaam').fill(username);
  await page.getByRole('textbox', { name: 'Wachtwoord', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Inloggen' }).click();
};

test(rows(['8-id-wrong-credentials', '8-id-empty-fields'], 'the input stays'), async ({ portal, page }) => {
  await portal.open('/');
  await page.getByRole('button', { name: 'Inloggen' }).click();
  await expect(page.getByRole('alert').getByText('Vul je gebruikersnaam in.'), '8-id-empty-fields').toBeVisible();
  await expect(page.getByRole('alert').getByText('Vul je wachtwoord in.')).toBeVisible();
  await fill(page, 'nobody.here', 'Wrong2026x');
  await expect(page.getByRole('alert'), '8-id-wrong-credentials').toContainText('gebruikersnaam of wachtwoord onjuist');
  await expect(page.getByLabel('Gebruikersnaam')).toHaveValue('nobody.here');
  await page.getByRole('button', { name: 'EN, English' }).click();
  await expect(page.getByRole('alert')).toContainText('username or password incorrect');
});

test(
  rows(['2.4-require-new-password', '5.5-new-password-mismatch'], '@daily a temporary password is replaced first'),
  async ({ portal, page }) => {
    const who = await portal.customer({ temporary: true });
    await portal.open('/fixture');
    await fill(page, who.username, who.password);
    await expect(portal.heading(), '2.4-require-new-password').toHaveText('Kies je eigen wachtwoord');
    await expect(portal.heading()).toBeFocused();
    await page.getByLabel('Nieuw wachtwoord').fill('Eigen-2026-wachtwoord');
    await page.getByLabel('Herhaal het nieuwe wachtwoord').fill('Anders');
    await expect(page.getByText('De wachtwoorden zijn niet gelijk.').first(), '5.5-new-password-mismatch').toBeVisible();
    await expect(page.getByRole('button', { name: 'Opslaan en inloggen' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByLabel('Herhaal het nieuwe wachtwoord').fill('Eigen-2026-wachtwoord');
    await page.getByRole('button', { name: 'Opslaan en inloggen' }).click();
    await expect(portal.heading()).toHaveText('Notities');
  },
);

test(
  rows('2.4-forgot-password', '@daily requests a code, then sends it with a new password'),
  async ({ portal, page, request }) => {
    const who = await portal.customer();
    await portal.open('/');
    await page.getByLabel('Gebruikersnaam').fill(who.username);
    await page.getByRole('button', { name: 'Wachtwoord vergeten?' }).click();
    await expect(portal.heading()).toBeFocused();
    await expect(page.getByLabel('Gebruikersnaam')).toHaveValue(who.username);
    await page.getByRole('button', { name: 'Stuur code' }).click();
    await expect(portal.heading()).toHaveText('Kies een nieuw wachtwoord');
    await portal.accessible();
    let code: string | undefined;
    await expect(async () => {
      const mail = await request.get(`http://127.0.0.1:${portal.server.port}/dev/mailbox`, {
        headers: { Host: 'localhost', Accept: 'application/json' },
      });
      const text = await mail.text();
      const at = text.indexOf(who.username);
      expect(at).toBeGreaterThan(-1);
      code = /\b(\d{6})\b/.exec(text.slice(text.indexOf(`${who.username}@`)))?.[1];
      expect(code).toBeTruthy();
    }).toPass();
    await page.getByLabel('Code uit de e-mail').fill(code ?? '');
    await page.getByLabel('Nieuw wachtwoord').fill('Nieuw-2026-wachtwoord');
    await page.getByLabel('Herhaal het nieuwe wachtwoord').fill('Nieuw-2026-wachtwoord');
    await page.getByRole('button', { name: 'Wachtwoord wijzigen' }).click();
    await expect(page.getByText('Je wachtwoord is gewijzigd.')).toBeVisible();
    await fill(page, who.username, 'Nieuw-2026-wachtwoord');
    await expect(page).toHaveURL(portal.url('/dashboard'));
  },
);

test(
  rows(['2.5-logout-reset', '7.7-sign-out-effect'], '@daily no data of the last user remains in the tab'),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture-form');
    await page.getByLabel('Concept').fill('mijn geheim');
    await page.getByRole('button', { name: /Je account/ }).click();
    await page.evaluate(() => {
      (window as { sameDocument?: boolean }).sameDocument = true;
    });
    await page.getByRole('menuitem', { name: 'Uitloggen' }).click();
    await expect(portal.heading()).toHaveText('Inloggen');
    await expect(page).toHaveURL(portal.url('/'));
    expect(await page.evaluate(() => (window as { sameDocument?: boolean }).sameDocument)).toBeUndefined();
    expect(
      await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])),
      '2.5-logout-reset',
    ).not.toContain('geheim');
    expect(await page.context().cookies(portal.url('/api/v0/auth/refresh')), '7.7-sign-out-effect').toEqual([]);
    const next = await portal.customer();
    await fill(page, next.username, next.password);
    await page.waitForURL('**/dashboard');
    await portal.open('/fixture-form');
    await expect(page.getByLabel('Concept')).toHaveValue('');
    const away = 'https://weg.example/tot-ziens';
    await page.route(away, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Tot ziens</h1>' }));
    await page.route(portal.url('/fixture-form'), async (route) => {
      const response = await route.fetch({
        url: route.request().url().replace(portal.host, '127.0.0.1'),
        headers: { ...route.request().headers(), host: portal.host },
      });
      const text = await response.text();
      await route.fulfill({ response, body: text.replace(/"logout_url":(null|"[^"]*")/, `"logout_url":"${away}"`) });
    });
    await portal.open('/fixture-form');
    await page.getByRole('button', { name: /Je account/ }).click();
    await page.getByRole('menuitem', { name: 'Uitloggen' }).click();
    await expect(page, '7.7-sign-out-effect: the address of the label').toHaveURL(away);
    expect(await page.context().cookies(portal.url('/api/v0/auth/refresh'))).toEqual([]);
  },
);

test(
  rows(['face-refresh', '7-bearer-token', '7-branding-header'], 'a 401 refreshes once and repeats the call; no input is lost'),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture');
    await page.getByRole('textbox', { name: 'Blijft staan' }).fill('half');
    let refused = 0;
    let refreshes = 0;
    page.on('request', (r) => {
      if (r.url().endsWith('/auth/refresh')) refreshes++;
      if (r.url().includes('/api/v0/')) expect(r.headers()['x-portal-branding'], '7-branding-header').toBe(customers);
    });
    await page.route('**/api/v0/fixture/notes', (route) => {
      expect(route.request().headers().authorization, '7-bearer-token').toMatch(/^Bearer ey/);
      if (refused++ > 0) return route.fallback();
      return route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: '{"status":401,"code":"unauthorized","title":"x"}',
      });
    });
    const repeated = page.waitForResponse((r) => r.url().endsWith('/fixture/notes') && r.status() === 200);
    await page.getByRole('button', { name: 'refetch' }).click();
    await repeated;
    expect(refreshes).toBe(1);
    await expect(page.getByRole('textbox', { name: 'Blijft staan' }), 'face-refresh').toHaveValue('half');
    await expect(page.getByTestId('notes')).toBeAttached();
  },
);

test(
  rows(['8-id-session-expired', '7-bearer-invalid'], 'a session that cannot be refreshed leads to sign-in, with a text'),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/fixture');
    await page.context().clearCookies();
    await page.route('**/api/v0/fixture/notes', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: '{"status":401,"code":"unauthorized","title":"x"}',
      }),
    );
    await page.getByRole('button', { name: 'refetch' }).click();
    await expect(portal.heading(), '7-bearer-invalid').toHaveText('Inloggen');
    await expect(page.getByText('Je sessie is verlopen. Log opnieuw in.'), '8-id-session-expired').toBeVisible();
    await expect(page).toHaveURL(portal.url('/fixture'));
  },
);

test(
  rows('face-two-tabs', 'two tabs refresh at the same time and stay signed in; signing out reaches the other'),
  async ({ portal, page, at }) => {
    await portal.signIn();
    const second = await page.context().newPage();
    const other = at(customers, second);
    await Promise.all([portal.open('/fixture'), other.open('/fixture')]);
    for (let i = 0; i < 3; i++) await Promise.all([portal.open('/fixture'), other.open('/fixture')]);
    await expect(portal.heading()).toHaveText('Notities');
    await expect(other.heading()).toHaveText('Notities');
    await page.getByRole('button', { name: /Je account/ }).click();
    await page.getByRole('menuitem', { name: 'Uitloggen' }).click();
    await expect(portal.heading()).toHaveText('Inloggen');
    await expect(other.heading()).toHaveText('Inloggen');
  },
);

test(
  rows('6-impersonator-banner', '@daily on every signed-in screen, with the name of the customer'),
  async ({ portal, page }) => {
    const who = await portal.customer({ impersonator: true });
    await page.goto(portal.url(`/#impersonate=${who.impersonation_code}`));
    for (const path of ['Notities', 'Formulier', 'Lange lijst']) {
      await page.getByRole('navigation').getByRole('link', { name: path }).click();
      await expect(portal.heading()).toHaveText(path);
      await expect(page.getByText(`Je kijkt mee als ${who.name}.`)).toBeVisible();
    }
    expect(page.url()).not.toContain('impersonate');
    expect(await page.context().cookies(portal.url('/api/v0/auth/refresh'))).toEqual([]);
    await page.getByRole('link', { name: 'Notities' }).click();
    await page.getByRole('button', { name: 'Notitie wijzigen' }).click();
    await page.getByLabel('Tekst').fill('x');
    await expect(page.getByText('Je kijkt alleen mee en kunt niets wijzigen.')).toBeVisible();
  },
);

test(
  rows(['1-developer-mode', '1-developer-mode-token-reconcile'], 'the stored token is the Bearer and sign-in is skipped'),
  async ({ portal, page }) => {
    const who = await portal.customer();
    const { body } = await portal.post<{ id_token: string }>('/auth/sign-in', { username: who.username, password: who.password });
    await page.addInitScript(
      ([token]) => {
        localStorage.setItem('developer_mode', 'true');
        localStorage.setItem('access_token', token ?? '');
      },
      [body.id_token],
    );
    const asked = page.waitForRequest('**/api/v0/fixture/notes');
    await portal.open('/fixture');
    await expect(portal.heading(), '1-developer-mode').toHaveText('Notities');
    expect((await asked).headers().authorization, '1-developer-mode-token-reconcile').toBe(`Bearer ${body.id_token}`);
  },
);
