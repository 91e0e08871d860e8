/** 2.1-notices-place: does a notice concern a page? `pages` are names of routes; without any it concerns all of them. */
export function concerns({ pages }: { pages: readonly string[] }, page: string): boolean {
  if (pages.length === 0) return true;
  return pages.some((name) => {
    const path = name.startsWith('/') ? name : `/${name}`;
    return page === path || page.startsWith(`${path}/`);
  });
}

/** The ids that a device keeps; whatever else stands there counts as none. */
export function readIds(stored: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(String(stored));
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** What a device keeps once a notice is dismissed: of those that there are, so that it does not grow for ever. */
export const dismiss = (kept: readonly string[], id: string, there: readonly string[]): string[] =>
  there.filter((n) => n === id || kept.includes(n));
