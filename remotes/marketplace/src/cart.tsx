export default function Cart(_: { hide(): void }) {
  return null;
}
