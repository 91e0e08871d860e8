import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const wattle = process.env.WATTLE ?? 'wattle';
const host = 'demo.localhost';

export interface Answer {
  status: number;
  body: string;
}

/** Starts a portal with the demo label, which has not enabled the module, and an empty plugins folder. */
export async function start() {
  const home = mkdtempSync(path.join(tmpdir(), 'outages-'));
  const at = (name: string) => path.join(home, name);
  mkdirSync(at('plugins'), { mode: 0o700 });
  cpSync('labels', at('labels'), { recursive: true });
  const label = at('labels/demo/label.cue');
  const text = readFileSync(label, 'utf8');
  writeFileSync(label, text.replace('modules: outages: {}', ''));
  const args = [
    'serve',
    '--demo',
    '--unsafe',
    '--addr',
    '127.0.0.1:0',
    '--labels',
    at('labels'),
    '--plugins',
    at('plugins'),
    '--data',
    at('data'),
  ];
  const server = spawn(wattle, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const port = await new Promise<number>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      said = (said + chunk).slice(-20_000);
      const found = /"addr":\s*"[^"]*?:(\d+)"/.exec(said);
      if (found) resolve(Number(found[1]));
    };
    server.stdout.on('data', look);
    server.stderr.on('data', look);
    server.once('exit', (code) => reject(new Error(`wattle serve ended with ${code}:\n${said}`)));
  });
  /** Calls the API; Node does not resolve *.localhost everywhere. */
  const call = (method: string, url: string, body?: unknown, bearer?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        host,
        'content-type': 'application/json',
        'x-wattle': '1',
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      };
      const request = http.request({ host: '127.0.0.1', port, method, path: `/api/v0${url}`, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    origin: `http://${host}:${port}`,
    /** Enables the module in the label, with the versions in `cue`, if any. */
    choose: (cue?: string) => writeFileSync(label, cue ? `${text}\nplugins: outages: {${cue}}\n` : text),
    plugins: at('plugins'),
    call,
    /** Signs a customer in, and returns the token. */
    async token(who: { username: string; password: string }): Promise<string> {
      const { username, password } = who;
      return JSON.parse((await call('POST', '/auth/sign-in', { username, password })).body).id_token;
    },
    /** Installs a packed plugin. Calls of `load` continue in the meantime. */
    install: (file: string, ...more: string[]) => run(wattle, ['plugins', 'install', '--plugins', at('plugins'), ...more, file]),
    /** The processes of the plugin. */
    processes: () =>
      execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
        .split('\n')
        .map((line) => line.trim().split(/\s+/).map(Number))
        .filter(([, parent]) => parent === server.pid)
        .map(([pid]) => pid as number),
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
export type Portal = Awaited<ReturnType<typeof start>>;

/** Calls a path with a token repeatedly; `failed` contains the responses with a status other than 200. */
export function load(portal: Portal, url: string, bearer: string, perSecond: number) {
  const failed: Answer[] = [];
  let calls = 0;
  const running = new Set<Promise<void>>();
  const began = Date.now();
  const timer = setInterval(() => {
    const one = portal
      .call('GET', url, undefined, bearer)
      .catch((e: Error): Answer => ({ status: 0, body: e.message }))
      .then((answer) => {
        calls++;
        if (answer.status !== 200) failed.push(answer);
        running.delete(one);
      });
    running.add(one);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return { calls, failed, seconds: (Date.now() - began) / 1000 };
    },
  };
}
