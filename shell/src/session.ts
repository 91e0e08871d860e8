import { ProblemError, problemOf, type Transport } from '@wattle/sdk/host';
import { turn } from './turn';

export interface SessionInfo {
  id: string;
  role: 'customer' | 'staff';
  name: string;
  username: string;
  relation?: string;
  impersonator?: { name: string; until: string };
}
interface Signed {
  id_token: string;
  expires_in: number;
  session: SessionInfo;
}
/** A required step before there is a session: choose a password, or enter a code that was sent or that an app shows. */
export interface Challenge {
  challenge: 'NEW_PASSWORD_REQUIRED' | 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA';
  session: string;
  /** Masked address that a code was sent to. */
  destination?: string;
}

export interface SessionOptions {
  /** Destination of sign-out when the label has none. */
  logoutUrl: string;
  locale(): string;
  /** Is awaited after a sign-in on this page, before the session is there. */
  signedIn?(token: string): Promise<void>;
  /** Loads a new document: only that resets module-level state. */
  leave?(url: string): void;
  now?(): number;
}

const api = '/api/v0';
const keys = { ended: 'wattle:session-ended', developer: 'developer_mode', token: 'access_token' };

/**
 * The session of this tab. The id token is in memory only; only the server's cookie outlives the tab. Tabs share the cookie: they
 * refresh one after another under a Web Lock, and a sign-out in one tab reaches the others (face-two-tabs).
 */
export class Session implements Transport {
  #token: string | undefined;
  #info: SessionInfo | null = null;
  #own = false; // the token does not come from the cookie: developer mode or impersonation, which cannot be refreshed
  #refreshing: Promise<boolean> | undefined;
  #leaving = false;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #kept = new Set<() => void>();
  readonly #channel = new BroadcastChannel('wattle:session');
  readonly #o: SessionOptions;

  constructor(o: SessionOptions) {
    this.#o = o;
    this.#channel.onmessage = (m) => {
      if (m.data === 'signed-out' && this.#info && !this.#own) this.#leave(this.#o.logoutUrl);
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
   * Finds the session at start: a code from the support tool, the developer's token (1-developer-mode,
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
  }

  /** Returns once, in the next document, why the previous session ended without a sign-out: the code of the text. */
  takeEndReason(): 'session_expired' | 'impersonation_ended' | undefined {
    const was = sessionStorage.getItem(keys.ended);
    sessionStorage.removeItem(keys.ended);
    if (was === null) return undefined;
    return was === 'impersonation' ? 'impersonation_ended' : 'session_expired';
  }

  /** @returns the challenge, when the password is temporary (2.4-require-new-password) or a code is required (4-sign-in-code) */
  async signIn(username: string, password: string): Promise<Challenge | undefined> {
    return this.#take('/auth/sign-in', { username: username.trim().toLowerCase(), password });
  }
  /** @returns the next challenge */
  async newPassword(challenge: string, password: string): Promise<Challenge | undefined> {
    return this.#take('/auth/new-password', { session: challenge, new_password: password });
  }
  /** @returns the next challenge */
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
    this.#refreshing ??= withLock(async () => {
      const answer = await this.#send('/auth/refresh', { method: 'POST' });
      if (answer.status === 200) {
        const s = (await answer.json()) as Signed;
        this.#set(s.id_token, s.session);
        return true;
      }
      if (answer.status >= 500 || answer.status === 429) throw await problemOf(answer);
      return false;
    }).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Calls the API. A 401 refreshes the session once and repeats the call; a second 401 ends the session (face-refresh). */
  async fetch(path: string, init: RequestInit): Promise<Response> {
    await turn();
    const used = this.#token;
    const answer = await this.#send(path, init);
    if (answer.status !== 401 || used === undefined) return answer;
    if (this.#token !== used || (await this.refresh())) {
      const again = await this.#send(path, init);
      if (again.status !== 401) return again;
    }
    sessionStorage.setItem(keys.ended, this.#info?.impersonator ? 'impersonation' : '1');
    this.#leave(location.pathname + location.search);
    return new Promise(() => undefined); // a new document is loading
  }

  /**
   * 7.7-sign-out-effect, 2.5-logout-reset. An impersonation ends on the server too (7.7-impersonation-end), a developer's token does not.
   */
  async signOut(): Promise<never> {
    this.#abort.abort();
    if (!this.#own || this.#info?.impersonator) {
      // after a failed request the tab is signed out all the same, and the session expires on the server
      await fetch(`${api}/auth/sign-out`, { method: 'POST', headers: this.#headers(), keepalive: true }).catch(() => undefined);
    }
    if (!this.#own) this.#channel.postMessage('signed-out');
    this.#leave(this.#o.logoutUrl);
    return new Promise(() => undefined);
  }

  #leave(url: string): void {
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
    if (!own) await this.#o.signedIn?.(s.id_token);
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

/** Runs work in one tab at a time. Browsers without Web Locks rely on the server's grace period of 30 s. */
function withLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request('wattle:refresh', work) as Promise<T>) : work();
}
