import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const sources = globSync(['shell/src/**/*.tsx', 'remotes/*/src/**/*.tsx'], { cwd: root })
  .filter((file) => !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

/** Returns the opening tags of a component, including attributes. */
function tags(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`<${name}\\b`, 'g'))].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < text.length; at++) {
      if (text[at] === '{') depth++;
      else if (text[at] === '}') depth--;
      else if (text[at] === '>' && depth === 0) return text.slice(index, at + 1);
    }
    return text.slice(index);
  });
}

/** Returns the submit buttons that do not lead the customer to fields: those that are disabled, or whose reason names no field. */
function faults({ file, text }: { file: string; text: string }): string[] {
  const submits = [...tags(text, 'Button'), ...tags(text, 'button')].filter((tag) => tag.includes('type="submit"'));
  const named = /\{\.\.\.fields\.form\(|\{\.\.\.form\(/.test(text); // useFields lists them
  return [
    // a missing right is not a field
    ...submits.filter((tag) => /\b(disabled|disabledReason)=(?!\{may\.)/.test(tag)).map((tag) => `${file}: ${tag}`),
    ...tags(text, 'SaveButton')
      .filter(
        (tag) =>
          /\bdisabled=/.test(tag) || (/\bdisabledReason=/.test(tag) && !/\bfields=/.test(tag) && !named && !exempt.has(file)),
      )
      .map((tag) => `${file}: ${tag}`),
  ];
}

/**
 * Files whose save button is in another file's form, which lists the fields, or whose only reason is that the person may not write.
 */
const exempt = new Set(['remotes/account/src/change-form.tsx', 'remotes/account/src/contact-page.tsx']);

describe('forms', () => {
  row('9-submit-reasons', 'no submit of the product is disabled without links to the fields that this is about', () => {
    expect(sources.flatMap((one) => tags(one.text, 'SaveButton')).length).toBeGreaterThan(12);
    expect(sources.flatMap(faults)).toEqual([]);
  });

  test('a submit that says nothing of its fields is found', () => {
    const found = (text: string) => faults({ file: 'x.tsx', text }).length;
    expect(found('<Button type="submit" disabled={!valid}>Save</Button>')).toBe(1);
    expect(found('<Button type="submit" loading={busy}>Save</Button>')).toBe(0);
    expect(found('<SaveButton disabledReason={x > 3 ? "no" : undefined}>')).toBe(1);
    expect(found('<SaveButton busy={busy}>')).toBe(0);
    expect(found("<SaveButton disabledReason={disabledReason} fields={['a']}>")).toBe(0);
    expect(found('<Form {...fields.form(save)}><SaveButton disabledReason={fields.disabledReason}></Form>')).toBe(0);
  });
});
