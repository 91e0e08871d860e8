/** Which connection the usage-history overlay is about. */
export interface HistoryId {
  agreement_identifier: string;
  location_id: string;
  ean_code: string;
  /** The agreement feeds in. */
  delivery: boolean;
}

/** URL-safe base64 of its JSON, without padding (2.3-usage-history-encoding). */
export function encodeHistoryId({ agreement_identifier, location_id, ean_code, delivery }: HistoryId): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ agreement_identifier, location_id, ean_code, delivery }));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** undefined for what is no such id. */
export function decodeHistoryId(id: string): HistoryId | undefined {
  try {
    const bytes = Uint8Array.from(atob(id.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof read !== 'object' || read === null) return undefined;
    const { agreement_identifier: agreement, location_id: location, ean_code: ean, delivery } = read as Partial<HistoryId>;
    const texts = [agreement, location, ean];
    if (texts.some((t) => typeof t !== 'string' || t === '') || typeof delivery !== 'boolean') return undefined;
    return { agreement_identifier: agreement ?? '', location_id: location ?? '', ean_code: ean ?? '', delivery };
  } catch {
    return undefined;
  }
}
