import { customers, expect, participants, rows, test } from './harness';

test(
  rows(['1-audiences', '6-customer-edits'], '@daily a customer, a member and support staff each get their own portal'),
  async ({ portal, page, at, browser }) => {
    // a customer of a supplier lands on the dashboard and edits contact details
    await portal.signIn();
    await page.goto(portal.url('/'));
    await expect(page).toHaveURL(portal.url('/dashboard'));
    await page.goto(portal.url('/account/change-phonenumber'));
    await page.getByLabel('Nieuw telefoonnummer').fill('06 87654321');
    await page.getByRole('button', { name: 'Opslaan' }).click();
    await expect(page.getByText(/Wordt gewijzigd in/i), '6-customer-edits').toContainText('0687654321');

    // a member of a cooperative lands on the account page of another brand
    const context = await browser.newContext();
    const member = at(participants, await context.newPage());
    await member.signIn(undefined, context);
    await member.page.goto(member.url('/'));
    await expect(member.page).toHaveURL(member.url('/account'));
    expect(await member.page.title()).not.toBe(await page.title());
    await context.close();

    // support staff impersonate a customer
    const who = await portal.customer({ impersonator: true });
    const support = await browser.newContext();
    const looking = at(customers, await support.newPage());
    await looking.page.goto(looking.url(`/#impersonate=${who.impersonation_code}`));
    await looking.page
      .getByRole('button', { name: /account/i })
      .first()
      .waitFor();
    await expect(looking.page.getByText(`Je kijkt mee als ${who.name}.`), '1-audiences').toBeVisible();
    await support.close();
  },
);

test(
  rows(
    '1-developer-mode-guard',
    '@daily the server checks a stored token like any other; tokens of outsiders, forged and foreign ones are refused',
  ),
  async ({ portal, page, at }) => {
    const foreign = at(participants);
    const stranger = await foreign.customer();
    const { body } = await foreign.post<{ id_token: string }>('/auth/sign-in', {
      username: stranger.username,
      password: stranger.password,
    });
    for (const token of ['forged', `${body.id_token.slice(0, -8)}AAAAAAAA`, body.id_token]) {
      await page.goto(portal.url('/'));
      await page.evaluate((stored) => {
        localStorage.setItem('developer_mode', 'true');
        localStorage.setItem('access_token', stored);
      }, token);
      await portal.open('/account');
      await expect(portal.heading()).toHaveText('Inloggen');
    }
  },
);
