import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Portal } from './harness';

/** Creates a label in the server's folder, from a copy of an existing one. */
export function newLabel(folder: string, key: string, from: string, change: (cue: string) => string): () => void {
  const dir = path.join(folder, key);
  mkdirSync(dir, { recursive: true });
  cpSync(path.join(folder, from, 'assets'), path.join(dir, 'assets'), { recursive: true });
  const cue = readFileSync(path.join(folder, from, 'label.cue'), 'utf8')
    .replaceAll(`${from}.localhost`, `${key}.localhost`)
    .replace(`label_key: "${from}"`, `label_key: "${key}"`)
    .replace(/name: "mijn\.[a-z]+\.example"/, `name: "mijn.${key}.example"`)
    .replace(/^(menu|slots): (.* )?\{\n(\t.*\n)*\}$/gm, '')
    .replace(/^(menu|slots): .*$/gm, '')
    .replace(/^\theader_style: .*$/m, '') // the journeys read menus in the rail
    .replace(/^promos: \[\n(\t.*\n)*\]$/m, '')
    .replace(/^pages: \[\n(\t.*\n)*\]$/m, '') // the label's pages link to modules that the copy lacks
    .replace('"/pages/privacy"', '"https://www.voorbeeld.example/privacy"');
  writeFileSync(path.join(dir, 'label.cue'), change(cue));
  return () => rmSync(dir, { recursive: true, force: true });
}

/** Waits until the server serves a new label. */
export async function waitForLabel(portal: Portal): Promise<void> {
  await expect(async () => {
    await portal.page.goto(portal.url('/'));
    await expect(portal.heading()).toHaveText('Inloggen', { timeout: 2_000 });
  }).toPass();
}
