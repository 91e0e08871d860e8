// @vitest-environment node
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const texts = (folder: string, locale: string): string[] =>
  Object.values(JSON.parse(readFileSync(path.join(root, folder, `${locale}.json`), 'utf8')));

// Texts that rows of section 8 quote, in their language, by the file that contains them.
const quoted: [folder: string, locale: 'nl' | 'en', text: string][] = [
  ['remotes/account/src/messages', 'en', 'Error saving email address!'],
  ['remotes/account/src/messages', 'en', 'Something went wrong with saving the phone number'],
  ['remotes/account/src/messages', 'en', 'This phone number is not valid. Please provide a valid phone number'],
  ['remotes/account/src/messages', 'en', 'Password successfully updated'],
  ['remotes/billing/src/messages', 'en', 'Error with updating of periodical payment!'],
  ['shell/src/messages', 'en', 'username or password incorrect'],
  ['remotes/marketplace/src/messages', 'nl', 'Ongeldige code'],
  ['remotes/marketplace/src/messages', 'nl', 'Ongeldige invoer'],
  ['remotes/onboarding/src/messages', 'nl', 'Ongeldige IBAN'],
  ['remotes/onboarding/src/messages', 'en', 'You must be 18 or older'],
  ['remotes/onboarding/src/messages', 'en', 'No special characters, spaces, or numbers'],
];

row('8-quoted-texts-reconcile', 'each quoted text is literally in the catalogue of its language and not in the other', () => {
  for (const [folder, locale, text] of quoted) {
    expect(
      texts(folder, locale).some((t) => t.includes(text)),
      `${text} in ${locale}`,
    ).toBe(true);
    const other = locale === 'nl' ? 'en' : 'nl';
    expect(
      texts(folder, other).some((t) => t.includes(text)),
      `${text} in ${other}`,
    ).toBe(false);
  }
});

row('1-languages', 'every text of shell, kit and remotes is there in Dutch and in English', () => {
  const catalogs = globSync(['shell/src/messages', 'shell/ui/messages', 'remotes/*/src/messages'], { cwd: root });
  expect(catalogs.length).toBeGreaterThan(8);
  for (const folder of catalogs) {
    const files = globSync('*.json', { cwd: path.join(root, folder) });
    expect(files.sort(), folder).toEqual(['en.json', 'nl.json']);
    const [en, nl] = files.map((f) => JSON.parse(readFileSync(path.join(root, folder, f), 'utf8')) as Record<string, string>);
    expect(Object.keys(nl ?? {}).sort(), folder).toEqual(Object.keys(en ?? {}).sort());
    for (const all of [en, nl])
      for (const [id, text] of Object.entries(all ?? {})) expect(text.trim(), `${folder} ${id}`).not.toBe('');
  }
});
