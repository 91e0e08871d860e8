/** Returns whether a notice is shown on a page (2.1-notices-place). `pages` are route names; without any it is shown on all pages. */
export function isShownOn({ pages }: { pages: readonly string[] }, page: string): boolean {
  if (pages.length === 0) return true;
  return pages.some((name) => {
    const path = name.startsWith('/') ? name : `/${name}`;
    return page === path || page.startsWith(`${path}/`);
  });
}

/** Parses the stored ids; anything else counts as none. */
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

/** What the order of notices depends on. */
interface Dated {
  id: string;
  kind: string;
  publication_date_time: string;
  until: string | null;
}

/**
 * Returns notices with the most urgent first (9-notice-one): those of the label before news of the market, then what ends first, then what
 * is newer. A notice without a last day ends after all others.
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

/** Number of days that a notice may have a line of its own above the content of a page. */
const freshDays = 60;

/** Returns whether the most urgent notice has a line: not when it is older than 60 days, which customers have had time to read. */
export const firstLine = (published: string, today: string): boolean =>
  (Date.parse(today) - Date.parse(published)) / 86_400_000 <= freshDays;
