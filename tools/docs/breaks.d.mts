/** Adds line break opportunities to names in a table cell. */
export function breaks(html: string): string;
/** Adds line break opportunities to code and names in table cells. */
export function breakNames(md: unknown): void;
