import { ProblemError, problemOf, type Transport } from '@wattle/sdk/host';
import { yieldTask } from './yield-task';

export interface SessionInfo {
  id: string;
  account: string;
  label: string;
  role: 'customer' | 'staff';
  name: string;
  preferred_name?: string;
  username: string;
  relation?: string;
  impersonator?: { name: string; until: string };
}
interface Signed {
  id_token: string;
  expires_in: number;
  session: SessionInfo;
}
/** A required step before there is a session: choose a password, or enter a code from a message or an app. */
export interface Challenge {
  challenge: 'NEW_PASSWORD_REQUIRED' | 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA';
  session: string;
  /** Masked address to which a code was sent. */
  destination?: string;
}

export interface SessionOptions {
  /** Destination of sign-out when the label has none. */
  logoutUrl: string;
  locale(): string;
  /** Awaited after a sign-in on this page, before the session starts. */
  signedIn?(token: string): Promise<void>;
  /** Loads a new document, because only that resets module-level state. */
  leave?(url: string): void;
  now?(): number;
}

const api = '/api/v0';
const keys = { ended: 'wattle:session-ended', out: 'wattle:signing-out', developer: 'developer_mode', token: 'access_token' };
/** Maximum time that a tab waits for a response about its session, or for another tab that is waiting for one, in milliseconds. */
const maxWait = 15_000;

/**
 * The session of this tab. The id token is only in memory; only the server's cookie outlives the tab. Tabs share the cookie: they
 * refresh one after another under a Web Lock, and a sign-out in one tab reaches the others (face-two-tabs). When another person
 * signs in in one tab, the other tabs leave their page, so that nobody continues what another person began
 * (7.7-refresh-same-person).
 */
export class Session implements Transport {
  #token: string | undefined;
  #info: SessionInfo | null = null;
  #own = false; // the token does not come from the cookie but from developer mode or impersonation, and cannot be refreshed
  #refreshing: Promise<boolean> | undefined;
  #leaving = false;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #kept = new Set<() => void>();
  readonly #channel = new BroadcastChannel('wattle:session');
  readonly #o: SessionOptions;

  constructor(o: SessionOptions) {
    this.#o = o;
    this.#channel.onmessage = ({ data }) => {
      if (this.#own) return;
      if (data === 'signed-out') this.#info && this.#leave(this.#o.logoutUrl);
      else if (this.#isOther(data)) this.#leave();
    };
  }

  readonly subscribe = (on: () => void): (() => void) => {
    this.#listeners.add(on);
    return () => this.#listeners.delete(on);
  };
  readonly get = (): SessionInfo | null => this.#info;

  /** Registers a function that clears customer data when the session ends: queries and drafts. */
  onEnd(clear: () => void): void {
    this.#kept.add(clear);
  }

  /**
   * Finds the session at start: with a code from the support tool, the developer's token (1-developer-mode,
   * 1-developer-mode-token-reconcile; in a demo only: 1-developer-mode-guard), or the cookie.
   */
  async start(o: { demo: boolean; describe(token: string): Promise<SessionInfo | null | undefined> }): Promise<void> {
    const code = /^#impersonate=(.+)$/.exec(location.hash)?.[1];
    if (code) {
      history.replaceState(history.state, '', location.pathname + location.search);
      // only the server checks the referrer, once (4-impersonator-referrer-value)
      await this.#take('/auth/impersonate', { code: decodeURIComponent(code), referrer: document.referrer }, true);
      return;
    }
    const token = o.demo && localStorage.getItem(keys.developer) === 'true' ? localStorage.getItem(keys.token) : null;
    if (token) {
      const info = await o.describe(token).catch(() => null);
      if (info) {
        this.#own = true;
        this.#set(token, info);
        return;
      }
    }
    await this.refresh();
    // removes values that modules stored for an earlier session, if the browser was killed: wattle:of:<session>:
    for (const k of Object.keys(localStorage))
      if (k.startsWith('wattle:of:') && k.split(':')[2] !== this.#info?.id) localStorage.removeItem(k);
  }

  /** Returns once, in the next document, why the previous session ended without a sign-out: the code of the text to show. */
  takeEndReason(): 'session_expired' | 'impersonation_ended' | undefined {
    const was = sessionStorage.getItem(keys.ended);
    sessionStorage.removeItem(keys.ended);
    if (was === null) return undefined;
    return was === 'impersonation' ? 'impersonation_ended' : 'session_expired';
  }

  /** @returns the challenge, if the password is temporary (2.4-require-new-password) or a code is required (4-sign-in-code) */
  async signIn(username: string, password: string): Promise<Challenge | undefined> {
    return this.#take('/auth/sign-in', { username: username.trim().toLowerCase(), password });
  }
  /** @returns the next challenge, if any */
  async newPassword(challenge: string, password: string): Promise<Challenge | undefined> {
    return this.#take('/auth/new-password', { session: challenge, new_password: password });
  }
  /** @returns the next challenge, if any */
  async signInCode(challenge: string, code: string): Promise<Challenge | undefined> {
    return this.#take('/auth/sign-in-code', { session: challenge, code });
  }
  async forgotPassword(username: string): Promise<void> {
    await this.#post('/auth/forgot-password', { username: username.trim().toLowerCase() });
  }
  async confirmForgotPassword(username: string, code: string, password: string): Promise<void> {
    await this.#post('/auth/confirm-forgot-password', {
      username: username.trim().toLowerCase(),
      code: code.trim(),
      new_password: password,
    });
  }

