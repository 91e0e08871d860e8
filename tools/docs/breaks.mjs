/**
 * Adds line break opportunities to names in a table cell: after a dot or a slash (not after a leading []), and after an underscore
 * in a long part. Takes and returns HTML; tags and references such as &lt; are left unchanged.
 */
export const breaks = (html) =>
  html.replace(/<[^>]*>|&[#\w]+;|[^<&]+/g, (found) =>
    /^[<&]/.test(found)
      ? found
      : found
          .replace(/(?<!^\[\])([./])(?=[\p{L}<])/gu, '$1<wbr>')
          .replace(/[^\s./<>]{14,}/g, (part) => part.replace(/_(?=\p{L})/gu, '_<wbr>')),
  );

/** Adds line break opportunities to code and names in table cells. */
export function breakNames(md) {
  md.core.ruler.push('break-names', ({ tokens }) => {
    for (const [i, t] of tokens.entries())
      if (t.type === 'inline' && /^t[dh]_open$/.test(tokens[i - 1]?.type))
        for (const child of t.children) if (/^(code_inline|text)$/.test(child.type)) child.meta = { ...child.meta, cell: true };
  });
  for (const rule of ['code_inline', 'text']) {
    const own = md.renderer.rules[rule];
    md.renderer.rules[rule] = (...args) => {
      const html = own.apply(md.renderer.rules, args);
      return args[0][args[1]].meta?.cell ? breaks(html) : html;
    };
  }
}
