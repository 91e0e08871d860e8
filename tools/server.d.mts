export const binary: string;
export const clock: string;
export const chromium: { executablePath: string; args: string[] };
export interface Server {
  port: number;
  data: string;
  origin(host: string): string;
  stop(): Promise<void>;
}
export function serve(o?: { args?: string[]; labels?: string; env?: Record<string, string> }): Promise<Server>;
