import { type Customer, customers, expect, type Portal, participants, rows, test } from './harness';

interface Session {
  id_token: string;
}
/** Decides a customer's pending change as staff. */
async function decide(portal: Portal, who: Customer, state: 'PROCESSED' | 'REJECTED') {
  const staff = await portal.customer({ role: 'staff' });
  const { id_token } = (await portal.post<Session>('/auth/sign-in', { username: staff.username, password: staff.password })).body;
  const headers = { Host: `${portal.host}:${portal.server.port}`, Authorization: `Bearer ${id_token}` };
  const api = `http://127.0.0.1:${portal.server.port}/api/v0/staff/changes`;
  let id: string | undefined;
  await expect(async () => {
    const answer = await portal.page.request.get(`${api}?state=PENDING`, { headers });
    const { items } = (await answer.json()) as { items: { id: string; relation: string }[] };
    id = items.find((c) => c.relation === who.relation_id)?.id;
    expect(id).toBeDefined();
  }).toPass();
  const answer = await portal.page.request.post(`${api}/${id}/decision`, {
    headers,
    data: { state, reason: 'Telefonisch bevestigd' },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Returns the path of the button in the newest email to an address. */
async function mailLink(portal: Portal, to: string): Promise<string> {
  let path: string | undefined;
  await expect(async () => {
    const answer = await portal.page.request.get(`http://127.0.0.1:${portal.server.port}/dev/mailbox/`, {
      headers: { Host: `${portal.host}:${portal.server.port}`, Accept: 'application/json' },
    });
    const mails = (await answer.json()) as { mail: { to: string; button?: { path: string } } }[];
    path = mails.find((m) => m.mail.to === to)?.mail.button?.path;
    expect(path).toBeDefined();
  }).toPass();
  return path ?? '';
}

const overlays = [
  ['change-email-address', 'E-mailadres wijzigen', 'Nieuw e-mailadres', '2.3-overlay-change-email'],
  ['change-phonenumber', 'Telefoonnummer wijzigen', 'Nieuw telefoonnummer', '2.3-overlay-change-phone'],
  ['change-account-password', 'Wachtwoord wijzigen', 'Huidig wachtwoord', '2.3-overlay-change-password'],
  ['change-username', 'Gebruikersnaam wijzigen', 'Nieuwe gebruikersnaam', '5.5-username-form'],
] as const;

test(
  rows(
    [
      '2.1-account-change-routes',
      '2.3-overlay-change-email',
      '2.3-overlay-change-phone',
      '2.3-overlay-change-password',
      '5.5-username-form',
    ],
    'each change form opens above the account page and above any other',
  ),
  async ({ portal, page }) => {
    await portal.signIn();
    for (const [name, title, field, row] of overlays)
      for (const [view, below] of [
        ['account', 'Mijn gegevens'],
        ['contact', 'Contact'],
      ]) {
        await page.goto(portal.url(`/${view}/${name}`));
        const sheet = page.getByRole('dialog', { name: title });
        await expect(sheet.getByLabel(field, { exact: true }), row).toBeVisible();
        await expect(page.locator('h1'), '2.1-account-change-routes').toHaveText(below ?? '');
        await page.keyboard.press('Escape');
        await expect(sheet).toHaveCount(0);
        await expect(page).toHaveURL(new RegExp(`/${view}$`));
      }
  },
);

test(
  rows(
    ['4-pending-personal', '4-pending-processed', '7.1-refetch-after-save'],
    '@daily a phone number, from the request to the change',
  ),
  async ({ portal, page }) => {
    const who = await portal.signIn();
    await portal.open('/account');
    await page.getByRole('button', { name: 'Telefoonnummer wijzigen' }).click();
    const sheet = page.getByRole('dialog', { name: 'Telefoonnummer wijzigen' });
    const save = sheet.getByRole('button', { name: 'Opslaan' });
    await expect(save).toHaveAttribute('aria-disabled', 'true');
    await sheet.getByLabel('Nieuw telefoonnummer').fill('06-8765 4321');
    await save.click();
    await expect(sheet).toHaveCount(0);
    const fact = page.locator('main dl > div', { hasText: 'Telefoonnummer' });
    await expect(fact).toContainText('0612345678');
    await expect(fact, '7.1-refetch-after-save').toContainText('wordt gewijzigd in 0687654321');
    await expect(fact.getByRole('button'), '4-pending-personal').toHaveCount(0);
    await decide(portal, who, 'PROCESSED');
    await page.reload();
    await expect(fact.locator('dd').first(), '4-pending-processed').toHaveText('0687654321');
    await expect(fact.getByRole('button', { name: 'Telefoonnummer wijzigen' })).toBeVisible();
  },
);

test(
  rows(['7.1-email-change-confirm', '4-pending-processed'], 'the link in the mail activates the new address'),
  async ({ portal, page }) => {
    const who = await portal.signIn();
    const address = `nieuw-${who.username}@voorbeeld.example`;
    await page.goto(portal.url('/account/change-email-address'));
    const sheet = page.getByRole('dialog', { name: 'E-mailadres wijzigen' });
    await sheet.getByLabel('Nieuw e-mailadres').fill(address);
    await sheet.getByRole('button', { name: 'Opslaan' }).click();
    const fact = page.locator('main dl > div', { hasText: 'E-mailadres' });
    await expect(fact, '7.1-email-change-confirm').toContainText(`wordt gewijzigd in ${address}`);
    await portal.open(await mailLink(portal, address));
    await expect(page.getByRole('heading', { name: /bevestigd/i })).toBeVisible();
    await expect(async () => {
      await portal.open('/account');
      await expect(fact.locator('dd').first(), '4-pending-processed').toHaveText(address, { timeout: 5_000 });
    }).toPass();
  },
);

test(
  rows(
    ['2.1-account-addresses-rows', '6-sustainable-skip-addresses', '2.1-company-section'],
    'three in a row; not in a label without them',
  ),
  async ({ at, page }) => {
    for (const [host, shown] of [
      [customers, true],
      [participants, false],
    ] as const) {
      const portal = at(host);
      const who = (await portal.post<Customer>('/dev/customers', { addresses: 4, company: true })).body;
      await portal.signIn(who);
      await portal.open('/account#account.addresses');
      await expect(page.getByRole('region', { name: 'Bedrijf' }), '2.1-company-section').toContainText(
        /87\s1600\s0000\s0000\s0017/,
      );
      const list = page.getByRole('region', { name: 'Leveringsadressen' }).getByRole('listitem');
      await expect(list, '6-sustainable-skip-addresses').toHaveCount(shown ? 4 : 0);
      await portal.accessible();
      if (!shown) continue;
      const [a, b, c, d] = await Promise.all([0, 1, 2, 3].map((i) => list.nth(i).boundingBox()));
      expect([b?.y, c?.y], '2.1-account-addresses-rows').toEqual([a?.y, a?.y]);
      expect(d?.y).toBeGreaterThan(a?.y ?? Number.POSITIVE_INFINITY);
    }
  },
);

test(
  rows(['2.1-contact-info', '2.1-contact-form-subjects', '2.1-contact-form-fields'], '@daily a message to customer service'),
  async ({ portal, page }) => {
    await portal.signIn();
    await portal.open('/contact');
    await expect(page.getByRole('region', { name: 'Klantenservice' }), '2.1-contact-info').toContainText('085 010 42 42');
    await page.getByRole('button', { name: 'Versturen' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await portal.accessible();
    await expect(page.getByLabel('Onderwerp').locator('option:not([value=""])'), '2.1-contact-form-subjects').toHaveCount(6);
    await page.getByLabel('Onderwerp').selectOption('Verhuizen');
    await page.getByLabel('Je bericht').fill('Ik ga verhuizen en heb een vraag.');
    await page.getByRole('button', { name: 'Versturen' }).click();
    await expect(page.getByText('Je bericht is verstuurd'), '2.1-contact-form-fields').toBeVisible();
    await expect(page.getByLabel('Je bericht')).toHaveValue('');
  },
);

test(rows('6-impersonator-contact-edits', 'an impersonator cannot edit'), async ({ portal, page }) => {
  const who = await portal.customer({ impersonator: true });
  await portal.open(`/account#impersonate=${who.impersonation_code}`);
  await page.getByRole('button', { name: /^Wachtwoord\b(?! wijzigen)/ }).click();
  const buttons = page.getByRole('button', { name: /wijzigen\. / });
  await expect(buttons).toHaveCount(4);
  for (const button of await buttons.all()) await expect(button).toHaveAttribute('aria-disabled', 'true');
  await portal.accessible();
});
