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
  /** Value of {{debtor}} in records; {{id}} is the relation id. */
  debtor_number: string;
  id: string;
  /** Values of {{ean 1}} to {{ean 4}}. */
  ean_codes?: string[];
  /** The imported records with {{…}} replaced, ordered by kind. */
  records?: DemoRecord[];
  impersonation_code?: string;
}
/**
 * A record for `wattle import`. Its strings may contain {{debtor}}, {{id}}, {{ean 1}}, {{day -30}}, {{month -1}}, {{year 0}}, {{at
 * -2 "14:30"}}.
 */
export interface DemoRecord {
  kind: string;
  data: Record<string, unknown>;
}
export interface CustomerSpec {
  role?: 'customer' | 'staff' | 'impersonator';
  temporary?: boolean;
  impersonator?: boolean;
  bare?: boolean;
  pending?: boolean;
  company?: boolean;
  addresses?: number;
  /**
   * Creates the data of a household: two agreements, invoices of two years with files, two smart meters with a year of hourly
   * values, and 40 shares of a new project.
   */
  sample?: boolean;
  /** Records of modules about the customer, sorted so that dependencies come first; imported after the customer's relation. */
  records?: DemoRecord[];
  /** Connections in the records that get generated hourly values, from the given number of days ago until yesterday. */
  households?: { ean_code: string; commodity: 'ELECTRICITY' | 'GAS'; yearly: number; solar_kwp?: number; from_days: number }[];
  /** Names in the file store, such as `invoices/{{id}}.pdf`; each gets a small PDF. */
  files?: string[];
  /** Calls made as the customer, in this order; the default method is PUT. */
  calls?: {
    method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
    module: string;
    path: string;
    body?: Record<string, unknown>;
    /**
     * Values to keep from the response, by name and path (`{ order: 'order.deal_identifier' }`), for {{kept "order"}} in later
     * calls.
     */
    keep?: Record<string, string>;
  }[];
}

/** Returns the axe violations on the current page: WCAG 2.2 A and AA. */
export async function axe(page: Page): Promise<string[]> {
  // loading content is pale, and has its final contrast a moment later
  const still = () =>
    !document.querySelector('[aria-busy="true"]') &&
    document
      .getAnimations()
      .every((a) => a.playState !== 'running' || a.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY);
  // a journey may check a page that is still loading
  await page.waitForFunction(still, undefined, { timeout: 5000 }).catch(() => undefined);
  // legacy mode does not open a separate page for frames, and there are none
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // passed checks are not described, which would take a third of the time
    .options({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
    .analyze();
  const found = await Promise.all(violations.map((v) => (v.id === 'target-size' ? smallInTheMiddle(page, v) : v)));
  return found
    .filter((v) => v.nodes.length > 0)
    .map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`).join(', ')}`);
}

/**
 * Ignores controls that are large enough in the middle of the window: after scrolling, some are partly below the header or the
 * phone bar.
 */
async function smallInTheMiddle(page: Page, violation: Violation): Promise<Violation> {
  const nodes = [];
  const at = await page.evaluate(() => scrollY);
  for (const node of violation.nodes) {
    const target = String(node.target[0]);
    await page.locator(target).evaluate((e) => e.scrollIntoView({ block: 'center' }));
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().include(target).withRules('target-size').analyze();
    if (violations.length > 0) nodes.push(node);
  }
  await page.evaluate((y) => scrollTo(0, y), at);
  return { ...violation, nodes };
}
type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number];

/** The portal at a host, in a browser context. */
export class Portal {
  constructor(
    readonly page: Page,
    readonly server: Server,
    readonly host: string,
  ) {}

  url(path: string): string {
    return this.server.origin(this.host) + path;
  }
  /** Calls the API at this host. */
  async post<T>(path: string, data: unknown): Promise<{ body: T }> {
    return { body: (await this.server.call(this.host, 'POST', path, data)).body as T };
  }
  async customer(wanted: CustomerSpec = {}): Promise<Customer> {
    return (await this.post<Customer>('/dev/customers', wanted)).body;
  }
  /** Signs in through the API; the browser gets the same cookie as from the form. */
  signIn(customer?: Customer, context: BrowserContext = this.page.context()): Promise<Customer> {
    return this.server.signIn(this.host, context, customer);
  }
  /** Opens a path and waits for its heading. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.url(path));
    await this.heading().waitFor();
  }
  /** Navigates within the document: a new document would end an impersonation. */
  async go(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    }, path);
  }
  /** Navigates within the page and waits for the heading: for visiting many pages, this takes a third of the time of `open`. */
  async visit(path: string): Promise<void> {
    if (this.page.url() === this.url(path)) return;
    await this.heading().evaluateAll((all) => all.map((h1) => h1.setAttribute('data-of-previous-page', '')));
    await this.go(path);
    await this.page.locator('h1:not([data-of-previous-page])').waitFor();
  }
  heading() {
    return this.page.locator('h1');
  }
  /**
   * Checks the page with axe (WCAG 2.2 A and AA) at its current width. `make a11y` (A11Y=all) also checks the other width, except
   * while something is open that closes when the width changes.
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

/** Labels with the fixture module: one of participants, one of customers. */
export const participants = '1024.localhost';
export const customers = '1042.localhost';
export const migrated = { live: '1000-live.localhost', test: '1000.localhost' };
export const phone = { width: 390, height: 844 };
/** A desktop at 400% zoom (WCAG 1.4.10). */
export const narrow = { width: 320, height: 844 };
export const desktop = { width: 1280, height: 800 };

interface Fixtures {
  portal: Portal;
  /** Returns the portal of another host in the same browser. */
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
