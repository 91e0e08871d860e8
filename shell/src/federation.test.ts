import { row } from '@wattle/sdk/vitest';
import { beforeEach, describe, expect, vi } from 'vitest';
import { Remotes } from './federation';

const remote = { key: 'a', contract: 1 };
const container = (module: unknown) => ({ init: () => undefined, get: async () => () => module });

beforeEach(() => {
  vi.stubGlobal('__webpack_init_sharing__', async () => undefined);
  vi.stubGlobal('__webpack_share_scopes__', { default: {} });
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

describe('remotes', () => {
  row('face-remote-down', 'retries once under a fresh URL, then fails with a retry', async () => {
    const urls: string[] = [];
    let works = false;
    const remotes = new Remotes([{ key: 'a', entry: '/assets/a/1/entry.js' }], async (url) => {
      urls.push(url);
      if (!works) throw new Error('503');
      return container({ default: remote });
    });
    await expect(remotes.get('a')).rejects.toThrow('503');
    expect(new Set(urls).size).toBe(2);
    await expect(remotes.get('a')).rejects.toThrow('503'); // the failure is cached: rendering again does not load again
    expect(urls).toHaveLength(2);
    works = true;
    await remotes.forget('a');
    expect(await remotes.get('a')).toBe(remote);
    expect(new Set(urls).size).toBe(3);
    await remotes.forget('a');
    expect(await remotes.get('a')).toBe(remote);
    expect(urls).toHaveLength(3);
  });
  row('face-remote-down', 'fails for a remote that hangs, is invalid or has another contract', async () => {
    const hang = new Remotes([{ key: 'a', entry: '/e.js' }], () => new Promise(() => undefined)).get('a');
    const caught = expect(hang).rejects.toThrow('4000 ms');
    await vi.advanceTimersByTimeAsync(8001);
    await caught;
    for (const junk of [
      {},
      container({}),
      container({ default: { key: 'b', contract: 1 } }),
      container({ default: { key: 'a', contract: 2 } }),
    ])
      await expect(new Remotes([{ key: 'a', entry: '/e.js' }], async () => junk).get('a')).rejects.toThrow(/^a: not a/);
    await expect(new Remotes([]).get('a')).rejects.toThrow('no remote a');
  });
  row('10-contract-former', 'draws remotes of its contract and of the one before, and no other', async () => {
    const built = (contract: number, portal: number) =>
      new Remotes([{ key: 'a', entry: '/e.js' }], async () => container({ default: { key: 'a', contract } }), portal).get('a');
    expect(await built(1, 1)).toEqual({ key: 'a', contract: 1 });
    expect(await built(1, 2)).toEqual({ key: 'a', contract: 1 });
    expect(await built(2, 2)).toEqual({ key: 'a', contract: 2 });
    await expect(built(1, 3)).rejects.toThrow('a: not a remote of contract 3 or 2, but 1');
    await expect(built(2, 1)).rejects.toThrow('a: not a remote of contract 1, but 2');
    await expect(built(0, 1)).rejects.toThrow('a: not a remote of contract 1, but 0');
  });
});
