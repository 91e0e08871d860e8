import { useLocation } from '@wattle/sdk';
import { useEffect } from 'react';
import { api, changes } from './api';

/** Name of the code in the address: of a link in an email about a personal offer. */
export const codeParameter = 'code';
let tried: string | undefined;

/** The address that the document was opened with: a redirect of the portal may have dropped the code since. */
function opened(): string {
  const [document] = performance.getEntriesByType?.('navigation') ?? [];
  return document ? new URL(document.name).search : '';
}

/**
 * Redeems the code that stands in the address, once (7.6-activation-startup). The address waits for sign-in with the customer; a code
 * that is of no use says nothing, as nobody has asked (7.6-activation-startup-source).
 */
export function useActivation(): void {
  const { search } = useLocation();
  const code = [search, opened()].map((s) => new URLSearchParams(s).get(codeParameter)).find(Boolean);
  const { mutate } = api.useWrite('post', '/sustainable/activation/direct/{id}', { changes: changes.personal });
  useEffect(() => {
    if (!code || code === tried) return;
    tried = code;
    mutate({ path: { id: code }, body: undefined });
  }, [code, mutate]);
}
