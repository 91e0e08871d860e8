/** Where a name in a cell of a table may break. */
export function breaks(html: string): string;
/** Lets code and names in the text of cells break where a name may. */
export function breakNames(md: unknown): void;
