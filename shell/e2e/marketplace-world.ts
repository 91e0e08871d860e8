import type { BrowserContext, Page } from '@playwright/test';
import { type Customer, type CustomerSpec, type DemoRecord, expect, Portal, phone } from './harness';

export const home = {
  street_name: 'Molenweg',
  house_number: '12',
  house_postfix: 'A',
  postal_code: '9861GT',
  city: 'Grootegast',
};
export const beach = {
  street_name: 'Strandweg',
  house_number: '3',
  house_postfix: '',
  postal_code: '9976VS',
  city: 'Lauwersoog',
};

/** A new project for the created customer, without offers from others. */
export const project = (more: Record<string, unknown> = {}): DemoRecord => ({
  kind: 'project',
  data: {
    project_code: 'W-{{id}}',
    project_name: 'Windpark {{id}}',
    project_type: 'WIND',
    place: 'Uithuizen',
    project_ean_number: '',
    project_start_date: '2016-05-01',
    project_end_date: '2036-04-30',
    unit_of_measurement: 'KWH',
    energy_supplier: 'Stroomgilde',
    statutes_location: 'https://polderwiek.example/statuten.pdf',
    member_agreement_location: 'https://polderwiek.example/ledenovereenkomst.pdf',
    report: false,
    member_offer_settings: [{ from_date: '2020-01-01', min_price: 25, max_price: 60, allow_selling: true }],
    administration_costs: [{ from_date: '2020-01-01', amount: 12.5 }],
    ...more,
  },
});
export const participation = (n: number, share: number, address: object = home): DemoRecord => ({
  kind: 'participation',
  data: {
    debtor_number: '{{debtor}}',
    participation_identifier: `P${n}-{{id}}`,
    provider_identifier: '',
    project_code: 'W-{{id}}',
    share,
    supplier: 'Stroomgilde',
    ean: '',
    address,
  },
});
export const offer = (n: number, shares: number, price: number, more: Record<string, unknown> = {}): DemoRecord => ({
  kind: 'market_offer',
  data: {
    identifier: `A${n}-{{id}}`,
    reference: `A${n}-{{id}}`,
    debtor_number: '{{debtor}}',
    participation_identifier: 'P1-{{id}}',
    project_code: 'W-{{id}}',
    offer_publication_type: 'PUBLIC',
    status: 'ACTIVE',
    date: '{{day -5}}',
    price_per_share: price,
    shares,
    created: '{{day -8}}',
    ...more,
  },
});
/** A current electricity agreement, which a customer needs to receive shares (5.7-transfer-contract). */
export const contract: DemoRecord = {
  kind: 'agreement',
  data: {
    debtor_number: '{{debtor}}',
    agreement_id: 'uuid-{{id}}',
    agreement_identifier: '{{id}}',
    agreement_identifier_with_sequence: '{{id}}-1',
    name: 'Zeker groen',
    company_name: '',
    product_category: 'ENERGY',
    status: 'ACTIVE',
    period: { from: '{{month -10}}', to: '' },
    addresses: [
      {
        address_type: 'SHIPPING',
        street: 'Molenweg',
        house_number: '12',
        house_number_extension: 'A',
        zip_code: '9861GT',
        city: 'Grootegast',
        connections: [{ ean_code: '{{ean 1}}', commodity: 'ELECTRICITY' }],
      },
    ],
    tariff_sheets: [],
    price_agreements: [],
    products: [],
  },
};
/** A customer with 40 shares of a new project, of which `offers` are for sale. */
export const ownerSpec = (offers: readonly DemoRecord[] = [], more: Partial<CustomerSpec> = {}): CustomerSpec => ({
  records: [project(), participation(1, 40), ...offers],
  ...more,
});

export type Member = Customer & { email: string };
export const member = async (portal: Portal, wanted: CustomerSpec = {}): Promise<Member> =>
  (await portal.customer(wanted)) as Member;
