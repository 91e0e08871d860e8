import { useCallback, useEffect, useRef } from 'react';
import { api } from './api';

/** What goes along with a registration to show that work was done for it. */
export interface Proof {
  challenge: string;
  solution: string;
}

/** Solves a challenge in a worker; where the browser gives none, in small steps between what the page has to do. */
export async function solve(challenge: string, bits: number, signal: AbortSignal): Promise<string> {
  return inWorker(challenge, bits, signal).catch(() => inSteps(challenge, bits, signal));
}

function inWorker(challenge: string, bits: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    // Throws, or fails to load, where a policy or an old browser knows no module workers.
    const worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' });
    const end = () => worker.terminate();
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      end();
      resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      reject(new Error('no worker'));
    };
    signal.addEventListener('abort', end, { once: true });
    worker.postMessage({ challenge, bits });
  });
}

/** Tries at a time, less than what a frame has room for. */
const atOnce = 500;

async function inSteps(challenge: string, bits: number, signal: AbortSignal): Promise<string> {
  const { solver } = await import(/* webpackChunkName: "pages" */ './proof.rules');
  const attempt = solver(challenge, bits);
  let solution: string | undefined;
  while (solution === undefined && !signal.aborted) {
    solution = attempt(atOnce);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return solution ?? '';
}

/**
 * The work of this form, begun while it is still being filled in. `start` begins it, `done` waits for it; `renew` throws away what
 * was found, for a challenge is good once and not for long.
 */
export function useProof(): { start(): void; done(): Promise<Proof>; renew(): void } {
  const { mutateAsync: ask } = api.useWrite('post', '/account/request/challenge', { changes: [] });
  const work = useRef<{ proof: Promise<Proof>; stop: AbortController }>(undefined);
  const renew = useCallback(() => {
    work.current?.stop.abort();
    work.current = undefined;
  }, []);
  const done = useCallback(() => {
    if (!work.current) {
      const stop = new AbortController();
      const proof = ask({ body: undefined }).then(async ({ challenge, bits }) => ({
        challenge,
        solution: await solve(challenge, bits, stop.signal),
      }));
      const mine = { proof, stop };
      work.current = mine;
      proof.catch(() => {
        if (work.current === mine) work.current = undefined; // the next one who waits asks again
      });
    }
    return work.current.proof;
  }, [ask]);
  const start = useCallback(() => void done().catch(() => undefined), [done]);
  useEffect(() => renew, [renew]);
  return { start, done, renew };
}
