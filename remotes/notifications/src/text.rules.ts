/**
 * Converts typed text to HTML. An empty line starts a new paragraph, lines starting with "- " form a list, **bold** is bold, and
 * [text](address) and addresses starting with https become links. Text that contains HTML tags is returned unchanged; the server
 * sanitizes it.
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
