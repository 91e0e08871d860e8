import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Sections of the documentation and their pages, by file; missing pages are omitted. */
const sections = [
  [
    'Begin',
    [
      'docs/README.md',
      'docs/first-ten-minutes.md',
      'docs/first-label.md',
      'docs/first-import.md',
      'docs/first-module.md',
      'docs/glossary.md',
    ],
  ],
  ['Labels', ['docs/labels.md']],
  [
    'Modules',
    ['docs/modules.md', 'docs/remotes.md', 'docs/contract.md', 'docs/examples/outages/README.md', 'docs/design-of-screens.md'],
  ],
  [
    'In production',
    [
      'docs/in-production.md',
      'docs/install.md',
      'docs/operations.md',
      'docs/monitoring.md',
      'docs/reliability.md',
      'docs/partitioning.md',
      'docs/plugins.md',
    ],
  ],
  ['Runbooks', ['docs/runbooks/*.md']],
  ['Security', ['docs/security.md', 'docs/security/*.md', 'SECURITY.md']],
  [
    'Reference',
    [
      'docs/reference/README.md',
      'docs/reference/commands.md',
      'docs/reference/settings.md',
      'docs/reference/api/README.md',
      'docs/reference/events.md',
      'docs/reference/services.md',
      'docs/reference/slots.md',
      'docs/reference/components.md',
    ],
  ],
  ['API by module', ['docs/reference/api/[!R]*.md']],
  ['Go contract', ['docs/reference/go/*.md']],
  ['npm packages', ['docs/reference/npm/*.md']],
  ['Change Wattle', ['CONTRIBUTING.md', 'docs/architecture.md', 'CHANGELOG.md']],
  ['Decisions', ['docs/decisions/README.md', 'docs/decisions/0*.md', 'docs/decisions/measurements/*.md']],
];
/** Too many pages for the navigation: the first page of their section lists them. */
const isListed = (file) => /^docs\/decisions\/(measurements\/)?\d/.test(file);

/** Names in the navigation, if the page title is not what a reader looks for there. */
const names = {
  'docs/README.md': 'Overview',
  'docs/labels.md': 'All that a label can say',
  'docs/examples/outages/README.md': 'Example: outages',
};

const found = (root) => sections.map(([text, patterns]) => [text, patterns.flatMap((p) => globSync(p, { cwd: root }).sort())]);

const top = { 'CHANGELOG.md': 'changelog', 'CONTRIBUTING.md': 'contributing', 'SECURITY.md': 'report-a-vulnerability' };

/** Returns the path of a file's page: without docs/ and .md. */
const address = (file) =>
  top[file] ??
  file
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index')
    .replace(/\.md$/, '');

/** Returns the first heading of a file, without code marks. */
function title(root, file) {
  const heading = /^# (.+)$/m.exec(readFileSync(path.join(root, file), 'utf8'));
  if (!heading) throw new Error(`${file} has no title`);
  return heading[1].replaceAll('`', '');
}

/** Returns pages and their titles by file, and patterns for all other Markdown files. */
export function pages(root) {
  const bySource = new Map(found(root).flatMap(([, files]) => files.map((f) => [f, address(f)])));
  for (const file of globSync('docs/*.md', { cwd: root }))
    if (!bySource.has(file)) throw new Error(`${file} is in no section of tools/docs/pages.mjs`);
  const excluded = globSync(['*.md', 'docs/**/*.md'], { cwd: root, exclude: (f) => f.endsWith('node_modules') }).filter(
    (f) => !bySource.has(f),
  );
  return {
    bySource,
    titles: new Map([...bySource.keys()].map((file) => [file, title(root, file)])),
    excluded: [
      ...excluded,
      '{bin,core,data,deploy,labels,modules,node_modules,remotes,schemas,shell,test,test-results,tools}/**',
    ],
  };
}

/** The navigation. */
export const sidebar = (root) =>
  found(root)
    .filter(([, files]) => files.length > 0)
    .map(([text, files]) => ({
      text,
      items: files
        .filter((f) => !isListed(f))
        .map((f) => ({ text: names[f] ?? title(root, f), link: `/${address(f).replace(/(^|\/)index$/, '$1')}` })),
    }));
