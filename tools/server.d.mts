import type { BrowserContext } from '@playwright/test';

export const binary: string;
export const clock: string;
export const chromium: { executablePath: string; args: string[] };
export interface Server {
  port: number;
  data: string;
  origin(host: string): string;
  call(host: string, method: string, url: string, body?: unknown): Promise<{ body: unknown; cookie: string | undefined }>;
  signIn<C extends { username: string; password: string }>(host: string, context: BrowserContext, customer?: C): Promise<C>;
  stop(): Promise<void>;
}
export function serve(o?: { args?: string[]; labels?: string; env?: Record<string, string> }): Promise<Server>;
