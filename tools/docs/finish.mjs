import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const hash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Adapts VitePress output to a policy without inline scripts and styles, checks its links, and compresses it. */
export function finish({ base, colors }) {
  const files = new Map(); // text by path
  const asFile = (text, type) => {
    const file = `assets/inline.${hash(text)}.${type}`;
    files.set(file, text);
    return base + file;
  };
  return {
    page: (html) =>
      html
        .replace(/<script id="[^"]*">([^<]+)<\/script>/g, (_, text) => `<script src="${asFile(text, 'js')}"></script>`)
        .replaceAll(' style="--vp-vh:0px;"', '') // the theme sets this when the menu opens
        .replace('</head>', `<link rel="stylesheet" href="${asFile(colors.getCSS(), 'css')}"></head>`),
    end(dir) {
      for (const [file, text] of files) writeFileSync(path.join(dir, file), text);
      const all = globSync('**/*.*', { cwd: dir });
      writeFileSync(path.join(dir, '.keep'), ''); // VitePress has emptied the folder
      const wrong = [...inline(dir, all), ...deadLinks(dir, all, base)];
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      for (const file of all.filter((f) => /\.(html|js|css|json|svg)$/.test(f))) {
        const at = path.join(dir, file);
        writeFileSync(`${at}.gz`, gzipSync(readFileSync(at), { level: 9 }));
        rmSync(at);
      }
    },
  };
}

/** Returns scripts and styles inside pages, which the policy would block. */
const inline = (dir, all) =>
  all
    .filter((f) => f.endsWith('.html'))
    .flatMap((f) => {
      const html = readFileSync(path.join(dir, f), 'utf8');
      return [...html.matchAll(/<script(?![^>]* src=)[^>]*>|<style|<[a-z][^<>]* style="[^"]*"|<[a-z][^<>]* on[a-z]+="/g)].map(
        (m) => `${f}: inline ${m[0]}`,
      );
    });

/** Returns broken links between pages. */
function deadLinks(dir, all, base) {
  const html = new Map(all.filter((f) => f.endsWith('.html')).map((f) => [f, readFileSync(path.join(dir, f), 'utf8')]));
  const ids = new Map([...html].map(([f, text]) => [f, new Set([...text.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]))]));
  const names = new Set(all);
  const dead = new Set();
  for (const [file, text] of html)
    for (const [, href] of text.matchAll(/ href="([^"]+)"/g)) {
      if (!href.startsWith('#') && !href.startsWith(base)) continue;
      const [at, anchor] = decodeURI(href).split('#');
      const name = at.slice(base.length);
      const target = at === '' ? file : [name, `${name}.html`, `${name}index.html`].find((n) => names.has(n));
      if (!target) dead.add(`${file}: ${href} leads to no page`);
      else if (anchor && !ids.get(target)?.has(anchor)) dead.add(`${file}: ${href} leads to no heading`);
    }
  return [...dead];
}
