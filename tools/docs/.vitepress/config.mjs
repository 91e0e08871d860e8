import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig } from 'vitepress';
import { breakNames } from '../breaks.mjs';
import { finish } from '../finish.mjs';
import { pages, sidebar } from '../pages.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const base = '/docs/';
const isBuild = process.argv.includes('build');
const { bySource, titles, excluded } = pages(root);

// The pages' security policy does not allow the style attributes with which Shiki colors code.
const colors = transformerStyleToClass({ classPrefix: 'c-' });
const site = finish({ base, colors });

/** Makes the same anchors as GitHub, so that a link works in both places. */
const slugify = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/**
 * Adapts links between files of the repository. A link to a file that is not a page becomes its text, because a portal does not
 * serve the file. A link whose text is the file name gets the title of the page.
 */
function adaptLinks(md) {
  md.core.ruler.push('links', ({ tokens, env }) => {
    const from = env.realPath ?? env.path;
    for (const inline of tokens.filter((t) => t.type === 'inline' && t.children)) {
      const kept = [];
      let dropped = false;
      for (const [i, t] of inline.children.entries()) {
        if (t.type === 'link_close' && dropped) {
          dropped = false;
          continue;
        }
        const href = t.type === 'link_open' ? t.attrGet('href') : null;
        if (href && !/^(#|[a-z]+:)/.test(href)) {
          const [file, anchor] = href.split('#');
          const target = path.relative(root, path.resolve(path.dirname(from), file));
          if (!existsSync(path.join(root, target)))
            throw new Error(`${path.relative(root, from)}: the link ${href} leads to no file`);
          const isFolder = statSync(path.join(root, target)).isDirectory();
          const source = isFolder ? path.join(target, 'README.md') : target;
          const page = bySource.get(source);
          if (page === undefined) {
            dropped = true;
            continue;
          }
          const text = inline.children[i + 1];
          if ([file, target, path.basename(file)].includes(text?.content))
            Object.assign(text, { type: 'text', content: titles.get(source) });
          t.attrSet('href', `/${page.replace(/(^|\/)index$/, '$1')}${anchor ? `#${anchor}` : ''}`);
        }
        kept.push(t);
      }
      inline.children = kept;
    }
  });
}

/** Removes the head of a table whose columns have no names. */
function removeEmptyHeads(md) {
  md.core.ruler.push('heads', (state) => {
    const head = [];
    state.tokens = state.tokens.filter((t, i, all) => {
      if (t.type === 'thead_open') {
        const end = all.findIndex((x, n) => n > i && x.type === 'thead_close');
        const cells = all.slice(i, end + 1);
        head.splice(0, head.length, ...(cells.some((x) => x.content) ? [] : cells));
      }
      return !head.includes(t);
    });
  });
}

/** Pages are text: Vue must not evaluate what is between braces. */
function escapeBraces(md) {
  for (const rule of ['text', 'code_inline']) {
    const own = md.renderer.rules[rule];
    md.renderer.rules[rule] = (...args) => own.apply(md.renderer.rules, args).replaceAll('{{', '&#123;&#123;');
  }
}

/**
 * Corrects roles and names in the search box: VitePress makes the whole box a button, makes results elements that contain a link,
 * and uses an icon as the name.
 */
const searchRoles = [
  [/:aria-label="\[\.\.\.p\.titles[^"]*"/, ''], // the visible text is the name
  ['class="title-icon"', 'class="title-icon" aria-hidden="true"'],
  [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
  [/aria-labelledby="localsearch-label"(?=\s+autocapitalize)/, 'aria-label="Search"'],
  [/:aria-labelledby="results[^"]*"/, `:aria-label="results?.length ? 'Results' : undefined"`],
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"\s+aria-labelledby="localsearch-label"/,
    'role="dialog" aria-modal="true" aria-label="Search"',
  ],
  [/:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/, 'role="presentation"'],
  [
    /:href="p\.id"\s+class="result"/,
    `:href="p.id" class="result" role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
  ],
  [
    'aria-autocomplete="both"',
    'role="combobox" aria-autocomplete="list" :aria-expanded="results?.length ? \'true\' : \'false\'"',
  ],
];

export default defineConfig({
  srcDir: root,
  srcExclude: excluded,
  rewrites: (id) => (bySource.has(id) ? `${bySource.get(id)}.md` : id),
  outDir: path.join(root, 'core/internal/http/docsite/dist'),
  cacheDir: path.join(root, '.cache/docs'),
  base,
  lang: 'en',
  title: 'Wattle',
  titleTemplate: ':title · Wattle',
  description: 'Documentation of Wattle, a customer portal for energy retailers and cooperatives',
  cleanUrls: true,
  appearance: { initialValue: 'auto', disableTransition: false }, // disabling transitions would write an inline style
  contentProps: { class: 'wattle-content' }, // instead of an inline style
  metaChunk: true, // a file instead of a script in each page, which the pages' policy does not allow
  buildConcurrency: 1, // keeps the order of pages in the search index, so that the same sources give the same bytes
  ignoreDeadLinks: true, // finish.mjs checks the links in the output, including anchors
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: isBuild ? [colors] : [],
    config(md) {
      adaptLinks(md);
      removeEmptyHeads(md);
      breakNames(md);
      escapeBraces(md);
    },
  },
  themeConfig: {
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
        detailedView: 'auto',
        miniSearch: { searchOptions: { boost: { title: 4, titles: 2, text: 1 }, fuzzy: 0.2, prefix: true } },
      },
    },
    sidebar: sidebar(root),
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  transformHtml: site.page,
  buildEnd: ({ outDir }) => site.end(outDir),
  vite: {
    plugins: [
      {
        name: 'roles-of-search',
        enforce: 'pre',
        transform(code, id) {
          if (!id.endsWith('/VPLocalSearchBox.vue')) return null;
          return searchRoles.reduce((text, [from, to]) => {
            const changed = text.replace(from, to);
            if (changed === text) throw new Error(`the search box of VitePress has changed: no ${from}`);
            return changed;
          }, code);
        },
      },
      {
        name: 'packages-of-pages', // pages are compiled where they are, which is outside the folder of these packages
        enforce: 'pre',
        resolveId(id, from) {
          return /^vue(\/|$)/.test(id) && from?.endsWith('.md')
            ? this.resolve(id, import.meta.filename, { skipSelf: true })
            : null;
        },
      },
    ],
    build: { chunkSizeWarningLimit: 4096 },
    server: { fs: { allow: [root] } },
  },
});
