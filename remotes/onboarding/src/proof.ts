import { useCallback, useEffect, useRef } from 'react';
import { api } from './api';

/** What goes along with a registration to show that work was done for it. */
export interface Proof {
  challenge?: string;
  solution?: string;
}

/**
 * Solves a challenge in a thread of its own, so that the page stays as quick as it was. Undefined where there is none (a browser that
 * knows no module workers, a file that could not be fetched): the server takes some registrations without.
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
      const proof = ask({ body: undefined }).then(async ({ challenge, bits }): Promise<Proof> => {
        const solution = await solve(challenge, bits, stop.signal);
        return solution === undefined ? {} : { challenge, solution };
      });
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
