import { useEffect } from 'react';
import { api } from './api';

/** How often an order that is being prepared is looked at again, and how long is waited longer each time. */
const looks = 6;
const wait = 1_500;

/** The orders, looked at again when the member comes back from paying in another tab, and while a payment is being made ready. */
export function useOrders() {
  const orders = api.useGet('/sustainable/orders');
  const { refetch } = orders;
  const preparing = orders.data?.some((o) => o.status === 'CREATED') ?? false;
  useEffect(() => {
    const back = () => {
      if (document.visibilityState === 'visible') void refetch();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [refetch]);
  useEffect(() => {
    if (!preparing) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = (n: number) => {
      timer = setTimeout(() => {
        void refetch();
        if (n < looks) look(n + 1);
      }, wait * n);
    };
    look(1);
    return () => clearTimeout(timer);
  }, [preparing, refetch]);
  return orders;
}
