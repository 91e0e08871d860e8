import purify from 'dompurify';

/** What a message may hold: text, its emphasis, lists and links. The server keeps no more than this (2.5-notifications-sanitise). */
const tags = ['a', 'b', 'blockquote', 'br', 'em', 'h3', 'h4', 'i', 'li', 'ol', 'p', 'strong', 'u', 'ul'];

/**
 * The message as elements that can do no harm: no scripts, handlers, forms or pictures, and links to the web, to mail, to telephones
 * and to pages of the portal only. It is not written as HTML again, so that nothing is read twice and differently.
 * @param newTab what a link that leaves the portal says of itself
 */
export function sanitise(html: string, newTab: string): DocumentFragment {
  const clean = purify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|\/(?![/\\]))/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of clean.querySelectorAll('a')) {
    if (!/^https?:/i.test(link.getAttribute('href') ?? '')) continue;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    const said = link.ownerDocument.createElement('span');
    said.textContent = ` ${newTab}`;
    link.append(said);
  }
  return clean;
}
