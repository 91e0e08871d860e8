export const root: string;
export const dist: string;
export const cache: string;
export const sources: Record<string, string>;
export function bin(name: string): string;
export function remotes(fixture?: boolean): { key: string; dir: string; entry: string; version: string; fixture: boolean }[];
