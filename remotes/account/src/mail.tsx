/** An e-mail address that is too long for its line goes on with its domain on the next. */
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
