import { customers, expect, participants, rows, test } from './harness';
import { apiOf, member, offer, order, ownerSpec } from './marketplace-world';

test('staff have their own landing page and menu, and no pages of customers', async ({ portal, page }) => {
  await portal.signIn(await portal.customer({ role: 'staff' }));
  await page.goto(portal.url('/'));
  await expect(page).toHaveURL(/\/staff$/);
  const menu = page.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link');
  await menu.first().waitFor();
  for (const to of await menu.evaluateAll((all) => all.map((a) => new URL((a as HTMLAnchorElement).href).pathname)))
    expect(to).toMatch(/^\/staff(\/|$)/);
  await page.getByRole('button', { name: /^Je account/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Uitloggen']);
  await page.keyboard.press('Escape');
  for (const path of ['/account', '/invoices', '/dashboard', '/home', '/periodical-payments/update/1', '/nothing']) {
    await page.goto(portal.url(path));
    await expect(page, path).toHaveURL(/\/staff$/);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await portal.open('/staff');
  await page.getByRole('button', { name: 'Menu' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByRole('link').first()).toBeVisible();
  for (const to of await sheet
    .getByRole('link')
    .evaluateAll((all) => all.map((a) => new URL((a as HTMLAnchorElement).href).pathname)))
    expect(to).toMatch(/^\/staff(\/|$)/);
});

test('customers see no pages of staff', async ({ portal, page }) => {
  await portal.signIn();
  await page.goto(portal.url('/staff'));
  await expect(page).not.toHaveURL(/\/staff/);
  await expect(portal.heading()).toBeVisible();
  await expect(page.locator('a[href^="/staff"]')).toHaveCount(0);
});

test('an impersonation link works once; the second time it shows its own text', async ({ portal, page }) => {
  const who = await portal.customer({ impersonator: true });
  const link = portal.url(`/#impersonate=${who.impersonation_code}`);
  await page.goto(link);
  await expect(page.getByText(`Je kijkt mee als ${who.name}.`)).toBeVisible();
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByText('Deze link om mee te kijken werkt niet meer.')).toBeVisible();
  await expect(portal.heading()).toHaveText('Inloggen');
  await expect(page.getByText(/controleer de e-mail/i)).toHaveCount(0);
});

test(
  rows('4-impersonator-referrer', 'an impersonator from another referrer is signed out and reads why'),
  async ({ portal, at, page }) => {
    const who = await portal.customer({ impersonator: true });
    const elsewhere = at(participants);
    await page.goto(elsewhere.url('/'));
    await page.evaluate(
      (to) => {
        const a = document.createElement('a');
        a.href = to;
        document.body.append(a);
        a.click();
      },
      portal.url(`/#impersonate=${who.impersonation_code}`),
    );
    await expect(page).toHaveURL(new RegExp(customers));
    await expect(page.getByText('Je bent uitgelogd: je kwam niet van een supportprogramma dat dit portaal kent.')).toBeVisible();
    await expect(portal.heading()).toHaveText('Inloggen');
    await expect(page.getByText('Je kijkt mee als')).toHaveCount(0);
    await page.reload();
    await expect(portal.heading()).toHaveText('Inloggen'); // and no redirect follows
    await portal.accessible();
  },
);

test(
  rows(
    '6-impersonator-all-edits-reconcile',
    'on every page and in every form, controls that write are visible, disabled, and explain why',
  ),
  async ({ at, page }) => {
    const portal = at(participants);
    const seller = await member(portal, ownerSpec([offer(1, 10, 49)]));
    const who = await member(portal, {
      ...ownerSpec([offer(1, 5, 40)]),
      sample: true,
      impersonator: true,
    });
    await order(portal, who, seller, 2);
    const mine = await apiOf(portal, who);
    const [open] = await mine<{ deal_identifier: string }[]>('GET', '/sustainable/orders');
    expect(open).toBeDefined();

    const written: string[] = [];
    const reads = /\/(sustainable\/market|auth\/|downloads)/;
    page.on('request', (r) => {
      const { pathname } = new URL(r.url());
      if (pathname.startsWith('/api/') && r.method() !== 'GET' && !reads.test(pathname))
        written.push(`${r.method()} ${pathname}`);
    });
    await portal.open(`/account#impersonate=${who.impersonation_code}`);
    const screens: [path: string, controls: RegExp][] = [
      ['/account#account.contact-info', /wijzigen\. |^Betalen/],
      ['/contact', /^Versturen/],
      ['/iban', /^Opslaan/],
      ['/usage', /^Nieuwste gegevens ophalen|^Toestemming geven/],
      ['/offers', /^In winkelmand/],
      ['/my-offers', /^Intrekken/],
      ['/my-offers/create-offer', /^Aanbod plaatsen/],
      ['/my-orders', /^Annuleren|^Betalen/],
      ['/personal-offers/redeem-offer', /inwisselen$/i],
      ['/participation', /^Verkopen|^Overdragen|^Verhuizen/],
      ['/participation/move-shares', /^Delen verhuizen/],
    ];
    for (const [path, controls] of screens) {
      await portal.go(path);
      await expect(page.getByText(/Je kijkt mee als/)).toBeVisible();
      if (path === '/usage') await page.getByRole('button', { name: 'Historische meetgegevens', expanded: false }).click();
      const place = path.split('/').length > 2 ? page.getByRole('dialog') : page.getByRole('main');
      const buttons = place.getByRole('button', { name: controls });
      await expect(buttons.first(), path).toBeVisible();
      for (const button of await buttons.all()) {
        const name = `${path}: ${await button.textContent()}`;
        await expect(button, name).toHaveAttribute('aria-disabled', 'true');
        await expect(button, name).toHaveAccessibleDescription(/Je kijkt alleen mee/);
        await button.click({ force: true });
      }
    }
    expect(written).toEqual([]);
  },
);
