export default function AccountMoves(_: { hide(): void }) {
  return null;
}
