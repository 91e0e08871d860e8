import type { Problem } from '@wattle/sdk';
import { useEffect } from 'react';
import { api, type Found } from './api';
import { type Draft, isLookedUp, type Lookup } from './wizard.rules';

/** Looks up the new address after both fields have lost focus (5.2-lookup-trigger), and again when an extension is chosen. */
export function useLookup(draft: Draft): Lookup {
  const lookedUp = isLookedUp(draft) ? draft.asked : null;
  const place = { zipCode: lookedUp?.zipCode ?? '', houseNumber: lookedUp?.houseNumber ?? '' };
  const chosen = lookedUp !== null && draft.extension !== null;
  const all = api.useGet('/address', { query: place }, { enabled: lookedUp !== null, retry: false });
  const one = api.useGet(
    '/address',
    { query: { ...place, houseNumberExtension: draft.extension ?? '' } },
    // while the register is unavailable, the extension is typed and must not be looked up at every letter
    { enabled: chosen && all.data !== undefined, retry: false },
  );
  const failed = lookedUp === null ? undefined : hasFailed(all) ? all : chosen && hasFailed(one) ? one : undefined;
  const error = failed && (failed.error ?? nothing);
  useEffect(() => {
    // 8-lookup-failed; the log must not contain personal data
    if (error) console.warn(`move: the address lookup failed: ${error.status ?? 0} ${error.code ?? 'invalid'}`);
  }, [error]);

  if (lookedUp === null) return { state: 'idle' };
  const alternatives = (all.data?.alternatives ?? []).map((a) => a.houseNumberExtension);
  if (failed && error) return failedLookup(error, alternatives, failed.isFetching, () => void failed.refetch());
  return checkedConnections(chosen ? one.data : all.data, alternatives);
}

function checkedConnections(data: Found | undefined, alternatives: readonly string[]): Lookup {
  if (!data) return { state: 'loading', alternatives };
  const { address: a } = data;
  if (!a) return data.alternatives.length > 0 ? { state: 'choose', alternatives } : { state: 'unknown', alternatives };
  const { extension, ...rest } = a;
  return { state: 'found', alternatives, eans: data.eansPerCommodity, address: { ...rest, house_number_extension: extension } };
}

/** Represents an empty response, which is treated like no response. */
const nothing: Partial<Problem> = { status: 0, code: 'no answer' };
const hasFailed = (q: { error: unknown; isSuccess: boolean; data: Found | undefined }): boolean =>
  q.error !== null || (q.isSuccess && !q.data?.alternatives);

/**
 * Returns `down` (enter by hand) for a timeout, a 5xx or an invalid response, and "not found" for any other error response
 * (8-lookup-failed).
 */
function failedLookup(error: Partial<Problem>, alternatives: readonly string[], retrying: boolean, retry: () => void): Lookup {
  const { status = 0 } = error;
  if (status === 0 || status >= 500) return { state: 'down', retrying, retry };
  if (status !== 429) return { state: 'unknown', alternatives };
  return retrying ? { state: 'loading', alternatives } : { state: 'busy', retry };
}
