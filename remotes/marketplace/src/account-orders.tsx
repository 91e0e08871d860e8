export default function AccountOrders(_: { hide(): void }) {
  return null;
}
