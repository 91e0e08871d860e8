/** Maximum number of closed promos that a browser remembers: more than a label can have. */
const maxRemembered = 20;

/** Returns the names of the closed promos in a stored string; none if it is invalid. */
export function closedIn(stored: string | null): readonly string[] {
  try {
    const names: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** Returns the string to store after a promo has been closed. */
export const addClosed = (stored: string | null, name: string): string =>
  JSON.stringify([...closedIn(stored).filter((other) => other !== name), name].slice(-maxRemembered));