/** Creates a customer and signs in, in the portal's browser or in the given one. */
export async function signedIn(portal: Portal, wanted: CustomerSpec = {}, context?: BrowserContext): Promise<Member> {
  const who = await member(portal, wanted);
  await portal.signIn(who, context);
  return who;
}
/** Returns a function that calls the API as a customer. */
export async function apiOf(portal: Portal, who: Customer) {
  const { body } = await portal.post<{ id_token: string }>('/auth/sign-in', { username: who.username, password: who.password });
  const headers = { Host: `${portal.host}:${portal.server.port}`, Authorization: `Bearer ${body.id_token}` };
  return async <T = unknown>(method: 'GET' | 'POST', path: string, data?: object): Promise<T> => {
    const answer = await portal.page.request.fetch(`http://127.0.0.1:${portal.server.port}/api/v0${path}`, {
      method,
      headers,
      ...(data ? { data } : {}),
    });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return (answer.status() === 204 ? undefined : await answer.json()) as T;
  };
}
/** Decides all pending requests of a member as staff. */
export async function decide(
  portal: Portal,
  who: Customer,
  state: 'PROCESSED' | 'REJECTED' = 'PROCESSED',
  reason = '',
): Promise<void> {
  const call = await apiOf(portal, await portal.customer({ role: 'staff' }));
  let own: { id: string; relation: string }[] = [];
  await expect(async () => {
    // a new request appears in the queue after a short delay
    const { items } = await call<{ items: typeof own }>('GET', `/staff/changes?state=PENDING&q=${who.relation_id}`);
    own = items.filter((c) => c.relation === who.relation_id);
    expect(own.length).toBeGreaterThan(0);
  }).toPass();
  for (const { id } of own) await call('POST', `/staff/changes/${id}/decision`, { state, reason });
}
/** Orders shares of an offer through the API. */
export async function order(portal: Portal, who: Customer, seller: Customer, shares: number, n = 1): Promise<void> {
  const call = await apiOf(portal, who);
  const { content } = await call<{ content: { identifier: string; reference: string }[] }>(
    'POST',
    '/sustainable/market?size=50',
    {
      filters: { project_code: `W-${seller.id}` },
    },
  );
  const found = content.find((o) => o.reference === `A${n}-${seller.id}`);
  await call('POST', '/sustainable/basket', {
    offer: { identifier: found?.identifier, reference: found?.reference, project_code: `W-${seller.id}`, shares, address: home },
  });
  const { first_valid_start_date: start } = await call<{ first_valid_start_date: string }>('GET', '/sustainable/basket');
  const { status } = await call<{ status: string }>('POST', '/sustainable/basket/order', {
    waiveWithdrawalPeriod: true,
    start_date: start,
  });
  expect(status).toBe('SUCCESS');
}
/** Returns the text of the newest email to an address whose subject matches. */
export async function newestMail(portal: Portal, to: string, about: RegExp): Promise<string> {
  let text = '';
  await expect(async () => {
    const answer = await portal.page.request.get(`http://127.0.0.1:${portal.server.port}/dev/mailbox/`, {
      headers: { Host: `${portal.host}:${portal.server.port}`, Accept: 'application/json' },
    });
    const mails = (await answer.json()) as { mail: { to: string; subject: string } }[];
    const found = mails.find((m) => m.mail.to === to && about.test(m.mail.subject));
    expect(found).toBeDefined();
    text = JSON.stringify(found);
  }).toPass();
  return text;
}

/** Presses Pay on the orders page, and chooses the outcome of the payment in the new tab. */
export async function pay(page: Page, what: 'Betalen' | 'Annuleren' = 'Betalen'): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Betalen/ })
    .click();
  const tab = await opened;
  await expect(tab.getByText('Proefbetaling: er gaat geen geld om')).toBeVisible();
  await tab.getByRole('button', { name: what, exact: true }).click();
  return tab;
}
/** On the checkout page: checks every checkbox and places the order. */
export async function checkOut(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox');
  await expect(boxes.first()).toBeVisible();
  for (let n = 0; n < (await boxes.count()); n++) await boxes.nth(n).check();
  await page.getByRole('button', { name: 'Bestellen en betalen' }).click();
}
export const basket = (page: Page) => page.getByRole('button', { name: /^Winkelmand/ });
/** On the offers page: filters by a seller's project. */
export async function filterByProject(page: Page, seller: Customer): Promise<void> {
  const options = page.getByRole('combobox', { name: 'Project', exact: true }).locator('option');
  await expect(options.filter({ hasText: seller.id })).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Project', exact: true }).selectOption(`W-${seller.id}`);
}
export const card = (page: Page, seller: Customer) => page.getByRole('main').getByRole('region', { name: new RegExp(seller.id) });
export const line = (page: Page, text: string | RegExp) => page.getByRole('main').getByRole('row').filter({ hasText: text });
/** Checks the page with axe, and that it does not scroll horizontally on a phone. */
export async function accessible(portal: Portal): Promise<void> {
  await portal.accessible();
  const size = portal.page.viewportSize();
  await portal.page.setViewportSize(phone);
  // the page adapts a moment after the width has changed
  await expect.poll(() => portal.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
  if (size) await portal.page.setViewportSize(size);
}
/** Returns the same portal in a new browser context with a signed-in customer. */
export async function browserOf(portal: Portal, wanted: CustomerSpec = {}): Promise<Portal & { who: Member }> {
  const browser = portal.page.context().browser();
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext({ locale: 'nl-NL', timezoneId: 'America/New_York' });
  const own = new Portal(await context.newPage(), portal.server, portal.host);
  return Object.assign(own, { who: await signedIn(own, wanted) });
}
