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
