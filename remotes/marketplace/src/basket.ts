import { useQueries } from '@wattle/sdk';
import { useEffect } from 'react';
import { api, type Basket } from './api';

const path = '/sustainable/basket';
/** Storage key of the browser's copy of the basket (4-basket-stored-locally). */
export const copyKey = 'wattle:basket';

export const useBasket = () => api.useGet(path);

/** Returns the browser's copy of the basket, which is sent with every basket call. The server compares it and never trusts it. */
export function basketCopy(): Basket {
  try {
    return JSON.parse(localStorage.getItem(copyKey) ?? '') as Basket;
  } catch {
    return { items: [], total_amount: 0, administration_costs: 0, amount_due: 0 };
  }
}

/** Returns a function that stores the basket of a response in the query cache, because the response has the whole basket. */
export function useStoreBasket(): (basket: Basket) => void {
  const queries = useQueries();
  return (basket) => queries.setQueryData([path, {}], basket);
}

/**
 * Keeps the copy equal to the server's last response (4-basket-storage-reconcile). It is removed when the page closes and when sign-out
 * clears the queries.
 */
export function useBasketCopy(): void {
  const queries = useQueries(); // the query cache gets every response, whichever component sent the request
  useEffect(() => {
    const drop = () => localStorage.removeItem(copyKey);
    const leave = (event: PageTransitionEvent) => {
      if (!event.persisted) drop();
    };
    const stop = queries.getQueryCache().subscribe(({ type, query }) => {
      if (query.queryKey[0] !== path) return;
      if (type === 'removed') drop();
      else if (type === 'updated' && query.state.data) localStorage.setItem(copyKey, JSON.stringify(query.state.data));
    });
    addEventListener('pagehide', leave);
    return () => {
      stop();
      removeEventListener('pagehide', leave);
    };
  }, [queries]);
}
