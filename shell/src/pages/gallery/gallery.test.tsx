// @module-tag all
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { IntlProvider } from 'react-intl';
import * as recharts from 'recharts';
import { afterEach, describe, expect, vi } from 'vitest';
import Gallery, { groups } from './gallery';
import { kit } from './kit.gen';

afterEach(cleanup);

const root = path.resolve(import.meta.dirname, '../../../..');
const packages = ['ui', 'charts'].flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(path.join(root, `shell/${name}/package.json`), 'utf8')) as {
    exports: Record<string, { 'wattle-source'?: string }>;
  };
  return Object.entries(exports).flatMap(([entry, target]) =>
    target['wattle-source']
      ? [{ entry: `@wattle/${name}${entry.slice(1)}`, file: path.join(root, 'shell', name, target['wattle-source']) }]
      : [],
  );
});

/** What React can render: functions and the results of styled-components, lazy and createContext, with the name of a component. */
const isComponent = (name: string, value: unknown) =>
  /^[A-Z][a-z]/.test(name) &&
  (typeof value === 'function' || (typeof value === 'object' && value !== null && '$$typeof' in value));

/** The exported components of the packages, with the entry of each. */
async function exported() {
  const found = new Map<string, string>();
  for (const { entry, file } of packages)
    for (const [name, value] of Object.entries((await import(file)) as Record<string, unknown>))
      if (isComponent(name, value) && !found.has(name) && (recharts as Record<string, unknown>)[name] !== value)
        found.set(name, entry);
  return found;
}

const entries = groups.flatMap((group) => Object.entries(group.entries));
const show = (locale: 'nl' | 'en' = 'en') =>
  render(
    <IntlProvider locale={locale} onError={() => undefined}>
      <Gallery />
    </IntlProvider>,
  );

describe('the gallery', () => {
  row(
    '10-reference-gallery',
    'every exported component has an example that draws it, a sentence in both languages and its props',
    async () => {
      const all = await exported();
      expect(all.size).toBeGreaterThan(70);
      expect(entries.map(([name]) => name).sort()).toEqual([...all.keys()].sort());
      for (const [name, { use }] of entries) {
        const documented = kit[name];
        expect(documented, `${name} is not in kit.gen.js`).toBeDefined();
        expect(documented?.source, `the example of ${name}`).toContain(`<${name}`);
        expect(documented?.source, `the source of ${name} is for remotes`).not.toMatch(/\bsay\(|from '\./);
        for (const sentence of use) expect(sentence, name).toMatch(/^[A-Z].+\.$/s);
        expect(use[0], name).not.toBe(use[1]);
      }
      expect(kit.Button?.props.find((prop) => prop.name === 'variant')).toEqual({
        name: 'variant',
        type: "'primary' | 'secondary' | 'quiet' | 'danger'",
        optional: true,
        default: "'secondary'",
        description: 'How prominent the button is. Use at most one `primary` on a screen.',
      });
    },
  );

  row('10-reference-gallery', 'each group shows its examples live, with props and source; the source can be copied', async () => {
    const user = userEvent.setup();
    show();
    for (const group of groups) {
      await user.click(within(screen.getByRole('group', { name: 'Group' })).getByRole('button', { name: group.title[1] }));
      const shown = [...document.querySelectorAll('[data-component]')];
      expect(shown.map((one) => one.id)).toEqual(Object.keys(group.entries));
      for (const one of shown) {
        const example = one.querySelector('[data-example]');
        if (one.id !== 'ChartBox') expect(example?.textContent || example?.querySelector('*'), one.id).toBeTruthy();
        expect(one.querySelector('pre')?.textContent, one.id).toBe(kit[one.id]?.source);
      }
    }
    await user.click(screen.getByRole('button', { name: groups[0]?.title[1] ?? '' }));
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    const button = document.getElementById('Button') as HTMLElement;
    await user.click(within(button).getByRole('button', { name: /^Props/ }));
    expect(within(button).getByRole('table', { name: 'Props of Button' })).toBeVisible();
    await user.click(within(button).getByRole('button', { name: 'Source of the example' }));
    await user.click(within(button).getByRole('button', { name: 'Copy the source of Button' }));
    expect(write).toHaveBeenCalledWith(kit.Button?.source);
  });

  row('10-reference-gallery', 'a search finds components of all groups, in the language of the page', async () => {
    const user = userEvent.setup();
    show('nl');
    await user.type(screen.getByRole('searchbox', { name: 'Zoek een component' }), 'rekeningnummer');
    expect([...document.querySelectorAll('[data-component]')].map((one) => one.id)).toEqual(['IbanField']);
    expect(screen.getByText('1 component')).toBeVisible();
  });
});
