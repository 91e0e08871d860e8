import type { Remote } from '@wattle/sdk';
import { yieldTask } from './yield-task';

// The container protocol of webpack's module federation with native import(), without a third-party runtime.
declare const __webpack_init_sharing__: (scope: string) => Promise<void>;
declare const __webpack_share_scopes__: { default: unknown };
interface Container {
  init(scope: unknown): Promise<void> | void;
  get(expose: string): Promise<() => unknown>;
}

export type Import = (url: string) => Promise<unknown>;
const native: Import = (url) => import(/* webpackIgnore: true */ url);
const loadTimeout = 4000;

/** Shared packages that the shell itself does not import: a host only provides packages in its own module graph. */
const kits = [
  () => import('@wattle/sdk'),
  () => import('@wattle/ui'),
  () => import('@wattle/ui/forms'),
  () => import('@wattle/ui/dates'),
  () => import('@wattle/ui/table'),
  () => import('@wattle/ui/phone'),
  () => import('@wattle/ui/iban'),
  () => import('@wattle/ui/format'),
  () => import('@wattle/ui/html'),
  () => import('@wattle/charts'),
  () => import('@wattle/charts/spark'),
  () => import('@wattle/charts/recharts'),
];

/** Loads each remote once, by its entry. A failure is cached until `forget`. */
export class Remotes {
  readonly kits = kits;
  readonly #entries: ReadonlyMap<string, string>;
  readonly #load: Import;
  readonly #contracts: readonly number[];
  readonly #loaded = new Map<string, Promise<Remote>>();
  #attempt = 0;

  /** @param contract - the version of the portal, which also renders remotes of the previous version (docs/contract.md) */
  constructor(list: readonly { key: string; entry: string }[], load: Import = native, contract = 1) {
    this.#entries = new Map(list.map((r) => [r.key, r.entry]));
    this.#load = load;
    this.#contracts = [contract, contract - 1].filter((version) => version > 0);
  }

  /**
   * Returns the remote with its code. A first failure is retried immediately with a new URL, because browsers may cache a failed
   * module.
   * @throws when two attempts of 4 s each have failed, or the remote has another contract version
   */
  get(key: string): Promise<Remote> {
    let remote = this.#loaded.get(key);
    if (!remote) {
      remote = this.#open(key);
      remote.catch(() => undefined); // callers that await the remote get the error
      this.#loaded.set(key, remote);
    }
    return remote;
  }

  /** Lets the next `get` retry after a failure. */
  async forget(key: string): Promise<void> {
    const last = this.#loaded.get(key);
    await last?.catch(() => {
      this.#attempt++;
      if (this.#loaded.get(key) === last) this.#loaded.delete(key);
    });
  }

  async #open(key: string): Promise<Remote> {
    const entry = this.#entries.get(key);
    if (!entry) throw new Error(`no remote ${key}`);
    const url = new URL(entry, document.baseURI);
    if (this.#attempt > 0) url.searchParams.set('attempt', String(this.#attempt));
    const container = await withTimeout(this.#load(url.href), key).catch(() => {
      this.#attempt++;
      url.searchParams.set('attempt', String(this.#attempt));
      return withTimeout(this.#load(url.href), key);
    });
    await yieldTask();
    if (!isContainer(container)) throw new Error(`${key}: not a remote`);
    await __webpack_init_sharing__('default');
    await container.init(__webpack_share_scopes__.default);
    const module = (await withTimeout(container.get('./remote'), key))() as { default?: Remote };
    const remote = module.default;
    if (remote?.key !== key || !this.#contracts.includes(remote.contract))
      throw new Error(`${key}: not a remote of contract ${this.#contracts.join(' or ')}, but ${remote?.contract}`);
    return remote;
  }
}

const isContainer = (c: unknown): c is Container =>
  typeof (c as Container | null)?.init === 'function' && typeof (c as Container | null)?.get === 'function';

function withTimeout<T>(work: Promise<T>, key: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${key}: no response in ${loadTimeout} ms`)), loadTimeout);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
