import { useCallback, useRef, useState } from 'react';
import { address, type Call, call, raw } from './context';
import { type Problem, ProblemError } from './problem';

const api = '/api/v0';

/** Saves files on the customer's device; replaced in tests. */
export interface Saver {
  /** Saves the given data. */
  file(name: string, content: Blob): void;
  /** Lets the browser fetch and save the file at a URL of this origin. */
  address(url: string): void;
}

const browser: Saver = {
  file(name, content) {
    const url = URL.createObjectURL(content);
    follow(url, name);
    setTimeout(() => URL.revokeObjectURL(url), 60_000); // Firefox only reads the URL after click() has returned
  },
  address: (url) => follow(url, ''), // the response contains the file name
};

function follow(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

let saver = browser;
/** Replaces how files are saved; without an argument it restores saving by the browser. */
export const setSaver = (s?: Saver): void => {
  saver = s ?? browser;
};

export interface DownloadOptions extends Pick<Call, 'path' | 'query'> {
  /**
   * Lets the browser fetch the file itself, through a URL that works once (POST /downloads): for files that are large or generated
   * while they are sent, such as a ZIP. A failure after the download has started is shown in the browser's download list.
   */
  ticket?: boolean;
  /** Decides, after the file has been fetched, whether to save it. Has no effect with a ticket. */
  worth?: (file: Blob) => boolean;
}

export interface Download {
  /**
   * Saves the file at a path, with or without a leading /api/v0 (links in responses have it), under the name in the response
   * (7-file-downloads). It resolves to whether a file was saved and never rejects; `problem` contains the reason. While a download
   * is running, a second call does nothing.
   */
  download(path: string, o?: DownloadOptions): Promise<boolean>;
  busy: boolean;
  /**
   * Problem of the last download; null when it succeeded or is still running. Show it at the row, translated with useProblemText.
   */
  problem: Problem | null;
}

/**
 * Returns the state of one download: use one per row or button. A running download continues after the customer leaves the page.
 */
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

/** Returns the path relative to /api/v0. The call carries the Bearer token, so the path must belong to our API. */
function below(path: string): string {
  const rest = path.startsWith(`${api}/`) ? path.slice(api.length) : path;
  if (!rest.startsWith('/') || rest.startsWith('//')) throw new Error(`not a path of the API: ${path}`);
  return rest;
}

async function byTicket(path: string, o: DownloadOptions): Promise<boolean> {
  const answer = (await call('post', '/downloads', { body: { path: api + address(below(path), o) } })) as { url: string };
  if (!answer.url.startsWith(`${api}/downloads/`)) throw new Error('unexpected ticket URL');
  saver.address(answer.url);
  return true;
}

/** Fetches a file with the session's token and saves it. @throws {ProblemError} when the server returns no file */
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
    throw new ProblemError({ status: 0, code: 'network', title: 'incomplete file' }); // an incomplete file is not saved
  }
  if (!worth(file)) return false;
  saver.file(fileName(answer.headers.get('content-disposition')) ?? 'download', file);
  return true;
}

/** Returns the file name in a Content-Disposition (RFC 6266); the encoded name (RFC 8187) has priority. Folders are removed. */
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
    return undefined; // the plain name is used
  }
}

const lastPart = (name: string | undefined): string | undefined => name?.split(/[\\/]/).at(-1) || undefined;