  /** Gets a new id token with the cookie: one request at a time in a tab, and one tab at a time. */
  refresh(): Promise<boolean> {
    if (this.#own) return Promise.resolve(false);
    this.#refreshing ??= withLock(() => this.#renew()).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #renew(): Promise<boolean> {
    if (localStorage.getItem(keys.out)) {
      await this.#end();
      return false;
    }
    const answer = await this.#send('/auth/refresh', { method: 'POST', signal: AbortSignal.timeout(maxWait) });
    if (answer.status === 200) {
      const s = (await answer.json()) as Signed;
      if (!this.#isOther(s.session)) {
        this.#set(s.id_token, s.session);
        return true;
      }
      this.#leave();
    }
    if (answer.status === 409) this.#leave(); // session_mismatch
    if (answer.status >= 500 || answer.status === 429) throw await problemOf(answer);
    return false;
  }

  /** Returns whether a session belongs to another person than this tab's session. */
  #isOther(s: SessionInfo): boolean {
    const i = this.#info;
    return i !== null && (i.account !== s.account || i.label !== s.label || i.relation !== s.relation);
  }

  /**
   * Calls the API. A 401 refreshes the session once and repeats the call; a second 401 ends the session (face-refresh). The promise
   * never settles when the page is being left, because a new document is loading.
   */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    await yieldTask();
    const used = this.#token;
    const answer = await this.#send(path, init);
    if (answer.status !== 401 || used === undefined) return answer;
    if (this.#token !== used || (await this.refresh())) {
      const again = await this.#send(path, init);
      if (again.status !== 401) return again;
    }
    if (!this.#leaving) sessionStorage.setItem(keys.ended, this.#info?.impersonator ? 'impersonation' : '1');
    this.#leave();
    return new Promise(() => undefined);
  }

  /**
   * 7.7-sign-out-effect, 2.5-logout-reset. An impersonation also ends on the server (7.7-impersonation-end), a developer's token
   * does not.
   */
  async signOut(): Promise<never> {
    this.#abort.abort();
    if (!this.#own || this.#info?.impersonator) await this.#end();
    if (!this.#own) this.#channel.postMessage('signed-out');
    this.#leave(this.#o.logoutUrl);
    return new Promise(() => undefined);
  }

  /**
   * Ends the session on the server. Scripts cannot delete its cookie, so a mark is stored until the server has responded: while it
   * is there, no tab continues the session, and a tab that starts tries again (7.7-sign-out-unanswered).
   */
  async #end(): Promise<void> {
    if (!this.#own) localStorage.setItem(keys.out, '1');
    const answer = await fetch(`${api}/auth/sign-out`, {
      method: 'POST',
      headers: this.#headers(),
      keepalive: true,
      signal: AbortSignal.timeout(maxWait),
    }).catch(() => undefined);
    if (answer?.ok && !this.#own) localStorage.removeItem(keys.out);
  }

  #leave(url = location.pathname + location.search): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#abort.abort();
    for (const clear of this.#kept) clear();
    localStorage.removeItem(keys.developer);
    localStorage.removeItem(keys.token);
    (this.#o.leave ?? ((u) => location.replace(u)))(url);
  }

  #set(token: string, info: SessionInfo): void {
    this.#token = token;
    this.#info = info;
    for (const on of this.#listeners) on();
  }

  async #take(path: string, body: unknown, own = false): Promise<Challenge | undefined> {
    const s = (await (await this.#post(path, body)).json()) as Signed | Challenge;
    if ('challenge' in s) return s;
    if (!own) {
      localStorage.removeItem(keys.out);
      this.#channel.postMessage(s.session);
      await this.#o.signedIn?.(s.id_token);
    }
    this.#own = own;
    this.#set(s.id_token, s.session);
    return undefined;
  }

  async #post(path: string, body: unknown): Promise<Response> {
    let answer: Response;
    try {
      answer = await this.#send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    } catch {
      throw new ProblemError({ status: 0, code: 'network', title: 'no answer' });
    }
    if (!answer.ok) throw await problemOf(answer);
    return answer;
  }

  #headers(): Record<string, string> {
    return {
      'X-PORTAL-BRANDING': location.hostname, // 7-branding-header
      'Accept-Language': this.#o.locale(),
      ...(this.#token ? { Authorization: `Bearer ${this.#token}` } : {}), // 7-bearer-token
    };
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    const signal = init.signal ? AbortSignal.any([init.signal, this.#abort.signal]) : this.#abort.signal;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...this.#headers() };
    return fetch(api + path, { ...init, headers, signal, credentials: 'same-origin' });
  }
}

/**
 * Runs work in one tab at a time. A tab that hangs, or that the browser has frozen, delays the others by at most maxWait: like
 * browsers without Web Locks, they then rely on the server's grace period of 30 s.
 */
async function withLock<T>(work: () => Promise<T>): Promise<T> {
  let result: Promise<T> | undefined;
  const signal = AbortSignal.timeout(maxWait);
  await navigator.locks?.request('wattle:refresh', { signal }, () => (result = work())).catch(() => undefined);
  return result ?? work();
}
