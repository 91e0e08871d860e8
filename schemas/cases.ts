import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The cases of rules/<id>.json, which test both the rule of the server and the same rule in a remote. */
export function cases<Case>(id: string): Case[] {
  const file = path.join(import.meta.dirname, 'rules', `${id}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases;
}
