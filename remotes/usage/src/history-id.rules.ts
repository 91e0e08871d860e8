/** The connection in the URL of the usage-history overlay. */
export interface HistoryId {
  agreement_identifier: string;
  location_id: string;
  ean_code: string;
  /** Whether the agreement includes feed-in. */
  delivery: boolean;
}

/** Encodes an id as the URL-safe base64 of its JSON, without padding (2.3-usage-history-encoding). */
export function encodeHistoryId({ agreement_identifier, location_id, ean_code, delivery }: HistoryId): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ agreement_identifier, location_id, ean_code, delivery }));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Decodes an id; undefined when it is invalid. */
export function decodeHistoryId(id: string): HistoryId | undefined {
  try {
    const bytes = Uint8Array.from(atob(id.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    // A string or number has none of these fields, and reading a field of null throws.
    const read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<keyof HistoryId, unknown>;
    const { agreement_identifier, location_id, ean_code, delivery } = read;
    if (!isFilled(agreement_identifier) || !isFilled(location_id) || !isFilled(ean_code) || typeof delivery !== 'boolean')
      return undefined;
    return { agreement_identifier, location_id, ean_code, delivery };
  } catch {
    return undefined;
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
