import { row } from '@wattle/sdk/vitest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Session } from './session';

const info = { id: 'a1', role: 'customer' as const, name: 'J. de Vries', username: 'jdv' };
const signed = (token: string) => Response.json({ id_token: token, expires_in: 600, session: info });
const refused = () => Response.json({ status: 401, code: 'unauthorized', title: 'x' }, { status: 401 });

class Channel {
  static all = new Set<Channel>();
  onmessage: ((m: { data: unknown }) => void) | null = null;
  constructor() {
    Channel.all.add(this);
  }
  postMessage(data: unknown) {
    for (const c of Channel.all) if (c !== this) c.onmessage?.({ data });
  }
}

let calls: { path: string; token: string | null; headers: Headers; body: unknown }[];
let answer: (path: string, token: string | null) => Response | Promise<Response>;
const left: string[] = [];
const session = () => new Session({ logoutUrl: '/bye', locale: () => 'nl', leave: (u) => left.push(u) });

beforeEach(() => {
  calls = [];
  left.length = 0;
  Channel.all.clear();
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.signal?.aborted) throw new DOMException('aborted', 'AbortError');
    const headers = new Headers(init.headers);
    const path = url.replace('/api/v0', '');
    const token = headers.get('authorization');
    calls.push({ path, token, headers, body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined });
    return answer(path, token);
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('session', () => {
  row('10-version-canary-page', 'a session from the form is there only after what signedIn awaits', async () => {
    const asked: unknown[] = [];
    const s: Session = new Session({
      logoutUrl: '/bye',
      locale: () => 'nl',
      signedIn: async (token) => {
        asked.push(token, s.get());
      },
    });
    answer = (path) => (path === '/auth/refresh' ? signed('two') : signed('one'));
    await s.signIn('jdv', 'x');
    expect(asked).toEqual(['one', null]);
    expect(s.get()).toEqual(info);
    await s.refresh();
    expect(asked).toHaveLength(2);
  });
  row(
    ['face-refresh', '5.10-sign-in-normalise', '7-bearer-token', '7-branding-header'],
    'a 401 refreshes once for all calls that wait',
    async () => {
      const s = session();
      answer = () => signed('one');
      await s.signIn(' JDV ', 'x');
      expect(calls[0]?.body).toEqual({ username: 'jdv', password: 'x' });
      let refreshes = 0;
      answer = async (path, token) => {
        if (path === '/auth/refresh') {
          refreshes++;
          return signed('two');
        }
        if (token === 'Bearer two') return Response.json({ ok: true });
        await vi.waitUntil(() => calls.length > 3); // the sign-in and all three calls were sent
        return refused();
      };
      const answers = await Promise.all([s.fetch('/a', {}), s.fetch('/b', {}), s.fetch('/c', {})]);
      expect(answers.map((a) => a.status)).toEqual([200, 200, 200]);
      expect(refreshes).toBe(1);
      for (const c of calls) expect(c.headers.get('x-portal-branding')).toBe(location.hostname);
      const asked = calls.filter((c) => !c.path.startsWith('/auth/')).map((c) => `${c.path} ${c.token}`);
      expect(asked.slice(0, 3).sort()).toEqual(['/a Bearer one', '/b Bearer one', '/c Bearer one']);
      expect(asked.slice(3).sort()).toEqual(['/a Bearer two', '/b Bearer two', '/c Bearer two']);
    },
  );

  row('7-bearer-invalid', 'a refresh that fails ends the session', async () => {
    const s = session();
    answer = () => signed('one');
    await s.signIn('jdv', 'x');
    const cleared = vi.fn();
    s.onEnd(cleared);
    answer = refused;
    void s.fetch('/a', {});
    await vi.waitFor(() => expect(left).toEqual(['/']));
    expect(cleared).toHaveBeenCalled();
    expect(session().takeEndReason()).toBe('session_expired');
    expect(session().takeEndReason()).toBeUndefined();
  });

  row(
    '9-unavailable-kept',
    'a server that is away ends no session: the call says so and works when it is sent again',
    async () => {
      const s = session();
      answer = () => signed('one');
      await s.signIn('jdv', 'x');
      const cleared = vi.fn();
      s.onEnd(cleared);
      const away = () =>
        Response.json({ status: 503, code: 'unavailable', title: 'x' }, { status: 503, headers: { 'retry-after': '5' } });
      answer = (path) => (path === '/auth/refresh' ? away() : refused());
      await expect(s.fetch('/a', { method: 'PUT', body: '"typed"' })).rejects.toMatchObject({ status: 503, code: 'unavailable' });
      answer = away;
      expect((await s.fetch('/a', { method: 'PUT', body: '"typed"' })).status).toBe(503);
      expect(left).toEqual([]);
      expect(cleared).not.toHaveBeenCalled();
      expect(s.get()).toEqual(info);
      answer = (path, token) =>
        path === '/auth/refresh' ? signed('two') : token === 'Bearer two' ? Response.json({ ok: true }) : refused();
      expect((await s.fetch('/a', { method: 'PUT', body: '"typed"' })).status).toBe(200);
      expect(calls.at(-1)?.body).toBe('typed');
    },
  );

  row(['7.7-sign-out-effect', 'face-two-tabs'], 'aborts, clears, notifies the other tabs, and loads a new document', async () => {
    const [a, b] = [session(), session()];
    answer = () => signed('one');
    await a.signIn('jdv', 'x');
    await b.refresh();
    const cleared = vi.fn();
    a.onEnd(cleared);
    b.onEnd(cleared);
    answer = () => new Response(null, { status: 204 });
    void a.signOut();
    await vi.waitFor(() => expect(left).toEqual(['/bye', '/bye']));
    expect(calls.at(-1)).toMatchObject({ path: '/auth/sign-out', token: 'Bearer one' });
    expect(cleared).toHaveBeenCalledTimes(2);
    await expect(a.fetch('/a', {})).rejects.toThrow();
  });

  row('7.7-impersonation-end', 'signing out notifies the server, and no other tab', async () => {
    const impersonator = { name: 'Sam Staf', until: '2026-11-20T10:30:00Z' };
    const [tab, other] = [session(), session()];
    answer = () => signed('own');
    await other.refresh();
    history.replaceState(null, '', '/#impersonate=c1');
    answer = () => Response.json({ id_token: 'look', expires_in: 1800, session: { ...info, impersonator } });
    await tab.start({ demo: false, describe: async () => null });
    answer = () => new Response(null, { status: 204 });
    void tab.signOut();
    await vi.waitFor(() => expect(left).toEqual(['/bye']));
    expect(calls.at(-1)).toMatchObject({ path: '/auth/sign-out', token: 'Bearer look' });
    expect(other.get()).toEqual(info);
  });

  row('2.4-require-new-password', 'a challenge does not start a session', async () => {
    const s = session();
    answer = () => Response.json({ challenge: 'NEW_PASSWORD_REQUIRED', session: 'opaque' });
    expect(await s.signIn('jdv', 'x')).toEqual({ challenge: 'NEW_PASSWORD_REQUIRED', session: 'opaque' });
    expect(s.get()).toBeNull();
    answer = () => signed('one');
    await s.newPassword('opaque', 'New2026password');
    expect(calls.at(-1)?.body).toEqual({ session: 'opaque', new_password: 'New2026password' });
    expect(s.get()).toEqual(info);
  });

  row(
    ['1-developer-mode', '1-developer-mode-token-reconcile'],
    'the stored token itself is the Bearer, in a demo only',
    async () => {
      localStorage.setItem('developer_mode', 'true');
      localStorage.setItem('access_token', 'stored');
      answer = (path) => (path === '/auth/refresh' ? refused() : Response.json({}));
      const s = session();
      await s.start({ demo: true, describe: async (t) => (t === 'stored' ? info : null) });
      await s.fetch('/a', {});
      expect(calls.map((c) => [c.path, c.token])).toEqual([['/a', 'Bearer stored']]);
      const live = session();
      await live.start({ demo: false, describe: async () => info });
      expect(live.get()).toBeNull();
    },
  );

  row(
    ['4-impersonator-referrer', '4-impersonator-referrer-value'],
    'said once, at the start; refused, nobody is signed in, and it says why',
    async () => {
      history.replaceState(null, '', '/#impersonate=c1');
      Object.defineProperty(document, 'referrer', { value: 'https://evil.example/', configurable: true });
      answer = () => Response.json({ status: 403, code: 'impersonation_referrer', title: 'Forbidden' }, { status: 403 });
      const s = session();
      await expect(s.start({ demo: false, describe: async () => null })).rejects.toMatchObject({
        code: 'impersonation_referrer',
      });
      expect(calls.map((c) => [c.path, c.body])).toEqual([
        ['/auth/impersonate', { code: 'c1', referrer: 'https://evil.example/' }],
      ]); // and not the cookie of another user of this browser
      expect(s.get()).toBeNull();
      expect(location.hash).toBe('');
      Reflect.deleteProperty(document, 'referrer');
    },
  );

  test('an impersonation code is read from the fragment, which is removed', async () => {
    history.replaceState(null, '', '/account?x=1#impersonate=c%2F1');
    answer = () => signed('look');
    const s = session();
    await s.start({ demo: true, describe: async () => null });
    expect(calls.map((c) => [c.path, c.body])).toEqual([['/auth/impersonate', { code: 'c/1', referrer: document.referrer }]]);
    expect(location.href).toMatch(/\/account\?x=1$/);
    expect(await s.refresh()).toBe(false);
    history.replaceState(null, '', '/');
  });
});
