/**
 * Converts typed text to HTML: an empty line begins a new paragraph, lines that begin with "- " are a list, **bold**, [text](address) and
 * addresses that begin with https are links. Text that contains HTML tags is returned as it is; the server sanitizes it.
 */
export function toHtml(typed: string): string {
  const text = typed.trim().replace(/\r\n?/g, '\n');
  if (tag.test(text)) return text;
  return text
    .split(/\n\s*\n/)
    .filter(Boolean)
    .map((block) => {
      let html = '';
      let open: 'p' | 'ul' | undefined;
      for (const line of block.split('\n')) {
        const point = /^\s*[-•*]\s+(.*)$/.exec(line);
        const kind = point ? 'ul' : 'p';
        if (open !== kind) html += `${open ? `</${open}>` : ''}<${kind}>`;
        else if (!point) html += '<br>';
        html += point ? `<li>${inline(point[1] ?? '')}</li>` : inline(line);
        open = kind;
      }
      return `${html}</${open}>`;
    })
    .join('');
}

/** Matches an HTML tag, but not <name@place>. */
const tag = /<\/?(?:a|b|blockquote|br|div|em|h[1-6]|i|li|ol|p|span|strong|table|u|ul)(?=[\s/>])[^<>]*>/i;
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? '&quot;');
const marks =
  /\[([^\]\n]+)\]\(((?:https?:\/\/|mailto:|tel:|\/)[^\s()]*)\)|\*\*([^*\n]+)\*\*|(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/g;

function inline(line: string): string {
  let html = '';
  let from = 0;
  for (const found of line.matchAll(marks)) {
    const [all, name, address, bold, bare] = found;
    html += escaped(line.slice(from, found.index));
    from = found.index + all.length;
    if (bold !== undefined) html += `<strong>${escaped(bold)}</strong>`;
    else html += `<a href="${escaped(address ?? bare ?? '')}">${escaped(name ?? bare ?? '')}</a>`;
  }
  return html + escaped(line.slice(from));
}
