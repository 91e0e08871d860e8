import { useEffect } from 'react';
import { api } from './api';

/** How long an order that is being prepared is left alone, in milliseconds. */
const patience = 3_000;

/** The orders, looked at again when the member comes back from paying in another tab, and while a payment is being made ready. */
export function useOrders() {
  const orders = api.useGet('/sustainable/orders');
  const { refetch } = orders;
  const preparing = orders.data?.some((o) => o.status === 'CREATED') ?? false;
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void refetch();
    };
    document.addEventListener('visibilitychange', look);
    const timer = preparing ? setInterval(look, patience) : undefined;
    return () => {
      document.removeEventListener('visibilitychange', look);
      clearInterval(timer);
    };
  }, [preparing, refetch]);
  return orders;
}
