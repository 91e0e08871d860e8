/**
 * Returns whether a notice is shown on a page (2.1-notices-place). `pages` are route names; if it is empty, the notice is shown on
 * all pages.
 */
export function isShownOn({ pages }: { pages: readonly string[] }, page: string): boolean {
  if (pages.length === 0) return true;
  return pages.some((name) => {
    const path = name.startsWith('/') ? name : `/${name}`;
    return page === path || page.startsWith(`${path}/`);
  });
}

/** Parses the stored ids; returns none if the value is invalid. */
export function readIds(stored: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(String(stored));
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Returns the dismissed ids to store: only those of existing notices, so that the list stays short. */
export const dismiss = (kept: readonly string[], id: string, there: readonly string[]): string[] =>
  there.filter((n) => n === id || kept.includes(n));

/** The fields that determine the order of notices. */
interface Dated {
  id: string;
  kind: string;
  publication_date_time: string;
  until: string | null;
}

/**
 * Returns the notices, most urgent first (9-notice-one): the label's notices before market news, then by last day, then newest
 * first. A notice without a last day comes after those that have one.
 */
export const byUrgency = <N extends Dated>(notices: readonly N[]): N[] =>
  [...notices].sort(
    (a, b) =>
      Number(a.kind === 'market_message') - Number(b.kind === 'market_message') ||
      compare(a.until ?? '9999-12-31', b.until ?? '9999-12-31') ||
      compare(b.publication_date_time, a.publication_date_time) ||
      compare(a.id, b.id),
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Number of days for which a notice may have its own line above a page's content. */
const freshDays = 60;

/**
 * Returns whether the most urgent notice has its own line: not if it is older than 60 days, because customers have had time to read
 * it.
 */
export const firstLine = (published: string, today: string): boolean =>
  (Date.parse(today) - Date.parse(published)) / 86_400_000 <= freshDays;
