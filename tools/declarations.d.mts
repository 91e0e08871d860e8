export function declarations(dir: string): string;
