// `wattle serve --demo` for tests, screenshots and measurements: on a free port, with a temporary data folder.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { root } from './workspace.mjs';

export const binary = process.env.WATTLE ?? path.join(root, 'bin/wattle');
export const clock = '2026-11-20T10:00:00Z'; // a Friday, 11:00 in Amsterdam
// The headless shell is the same browser without a window: it renders the same in two thirds of the time.
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const chromium = {
  executablePath: process.env.CHROMIUM ?? browsers.find((path) => existsSync(path)) ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--host-resolver-rules=MAP *.localhost 127.0.0.1',
  ],
};

/**
 * @param {{ args?: string[], labels?: string, env?: Record<string, string> }} [o]
 * @returns a running server; `call` calls its API with a Host header, `signIn` gives a browser context the session of a new or
 *   given customer
 */
export async function serve({ args = [], labels = 'labels', env = {} } = {}) {
  if (!existsSync(binary)) throw new Error('bin/wattle is missing: run make build');
  // in memory if possible, because a test database is temporary
  const data = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'wattle-'));
  const child = spawn(
    binary,
    ['serve', '--demo', '--unsafe', '--clock', clock, '--labels', labels, '--data', data, '--addr', '127.0.0.1:0', ...args],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  const port = await new Promise((resolve, reject) => {
    const look = (chunk) => {
      said = (said + chunk).slice(-20_000);
      const found = /"addr":\s*"[^"]*?:(\d+)"/.exec(said);
      if (found) resolve(Number(found[1]));
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', (code) => reject(new Error(`wattle serve ended with ${code}:\n${said}`)));
    child.once('error', reject);
  });
  return {
    port,
    data,
    origin: (host) => `http://${host}:${port}`,
    call: (host, method, url, body) => call(port, host, method, url, body),
    async signIn(host, context, customer) {
      const who = customer ?? (await call(port, host, 'POST', '/dev/customers', {})).body;
      const { cookie = '' } = await call(port, host, 'POST', '/auth/sign-in', { username: who.username, password: who.password });
      const [, name, value] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
      await context.addCookies([{ name, value, domain: host, path: '/api/v0/auth', httpOnly: true, sameSite: 'Strict' }]);
      return who;
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/**
 * Node does not resolve *.localhost, so the request is sent to the loopback address with a Host header. @throws when the response
 * is not 2xx
 */
function call(port, host, method, url, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      Host: `${host}:${port}`,
      Accept: 'application/json',
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    };
    const request = http.request({ host: '127.0.0.1', port, method, path: `/api/v0${url}`, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      if (answer.statusCode >= 300) reject(new Error(`${method} ${url}: ${answer.statusCode} ${text}`));
      else resolve({ body: text ? JSON.parse(text) : undefined, cookie: answer.headers['set-cookie']?.[0] });
    });
    request.on('error', reject);
    request.end(body ? JSON.stringify(body) : undefined);
  });
}
