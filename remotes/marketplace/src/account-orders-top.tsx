import AccountOrders from './account-orders';

/** Unpaid orders, above the sections of the account page (9-account-to-pay). */
export default function AccountOrdersTop({ hide }: { hide(): void }) {
  return <AccountOrders onTop hide={hide} />;
}
