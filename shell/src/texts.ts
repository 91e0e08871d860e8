import type { Texts } from './locale';

const syntax = /[{}<>]|''/;

async function parser() {
  const load = () => import(/* webpackChunkName: "parser" */ '@formatjs/icu-messageformat-parser');
  return (await load().catch(load)).parse; // once more when the network failed
}

/**
 * Texts as react-intl draws them. Those of this repository are syntax trees already, so the browser gets no parser with react-intl
 * (tools/webpack.mjs); titles of remotes, a label's own texts and the catalogues of remotes built elsewhere may be written out. The
 * parser is fetched only when one of them has placeholders. What says nothing or cannot be read is left out, so that the text below
 * it shows.
 */
export async function trees(texts: Readonly<Texts>): Promise<Texts> {
  const all = Object.entries(texts);
  const written = all.some(([, text]) => typeof text === 'string' && syntax.test(text));
  const parse = written ? await parser().catch(() => undefined) : undefined;
  const tree = (id: string, text: unknown): unknown => {
    if (typeof text !== 'string') return text;
    if (text === '') return undefined;
    if (!syntax.test(text)) return [{ type: 0, value: text }]; // a literal
    try {
      return parse?.(text);
    } catch (cause) {
      console.warn(`text ${id} cannot be read: ${cause}`);
      return undefined;
    }
  };
  return Object.fromEntries(all.map(([id, text]) => [id, tree(id, text)]).filter(([, text]) => text !== undefined));
}
