import { useCallback, useRef, useState } from 'react';
import { address, type Call, call, raw } from './context';
import { type Problem, ProblemError } from './problem';

const api = '/api/v0';

/** How a file gets onto the customer's disk; replaced in tests. */
export interface Saver {
  /** Saves bytes that are here. */
  file(name: string, content: Blob): void;
  /** Lets the browser fetch and save what stands at an address of this origin. */
  address(url: string): void;
}

const browser: Saver = {
  file(name, content) {
    const url = URL.createObjectURL(content);
    follow(url, name);
    setTimeout(() => URL.revokeObjectURL(url), 60_000); // Firefox reads it after the click has returned
  },
  address: (url) => follow(url, ''), // the name is that of the answer
};

function follow(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

let saver = browser;
/** Replaces how files are saved; nothing puts the browser's way back. */
export const setSaver = (s?: Saver): void => {
  saver = s ?? browser;
};

export interface DownloadOptions extends Pick<Call, 'path' | 'query'> {
  /**
   * Lets the browser fetch the file itself, by an address that is good once (POST /downloads): for what is large or made while it is
   * sent, such as a ZIP. What fails after it has begun shows in the browser's own list of downloads.
   */
  ticket?: boolean;
  /** Decides, once the file is here, whether it is worth saving. Not with a ticket. */
  worth?: (file: Blob) => boolean;
}

export interface Download {
  /**
   * Saves the file at a path, below /api/v0 or with it before (as links in answers have it), under the name that the answer gives
   * (7-file-downloads). Never rejects: the answer says whether something was saved, `problem` why not. While one is under way a second
   * call does nothing.
   */
  download(path: string, o?: DownloadOptions): Promise<boolean>;
  busy: boolean;
  /** Of the last download; null when that went well or is still under way. Show it at the row, in the words of useProblemText. */
  problem: Problem | null;
}

/** One for each row or button: it knows what that one is doing. A download that has begun goes on when its page is left. */
export function useDownload(): Download {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef(false);
  const download = useCallback(async (path: string, o: DownloadOptions = {}) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      return await (o.ticket ? byTicket(path, o) : fetchFile(path, o.worth, o));
    } catch (cause) {
      setProblem(cause instanceof ProblemError ? cause : new ProblemError({ status: 0, code: 'unexpected', title: 'download' }));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  return { download, busy, problem };
}

/** The path below /api/v0. The Bearer token goes with it, so it must be one of ours. */
function below(path: string): string {
  const rest = path.startsWith(`${api}/`) ? path.slice(api.length) : path;
  if (!rest.startsWith('/') || rest.startsWith('//')) throw new Error(`not a path of the API: ${path}`);
  return rest;
}

async function byTicket(path: string, o: DownloadOptions): Promise<boolean> {
  const answer = (await call('post', '/downloads', { body: { path: api + address(below(path), o) } })) as { url: string };
  if (!answer.url.startsWith(`${api}/downloads/`)) throw new Error('a ticket leads elsewhere');
  saver.address(answer.url);
  return true;
}

/** Fetches a file with the session's token and saves it. @throws {ProblemError} when there is none */
export async function fetchFile(
  path: string,
  worth: (file: Blob) => boolean = () => true,
  o: Pick<Call, 'path' | 'query'> = {},
): Promise<boolean> {
  const answer = await raw('get', below(path), { path: o.path, query: o.query, headers: { Accept: '*/*' } });
  let file: Blob;
  try {
    file = await answer.blob();
  } catch {
    throw new ProblemError({ status: 0, code: 'network', title: 'the file broke off' }); // half a file is not saved
  }
  if (!worth(file)) return false;
  saver.file(fileName(answer.headers.get('content-disposition')) ?? 'download', file);
  return true;
}

/** The name in a Content-Disposition (RFC 6266); the encoded one (RFC 8187) wins. It is never a path. */
export function fileName(disposition: string | null): string | undefined {
  const names = new Map<string, string>();
  for (const [, key = '', quoted, plain = ''] of (disposition ?? '').matchAll(
    /;\s*([\w*]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/g,
  ))
    names.set(key.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  return lastPart(decoded(names.get('filename*'))) ?? lastPart(names.get('filename'));
}

function decoded(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined; // the plain one has to do
  }
}

const lastPart = (name: string | undefined): string | undefined => name?.split(/[\\/]/).at(-1) || undefined;
