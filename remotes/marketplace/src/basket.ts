import { useQueries } from '@wattle/sdk';
import { useEffect } from 'react';
import { api, type Basket } from './api';

const path = '/sustainable/basket';
/** Where the browser keeps its copy of the basket (4-basket-stored-locally). */
export const copyKey = 'wattle:basket';

export const useBasket = () => api.useGet(path);

/** What the browser has of the basket: sent along with every call about it. The server compares it, and never believes it. */
export function basketCopy(): Basket {
  try {
    return JSON.parse(localStorage.getItem(copyKey) ?? '') as Basket;
  } catch {
    return { items: [], total_amount: 0 };
  }
}

/** Puts the basket of an answer where every screen reads it. The answer holds all of it: asking again would only cost time. */
export function useTakeBasket(): (basket: Basket) => void {
  const queries = useQueries();
  return (basket) => queries.setQueryData([path, {}], basket);
}

/**
 * Keeps the copy: what the server answered last (4-basket-storage-reconcile). It goes with the page, and with the queries, which
 * sign-out empties.
 */
export function useBasketCopy(): void {
  const queries = useQueries(); // the only one who knows of every answer, whoever asked
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
