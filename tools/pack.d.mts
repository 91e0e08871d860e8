export function pack(o?: { to?: string; work?: string }): Promise<string[]>;
