import { useEffect, useState } from 'react';
import { api, type Order } from './api';

/** Milliseconds between two fetches while a payment is being prepared. */
const refetchInterval = 3_000;
/** Number of times that the page after paying checks whether the payment has been confirmed, and the interval in milliseconds. */
const confirmations = 15;
const confirmationInterval = 2_000;

/** Returns the orders. Fetches them again when the member returns from the payment tab, and while a payment is being prepared. */
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

/**
 * Returns the signed-in member's order with the given reference, and fetches it again until its payment has been confirmed.
 * `waiting` is true in the meantime.
 */
export function useOrder(reference: string | undefined, enabled: boolean): { order: Order | undefined; waiting: boolean } {
  const orders = api.useGet('/sustainable/orders', {}, { enabled });
  const { refetch } = orders;
  const [attempts, setAttempts] = useState(0);
  const order = orders.data?.find((o) => o.deal_reference === reference);
  const open = order?.status === 'CREATED' || order?.status === 'AWAITING_PAYMENT';
  const waiting = open && attempts < confirmations;
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => void refetch().finally(() => setAttempts(attempts + 1)), confirmationInterval);
    return () => clearTimeout(timer);
  }, [waiting, attempts, refetch]);
  return { order, waiting };
}
