export function files(): Record<string, string>;
