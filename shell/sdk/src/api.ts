import {
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from './context';
import { fetchFile } from './download';
import { type Problem, ProblemError } from './problem';
import type { Path } from './remote';

type Json<R> = R extends { content: { 'application/json': infer B } } ? B : undefined;
type Ok<O> = O extends { responses: infer R }
  ? R extends { 200: infer A }
    ? Json<A>
    : R extends { 201: infer A }
      ? Json<A>
      : R extends { 202: infer A }
        ? Json<A>
        : undefined
  : undefined;
// biome-ignore-start lint/suspicious/noConfusingVoidType: a call without a body takes none
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? B
  : O extends { requestBody?: never }
    ? void
    : O extends { requestBody?: { content: { 'application/json': infer B } } }
      ? B | void
      : void;
// biome-ignore-end lint/suspicious/noConfusingVoidType: see above
/** The body of an operation; optional when the operation takes none. */
type Content<O> = [undefined] extends [Body<O>] ? { body?: Body<O> } : { body: Body<O> };
type Params<O> = O extends { parameters: infer P }
  ? { [K in 'path' | 'query' as K extends keyof P ? K : never]?: P[K & keyof P] }
  : object;
// `get`: for an operation whose GET records something (7.2-get-historical-consent).
type Method = 'get' | 'put' | 'post' | 'delete';
type Get<T> = T extends { get: infer O } ? O : never;
type Post<T> = T extends { post: infer O } ? O : never;

/**
 * Typed calls of one API. `P` is the type `paths` of an api.gen.ts, of this module or of another whose API is called. The query key
 * is [path template, params], without the module: the API is the only thing that remotes share. `changes` lists path templates (of
 * any module): after a successful write their queries are invalidated in every remote, and the write completes when they have been
 * fetched again.
 */
export interface Api<P> {
  /**
   * Reads with GET.
   * @param o.empty statuses that mean that there is no data: `data` is then undefined and no error is shown
   * @param o.retry false reports a failure immediately, for when the customer is waiting and can continue without the data
   */
  useGet<K extends keyof P & string>(
    path: K,
    params?: Params<Get<P[K]>>,
    o?: { enabled?: boolean; empty?: readonly number[]; retry?: false },
  ): UseQueryResult<Ok<Get<P[K]>>, Problem>;
  /**
   * Reads with POST: a search whose criteria are the body. The query key has the same form as that of useGet. The previous result
   * stays until the next page has been fetched.
   */
  useSearch<K extends keyof P & string>(
    path: K,
    params: Content<Post<P[K]>> & Params<Post<P[K]>>,
    o?: { enabled?: boolean },
  ): UseQueryResult<Ok<Post<P[K]>>, Problem>;
  /**
   * Writes, and fetches `changes` again after success.
   * @param o.idempotent true sends an Idempotency-Key that stays the same while the same body is retried; a string is the key
   *   itself, for a caller that keeps it after the page is closed
   */
  useWrite<K extends keyof P & string, M extends Method & keyof P[K]>(
    method: M,
    path: K,
    o: { changes: readonly Path[]; idempotent?: boolean | string },
  ): UseMutationResult<Ok<P[K][M]>, Problem, Content<P[K][M]> & Params<P[K][M]>>;
  /**
   * Fetches a file and saves it under the name in Content-Disposition. In a component, use `useDownload`, which also provides
   * `busy` and `problem`.
   * @param worth decides, after the file has been fetched, whether to save it
   * @returns whether the file was saved
   */
  download(path: string, worth?: (file: Blob) => boolean): Promise<boolean>;
}

interface Variables {
  body?: unknown;
  path?: unknown;
  query?: unknown;
}

export function createApi<P>(): Api<P> {
  const useGet = (
    path: string,
    params: Variables = {},
    o: { enabled?: boolean; empty?: readonly number[]; retry?: false } = {},
  ) =>
    useQuery<unknown, Problem>({
      queryKey: [path, params],
      enabled: o.enabled ?? true,
      ...(o.retry === false ? { retry: false } : {}),
      queryFn: async ({ signal }) => {
        try {
          return (await call('get', path, { ...params, signal })) ?? null;
        } catch (cause) {
          if (cause instanceof ProblemError && o.empty?.includes(cause.status)) return null;
          throw cause;
        }
      },
      select: (data) => data ?? undefined,
    });
  const useSearch = (path: string, params: Variables, o: { enabled?: boolean } = {}) =>
    useQuery<unknown, Problem>({
      queryKey: [path, params],
      enabled: o.enabled ?? true,
      placeholderData: keepPreviousData,
      queryFn: ({ signal }) => call('post', path, { ...params, signal }),
    });
  const useWrite = (method: string, path: string, o: { changes: readonly string[]; idempotent?: boolean | string }) => {
    const queries = useQueryClient();
    const sent = useRef({ body: '', key: '' });
    const write = useMutation<unknown, Problem, Variables>({
      mutationFn: (v) => {
        const headers: Record<string, string> = {};
        if (typeof o.idempotent === 'string') headers['Idempotency-Key'] = o.idempotent;
        else if (o.idempotent) {
          const body = JSON.stringify(v);
          if (sent.current.body !== body) sent.current = { body, key: crypto.randomUUID() };
          headers['Idempotency-Key'] = sent.current.key;
        }
        return call(method, path, { ...v, headers });
      },
      onSuccess: async () => {
        sent.current = { body: '', key: '' };
        await Promise.all(o.changes.map((template) => queries.invalidateQueries({ queryKey: [template] })));
      },
    });
    // Fetching again may unmount the form, and then TanStack's own mutate does not call its callbacks: a sheet would stay open, and
    // no message would confirm the write.
    const mutate: typeof write.mutate = (variables, callbacks) => {
      const context = { client: queries, meta: undefined };
      write.mutateAsync(variables).then(
        (data) => {
          callbacks?.onSuccess?.(data, variables, undefined, context);
          callbacks?.onSettled?.(data, null, variables, undefined, context);
        },
        (error: Problem) => {
          callbacks?.onError?.(error, variables, undefined, context);
          callbacks?.onSettled?.(undefined, error, variables, undefined, context);
        },
      );
    };
    return { ...write, mutate };
  };
  return { useGet, useSearch, useWrite, download: fetchFile } as unknown as Api<P>;
}

/** Returns the query client, for what Api cannot do; a comment must justify each use. */
export function useQueries(): QueryClient {
  return useQueryClient();
}
