import AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { type Server, serve } from '../../tools/server.mjs';
import { labels, plugins } from './setup';

export { rows } from './row';
export { expect };

export interface Customer {
  username: string;
  password: string;
  name: string;
  relation_id: string;
  /** {{debtor}} and {{id}} of its records. */
  debtor_number: string;
  id: string;
  /** {{ean 1}} to {{ean 4}}. */
  ean_codes?: string[];
  /** As they were imported, without {{…}}; in order of their kinds. */
  records?: DemoRecord[];
  impersonation_code?: string;
}
/**
 * A record as `wattle import` takes it; texts may hold {{debtor}}, {{id}}, {{ean 1}}, {{day -30}}, {{month -1}}, {{year 0}}, {{at -2
 * "14:30"}}.
 */
export interface DemoRecord {
  kind: string;
  data: Record<string, unknown>;
}
export interface Wanted {
  role?: 'customer' | 'staff' | 'impersonator';
  temporary?: boolean;
  impersonator?: boolean;
  bare?: boolean;
  pending?: boolean;
  company?: boolean;
  addresses?: number;
  /**
   * What a household has: two agreements, invoices of two years with files, two smart meters with a year of hours, 40 shares of a project
   * of its own.
   */
  sample?: boolean;
  /** What modules know of the customer, imported after its relation; kinds that others lean on come first by themselves. */
  records?: DemoRecord[];
  /** Connections (of records) whose hours are made up, from so many days ago until yesterday. */
  households?: { ean_code: string; commodity: 'ELECTRICITY' | 'GAS'; yearly: number; solar_kwp?: number; from_days: number }[];
  /** Names in the file store, such as `invoices/{{id}}.pdf`: a small PDF each. */
  files?: string[];
  /** What the customer has done already: calls of operations as the customer, in this order; PUT when nothing is said. */
  calls?: {
    method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
    module: string;
    path: string;
    body?: Record<string, unknown>;
    /** Values of the answer, by name and path (`{ order: 'order.deal_identifier' }`), for {{kept "order"}} in the calls that follow. */
    keep?: Record<string, string>;
  }[];
}

/** What axe finds on the page as it is: WCAG 2.2 A and AA. */
export async function axe(page: Page): Promise<string[]> {
  // legacy: without a page of its own for the frames, of which there are none
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // what passes is not described: that takes a third of the time
    .options({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
    .analyze();
  return violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`).join(', ')}`);
}

/** A portal of one host in one browser context. */
export class Portal {
  constructor(
    readonly page: Page,
    readonly server: Server,
    readonly host: string,
  ) {}

  url(path: string): string {
    return this.server.origin(this.host) + path;
  }
  /** Calls the API as this host. */
  async post<T>(path: string, data: unknown): Promise<{ body: T }> {
    return { body: (await this.server.call(this.host, 'POST', path, data)).body as T };
  }
  async customer(wanted: Wanted = {}): Promise<Customer> {
    return (await this.post<Customer>('/dev/customers', wanted)).body;
  }
  /** Signs in over the API; the browser gets the cookie that it would have got. */
  signIn(customer?: Customer, context: BrowserContext = this.page.context()): Promise<Customer> {
    return this.server.signIn(this.host, context, customer);
  }
  /** Opens a path and waits until its heading is there. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.url(path));
    await this.heading().waitFor();
  }
  /** Goes to a path within the page: a new document would end an impersonation. */
  async go(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    }, path);
  }
  /** Goes to another path within the page and waits until its heading is there: for walks over many pages, a third of the time of open. */
  async visit(path: string): Promise<void> {
    if (this.page.url() === this.url(path)) return;
    await this.heading().evaluateAll((all) => all.map((h1) => h1.setAttribute('data-of-former-page', '')));
    await this.go(path);
    await this.page.locator('h1:not([data-of-former-page])').waitFor();
  }
  heading() {
    return this.page.locator('h1');
  }
  /**
   * axe: WCAG 2.2 A and AA, at the width that the page has; `make a11y` (A11Y=all) looks at the other width as well, but not where
   * something is open that closes when the width changes.
   */
  async accessible({ otherWidth = true } = {}): Promise<void> {
    await this.#axe();
    const size = this.page.viewportSize();
    if (process.env.A11Y !== 'all' || !size || !otherWidth) return;
    await this.page.setViewportSize(size.width > phone.width ? phone : desktop);
    await this.#axe();
    await this.page.setViewportSize(size);
  }
  async #axe(): Promise<void> {
    expect(await axe(this.page)).toEqual([]);
  }
}

/** Labels with the fixture: a participants' and a customers' one. */
export const participants = '1024.localhost';
export const customers = '1042.localhost';
export const migrated = { live: '1000-live.localhost', test: '1000.localhost' };
export const phone = { width: 390, height: 844 };
/** A desktop at 400% (WCAG 1.4.10). */
export const narrow = { width: 320, height: 844 };
export const desktop = { width: 1280, height: 800 };

interface Fixtures {
  portal: Portal;
  /** A portal of another host in the same browser. */
  at(host: string, page?: Page): Portal;
}

export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const server = await serve({ labels, args: ['--plugins', plugins] });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  at: async ({ page, server }, use) => {
    await use((host, other = page) => new Portal(other, server, host));
  },
  portal: async ({ at }, use) => {
    await use(at(customers));
  },
});
