import { row } from '@wattle/sdk/vitest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Session } from './session';

const info = {
  id: 's1',
  account: 'a1',
  label: '1024',
  role: 'customer' as const,
  name: 'J. de Vries',
  username: 'jdv',
  relation: 'r1',
};
const signed = (token: string, more = {}) => Response.json({ id_token: token, expires_in: 600, session: { ...info, ...more } });
const ok = () => new Response(null, { status: 204 });
const away = () => Response.json({ status: 503, code: 'unavailable', title: 'x' }, { status: 503 });
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
    const aborted = new Promise<never>((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
    );
    return Promise.race([answer(path, token), aborted]);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
const bakery = { id: 's9', account: 'a9', name: 'Bakkerij', username: 'bakkerij', relation: 'r9' };
const start = (s: Session, demo = false) => s.start({ demo, describe: async () => info });
const impersonation = async (): Promise<Session> => {
  history.replaceState(null, '', '/#impersonate=c1');
  answer = () => signed('look', { impersonator: { name: 'Sam Staf', until: '2026-11-20T10:30:00Z' } });
  const s = session();
  await start(s);
  return s;
};
const developer = async (): Promise<Session> => {
  localStorage.setItem('developer_mode', 'true');
  localStorage.setItem('access_token', 'stored');
  const s = session();
  await start(s, true);
  return s;
};

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
      expect(calls.map((c) => c.path).sort()).toEqual(['/a', '/a', '/auth/refresh', '/auth/sign-in', '/b', '/b', '/c', '/c']);
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
    answer = (path) => (path === '/slow' ? new Promise(() => undefined) : new Response(null, { status: 204 }));
    localStorage.setItem('developer_mode', 'true');
    localStorage.setItem('access_token', 'stored');
    const running = a.fetch('/slow', {}).catch((e: Error) => e.name);
    await vi.waitFor(() => expect(calls.at(-1)?.path).toBe('/slow'));
    void a.signOut();
    await vi.waitFor(() => expect(left).toEqual(['/bye', '/bye']));
    expect(await running).toBe('AbortError');
    expect(calls.at(-1)).toMatchObject({ path: '/auth/sign-out', token: 'Bearer one' });
    expect(cleared).toHaveBeenCalledTimes(2);
    expect([localStorage.getItem('developer_mode'), localStorage.getItem('access_token')]).toEqual([null, null]);
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
    ['1-developer-mode', '1-developer-mode-token-reconcile', '1-developer-mode-guard'],
    'the stored token itself is the Bearer, in a demo only',
    async () => {
      localStorage.setItem('developer_mode', 'true');
      localStorage.setItem('access_token', 'stored');
      answer = (path) => (path === '/auth/refresh' ? refused() : Response.json({}));
      const describe = async (t: string) => (t === 'stored' ? info : null);
      const s = session();
      await s.start({ demo: true, describe });
      expect(s.get(), '1-developer-mode: the sign-in screen is skipped').toEqual(info);
      await s.fetch('/a', {});
      expect(calls.map((c) => [c.path, c.token])).toEqual([['/a', 'Bearer stored']]);
      // each of these differs in one way, and then uses the session of the cookie as without developer mode
      const nobody = async (demo: boolean) => {
        calls = [];
        const other = session();
        await other.start({ demo, describe });
        expect(other.get()).toBeNull();
        expect(calls.map((c) => [c.path, c.token])).toEqual([['/auth/refresh', null]]);
      };
      await nobody(false); // the server does not report a demo
      localStorage.setItem('access_token', 'forged'); // the server does not accept this token
      await nobody(true);
      localStorage.removeItem('access_token');
      await nobody(true);
      localStorage.setItem('access_token', 'stored');
      localStorage.setItem('developer_mode', 'false');
      await nobody(true);
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
      ]); // and does not use the cookie of another user of this browser
      expect(s.get()).toBeNull();
      expect(location.hash).toBe('');
      Reflect.deleteProperty(document, 'referrer');
    },
  );

  row(
    '7.7-refresh-same-person',
    'after somebody else has signed in in another tab, the page is left and nothing is written again',
    async () => {
      const mismatch = () => Response.json({ status: 409, code: 'session_mismatch', title: 'x' }, { status: 409 });
      for (const other of [
        mismatch,
        () => signed('b', bakery),
        ...['account', 'label', 'relation'].map((k) => () => signed('b', { [k]: 'x' })),
      ]) {
        const s = session();
        answer = () => signed('a');
        await s.signIn('jdv', 'x');
        calls = [];
        left.length = 0;
        const cleared = vi.fn();
        s.onEnd(cleared);
        answer = (path, token) => (path === '/auth/refresh' ? other() : token === 'Bearer b' ? ok() : refused());
        const written = vi.fn();
        void s.fetch('/phone', { method: 'PUT', body: '"06"' }).then(written, written);
        await vi.waitFor(() => expect(left).toEqual(['/']));
        await expect(s.fetch('/other', {})).rejects.toThrow();
        expect(calls.map((c) => [c.path, c.token])).toEqual([
          ['/phone', 'Bearer a'],
          ['/auth/refresh', 'Bearer a'],
        ]);
        expect(written).not.toHaveBeenCalled();
        expect(cleared).toHaveBeenCalled();
        expect(s.get()).toEqual(info);
        expect(s.takeEndReason()).toBeUndefined(); // no session has expired
      }
    },
  );

  row(
    ['7.7-refresh-same-person', 'face-refresh'],
    'a new session of the same person goes on: the call is repeated and nothing is cleared',
    async () => {
      const s = session();
      answer = () => signed('a');
      await s.signIn('jdv', 'x');
      const cleared = vi.fn();
      s.onEnd(cleared);
      const renamed = { id: 's2', username: 'jan.de.vries', name: 'Jan de Vries' };
      answer = (path, token) => (path === '/auth/refresh' ? signed('b', renamed) : token === 'Bearer b' ? ok() : refused());
      expect((await s.fetch('/phone', { method: 'PUT', body: '"06"' })).status).toBe(204);
      expect(s.get()).toEqual({ ...info, ...renamed });
      expect(cleared).not.toHaveBeenCalled();
      expect(left).toEqual([]);
    },
  );

  row(
    ['7.7-refresh-same-person', 'face-two-tabs'],
    'a sign-in reaches tabs of another person; tabs without a session, that impersonate, or with a token of a developer go on',
    async () => {
      const [look, stored] = [await impersonation(), await developer()];
      const [tab, form, elsewhere] = [session(), session(), session()];
      answer = () => signed('a');
      await tab.signIn('jdv', 'x');
      await elsewhere.signIn('jdv', 'x');
      expect(left).toEqual([]);
      answer = () => signed('b', bakery);
      await elsewhere.signIn('bakkerij', 'x');
      expect(left).toEqual(['/']);
      await expect(tab.fetch('/a', {})).rejects.toThrow();
      answer = ok;
      void elsewhere.signOut();
      await vi.waitFor(() => expect(left).toEqual(['/', '/bye']));
      for (const s of [look, stored]) expect((await s.fetch('/a', {})).status).toBe(204);
      answer = () => signed('a');
      await form.signIn('jdv', 'x');
      expect(form.get()).toEqual(info);
    },
  );

  row(
    '7.7-sign-out-unanswered',
    'a sign-out without an answer, or with an error, is tried again at each start, and no tab uses the cookie until then',
    async () => {
      const busy = () => Response.json({ status: 429, code: 'too_many_calls', title: 'x' }, { status: 429 });
      for (const fails of [away, busy, () => Promise.reject(new TypeError('no connection'))]) {
        left.length = 0;
        Channel.all.clear();
        const [s, other] = [session(), session()];
        answer = () => signed('a');
        await s.signIn('jdv', 'x');
        await other.refresh();
        answer = (path) => (path === '/auth/sign-out' ? fails() : path === '/auth/refresh' ? signed('a') : refused());
        Channel.all.clear(); // the other tab is frozen and does not receive the message
        void s.signOut();
        await vi.waitFor(() => expect(left).toEqual(['/bye']));
        calls = [];
        const next = session();
        await start(next);
        expect(next.get()).toBeNull();
        void other.fetch('/a', {});
        await vi.waitFor(() => expect(left).toEqual(['/bye', '/']));
        expect(calls.map((c) => c.path)).toEqual(['/auth/sign-out', '/a', '/auth/sign-out']);

        calls = [];
        answer = (path) => (path === '/auth/sign-out' ? ok() : signed('b', bakery));
        await start(session());
        expect(calls.map((c) => c.path)).toEqual(['/auth/sign-out']);
        const last = session();
        await start(last);
        expect(last.get()?.account).toBe('a9');
      }
    },
  );

  row('7.7-sign-out-unanswered', 'a sign-in replaces the cookie, so nobody is signed out any more', async () => {
    answer = away;
    void session().signOut();
    await vi.waitFor(() => expect(left).toEqual(['/bye']));
    const s = session();
    await start(s);
    answer = () => signed('b', bakery);
    await s.signIn('bakkerij', 'x');
    calls = [];
    expect(await s.refresh()).toBe(true);
    expect(calls.map((c) => c.path)).toEqual(['/auth/refresh']);
  });

  row(['7.7-sign-out-unanswered', '7.7-impersonation-end'], 'the end of an impersonation leaves no mark', async () => {
    const look = await impersonation();
    answer = away;
    void look.signOut();
    await vi.waitFor(() => expect(left).toEqual(['/bye']));
    answer = () => signed('own');
    const s = session();
    await start(s);
    expect(s.get()).toEqual(info);
  });

  row('face-two-tabs', 'a tab whose refresh hangs, or that is frozen in one, does not stop the others', async () => {
    const waits: AbortController[] = [];
    const limits: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      limits.push(milliseconds);
      const c = new AbortController();
      waits.push(c);
      return c.signal;
    });
    let held: Promise<unknown> = Promise.resolve(); // like Web Locks: one after another, and a waiting tab may give up
    vi.stubGlobal('navigator', {
      locks: {
        request: (_: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) => {
          const gaveUp = new Promise<never>((_, no) => signal.addEventListener('abort', () => no(signal.reason)));
          const mine = Promise.race([held, gaveUp]).then(work);
          held = mine.catch(() => undefined);
          return mine;
        },
      },
    });
    let hangs = true;
    answer = () => {
      if (!hangs) return signed('b');
      hangs = false;
      return new Promise(() => undefined);
    };
    const [tab, other] = [session(), session()];
    const stuck = tab.refresh().catch((cause: unknown) => cause);
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    const refreshed = other.refresh();
    await vi.waitFor(() => expect(waits).toHaveLength(3)); // two for the lock, one for the request
    expect(calls).toHaveLength(1);
    // waits for the lock at most as long as for the request, and for both at most 15 seconds
    expect(Math.max(...limits)).toBeLessThanOrEqual(15_000);
    expect(Math.min(...limits)).toBeGreaterThan(5_000);
    waits.at(-1)?.abort(new DOMException('', 'TimeoutError'));
    expect(await refreshed).toBe(true);
    expect(other.get()).toEqual(info);
    expect(await Promise.race([stuck, 'stuck'])).toBe('stuck'); // the first tab stays stuck: a frozen tab's timers do not run
  });

  row('9-basket-as-shown', 'what was stored for a session that has ended is removed at the start', async () => {
    for (const k of ['wattle:of:s1:basket:x', 'wattle:of:s0:basket:y', 'wattle:locale']) localStorage.setItem(k, '1');
    answer = () => signed('a');
    await start(session());
    expect(Object.keys(localStorage).sort()).toEqual(['wattle:locale', 'wattle:of:s1:basket:x']);
    answer = ok; // there is no session
    await start(session());
    expect(Object.keys(localStorage)).toEqual(['wattle:locale']);
  });

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
