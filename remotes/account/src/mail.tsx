/** An email address; if it does not fit on its line, it breaks before the @. */
export function Mail({ address }: { address: string }) {
  const at = address.indexOf('@');
  return at < 0 ? (
    address
  ) : (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}
