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
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? B | void
    : void;
// biome-ignore-end lint/suspicious/noConfusingVoidType: see above
type Params<O> = O extends { parameters: infer P }
  ? { [K in 'path' | 'query' as K extends keyof P ? K : never]?: P[K & keyof P] }
  : object;
// `get`: an operation that records by a GET (7.2-get-historical-consent).
type Method = 'get' | 'put' | 'post' | 'delete';
type Get<T> = T extends { get: infer O } ? O : never;
type Post<T> = T extends { post: infer O } ? O : never;

/**
 * `paths` is api.gen.ts, of this module or of one whose API is called. Query key = [path template, params]: the API is the only
 * thing remotes share. `changes` names templates (any module's) that are invalidated and awaited after success, in every remote.
 */
export interface Api<P> {
  /**
   * @param o.empty statuses that mean that there is nothing: data is undefined and no error is shown
   * @param o.retry false: a failure is told at once, where the customer waits for the answer and can go on without
   */
  useGet<K extends keyof P & string>(
    path: K,
    params?: Params<Get<P[K]>>,
    o?: { enabled?: boolean; empty?: readonly number[]; retry?: false },
  ): UseQueryResult<Ok<Get<P[K]>>, Problem>;
  /**
   * Reads by a POST: a search whose question is a body. Query key = [path template, params], as of useGet. What was found before stays
   * until the next page has come.
   */
  useSearch<K extends keyof P & string>(
    path: K,
    params: { body: Body<Post<P[K]>> } & Params<Post<P[K]>>,
    o?: { enabled?: boolean },
  ): UseQueryResult<Ok<Post<P[K]>>, Problem>;
  /**
   * @param o.idempotent sends an Idempotency-Key that stays the same while the same body is tried again; a text is the key itself, of
   *   a caller that keeps it longer than the page lives
   */
  useWrite<K extends keyof P & string, M extends Method & keyof P[K]>(
    method: M,
    path: K,
    o: { changes: readonly Path[]; idempotent?: boolean | string },
  ): UseMutationResult<Ok<P[K][M]>, Problem, { body: Body<P[K][M]> } & Params<P[K][M]>>;
  /**
   * Saves under the name of Content-Disposition. In a component use `useDownload`, which also knows what it is doing and what failed.
   * @param worth decides, once the file is here, whether it is worth saving; the answer says whether it was saved
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
    // What is fetched again may take the form off the screen, and TanStack's own mutate then tells nobody of the outcome: a sheet
    // would stay open, and what was saved would go unsaid.
    const mutate: typeof write.mutate = (variables, tell) => {
      const context = { client: queries, meta: undefined };
      write.mutateAsync(variables).then(
        (data) => {
          tell?.onSuccess?.(data, variables, undefined, context);
          tell?.onSettled?.(data, null, variables, undefined, context);
        },
        (error: Problem) => {
          tell?.onError?.(error, variables, undefined, context);
          tell?.onSettled?.(undefined, error, variables, undefined, context);
        },
      );
    };
    return { ...write, mutate };
  };
  return { useGet, useSearch, useWrite, download: fetchFile } as unknown as Api<P>;
}

/** Escape hatch; its use needs a reason in a comment. */
export function useQueries(): QueryClient {
  return useQueryClient();
}
