/** The order in the URL of /thank-you. Anybody can construct such a URL, so it does not prove a payment. */
export interface OrderInfo {
  reference: string;
  /** In cents. */
  amount: number;
}

/**
 * Decodes parameter n: URL-safe base64 of the JSON array [order reference, amount in euros]; undefined for any other value
 * (2.4-thank-you-encoding).
 */
export function readOrder(n: string | null): OrderInfo | undefined {
  try {
    const bytes = Uint8Array.from(atob((n ?? '').replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const [reference, euros, ...more] = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown[];
    if (typeof reference !== 'string' || reference === '' || typeof euros !== 'number' || more.length > 0) return undefined;
    return { reference, amount: Math.round(euros * 100) };
  } catch {
    return undefined;
  }
}
