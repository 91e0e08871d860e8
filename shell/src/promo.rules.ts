/** Number of closed promos that a browser remembers: more than a label can have. */
const remembered = 20;

/** Returns the names of the closed promos in a stored text; none for anything else. */
export function closedIn(stored: string | null): readonly string[] {
  try {
    const names: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** Returns the text to store once a promo is closed. */
export const addClosed = (stored: string | null, name: string): string =>
  JSON.stringify([...closedIn(stored).filter((other) => other !== name), name].slice(-remembered));
