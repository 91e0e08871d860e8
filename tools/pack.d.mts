export function pack(o?: { to?: string; work?: string; version?: string }): Promise<string[]>;
