import purify from 'dompurify';

/** Allowed elements: paragraphs, emphasis, lists and links. The server allows no others (2.5-notifications-sanitise). */
const tags = ['a', 'b', 'blockquote', 'br', 'em', 'h3', 'h4', 'i', 'li', 'ol', 'p', 'strong', 'u', 'ul'];

/** Additional elements of a legal or help page (9-label-pages-safe). */
const pageTags = [...tags, 'code', 'h2', 'hr', 'pre', 'table', 'tbody', 'td', 'th', 'thead', 'tr'];
const pageLinks = /^(?:https:|mailto:|tel:|\/(?![/\\])|#p-)/i;
/** Prefix that the server adds to the id of a heading, so that it never equals an id of the portal. */
const headingId = /^p-/;

/**
 * Returns the sanitized message as elements: no scripts, handlers, forms or pictures, and only links to the web, email addresses,
 * phone numbers and portal pages. The result is never serialized, because a second parse could read it differently.
 * @param newTab text that is added to links that open in a new tab
 * @param page whether it is a page, with linked headings and tables
 */
export function sanitize(html: string, newTab: string, page = false): DocumentFragment {
  const clean = purify.sanitize(html, {
    ALLOWED_TAGS: page ? pageTags : tags,
    ALLOWED_ATTR: page ? ['href', 'id', 'start', 'align'] : ['href'],
    ADD_URI_SAFE_ATTR: ['align', 'start'], // their values are not URLs
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: page ? pageLinks : /^(?:https?:|mailto:|tel:|\/(?![/\\]))/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const element of clean.querySelectorAll('[id]')) if (!headingId.test(element.id)) element.removeAttribute('id');
  for (const link of clean.querySelectorAll('a')) {
    if (!/^https?:/i.test(link.getAttribute('href') ?? '')) continue;
    link.target = '_blank';
    link.rel = page ? 'noopener noreferrer nofollow' : 'noopener noreferrer';
    const marker = link.ownerDocument.createElement('span');
    marker.textContent = ` ${newTab}`;
    link.append(marker);
  }
  return clean;
}
