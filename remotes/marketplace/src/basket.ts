import { usePortal, useQueries } from '@wattle/sdk';
import { useEffect } from 'react';
import { api, type Basket } from './api';

const path = '/sustainable/basket';
const tab = Math.random().toString(36).slice(2);
/**
 * Returns the storage key of this tab's copy of the basket (4-basket-stored-locally). Tabs may show the basket at different times,
 * so each has its own copy. The shell removes keys of this form once their session has ended, because a browser that is killed
 * leaves them behind.
 */
export const copyKey = (session: string) => `wattle:of:${session}:basket:${tab}`;

export const useBasket = () => api.useGet(path);

/** Returns a function that stores the basket of a response in the query cache, because a response contains the whole basket. */
export function useStoreBasket(): (basket: Basket) => void {
  const queries = useQueries();
  return (basket) => queries.setQueryData([path, {}], basket);
}

/**
 * Keeps the copy equal to the server's last response, which is what the tab shows and sends (4-basket-storage-reconcile). The copy
 * is removed when the page closes and when sign-out clears the queries.
 */
export function useBasketCopy(): void {
  const queries = useQueries(); // the query cache receives every response, whichever component sent the request
  const key = copyKey(usePortal().session?.id ?? '');
  useEffect(() => {
    const drop = () => localStorage.removeItem(key);
    const leave = (event: PageTransitionEvent) => {
      if (!event.persisted) drop();
    };
    const stop = queries.getQueryCache().subscribe(({ type, query }) => {
      if (query.queryKey[0] !== path) return;
      if (type === 'removed') drop();
      else if (type === 'updated' && query.state.data) localStorage.setItem(key, JSON.stringify(query.state.data));
    });
    addEventListener('pagehide', leave);
    return () => {
      stop();
      removeEventListener('pagehide', leave);
    };
  }, [queries, key]);
}
