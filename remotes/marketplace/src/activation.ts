import { useLocation } from '@wattle/sdk';
import { useEffect } from 'react';
import { api, changes } from './api';

/** Query parameter that contains the code in a link from an email about a personal offer. */
export const codeParameter = 'code';
let hasRun: string | undefined;

/** Returns the query with which the document was opened: a redirect within the portal may have removed the code since. */
function openedUrl(): string {
  const [document] = performance.getEntriesByType?.('navigation') ?? [];
  return document ? new URL(document.name).search : '';
}

/**
 * Redeems the code in the URL, once (7.6-activation-startup). The URL is kept during sign-in. An invalid code shows no error,
 * because the customer did not request anything (7.6-activation-startup-source).
 */
export function useActivation(): void {
  const { search } = useLocation();
  const code = [search, openedUrl()].map((s) => new URLSearchParams(s).get(codeParameter)).find(Boolean);
  const { mutate } = api.useWrite('post', '/sustainable/activation/direct/{id}', { changes: changes.personal });
  useEffect(() => {
    if (!code || code === hasRun) return;
    hasRun = code;
    mutate({ path: { id: code }, body: undefined });
  }, [code, mutate]);
}
