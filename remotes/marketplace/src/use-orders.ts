import { useEffect } from 'react';
import { api } from './api';

/** Milliseconds between two fetches while a payment is being prepared. */
const refetchInterval = 3_000;

/** Returns the orders. It fetches them again when the member returns from the payment tab, and while a payment is being prepared. */
export function useOrders() {
  const orders = api.useGet('/sustainable/orders');
  const { refetch } = orders;
  const preparing = orders.data?.some((o) => o.status === 'CREATED') ?? false;
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden) void refetch();
    };
    document.addEventListener('visibilitychange', refresh);
    const timer = preparing ? setInterval(refresh, refetchInterval) : undefined;
    return () => {
      document.removeEventListener('visibilitychange', refresh);
      clearInterval(timer);
    };
  }, [preparing, refetch]);
  return orders;
}
