import type { Texts } from './locale';

const syntax = /[{}<>]|''/;

async function parser() {
  const load = () => import(/* webpackChunkName: "parser" */ '@formatjs/icu-messageformat-parser');
  return (await load().catch(load)).parse; // one retry
}

/**
 * Parses texts into the syntax trees of react-intl. The catalogs of this repository are compiled to trees, so the browser needs no
 * parser for them (tools/webpack.mjs); titles of remotes, a label's own texts and catalogs of other repositories may be strings.
 * The parser is fetched only if one of them has placeholders. Empty and invalid texts are omitted, so that the text that they would
 * override is used.
 */
export async function trees(texts: Readonly<Texts>): Promise<Texts> {
  const all = Object.entries(texts);
  const written = all.some(([, text]) => typeof text === 'string' && syntax.test(text));
  const parse = written ? await parser().catch(() => undefined) : undefined;
  const tree = (id: string, text: unknown): unknown => {
    if (typeof text !== 'string') return text;
    if (text === '') return undefined;
    if (!syntax.test(text)) return [{ type: 0, value: text }]; // no placeholders
    try {
      return parse?.(text);
    } catch (cause) {
      console.warn(`text ${id} is invalid: ${cause}`);
      return undefined;
    }
  };
  return Object.fromEntries(all.map(([id, text]) => [id, tree(id, text)]).filter(([, text]) => text !== undefined));
}
