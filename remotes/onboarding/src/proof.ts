import { useCallback, useEffect, useRef } from 'react';
import { api } from './api';

/** The proof of work that is sent with a registration. */
export interface Proof {
  challenge?: string;
  solution?: string;
}

/**
 * Solves a challenge in a web worker, so that the page stays responsive. Returns undefined if that is impossible (a browser without
 * module workers, or a file that could not be fetched): the server accepts a limited number of registrations without proof.
 */
function solve(challenge: string, bits: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    try {
      const worker = new Worker(/* webpackChunkName: "proof" */ new URL('./proof.worker.ts', import.meta.url), {
        type: 'module',
      });
      const end = (solution?: string) => {
        worker.terminate();
        resolve(solution);
      };
      worker.onmessage = ({ data }: MessageEvent<string>) => end(data);
      worker.onerror = (event) => {
        event.preventDefault();
        end();
      };
      signal.addEventListener('abort', () => end(), { once: true });
      worker.postMessage({ challenge, bits });
    } catch {
      resolve(undefined);
    }
  });
}

/**
 * The proof of work of a form. `start` begins it while the form is being filled in, `done` waits for it, and `renew` discards it,
 * because a challenge can be used only once and expires.
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
      const proof = ask({ body: undefined }).then(async ({ challenge, bits }): Promise<Proof> => {
        const solution = await solve(challenge, bits, stop.signal);
        return solution === undefined ? {} : { challenge, solution };
      });
      const current = { proof, stop };
      work.current = current;
      proof.catch(() => {
        if (work.current === current) work.current = undefined; // the next call of done() requests another challenge
      });
    }
    return work.current.proof;
  }, [ask]);
  const start = useCallback(() => void done().catch(() => undefined), [done]);
  useEffect(() => renew, [renew]);
  return { start, done, renew };
}
