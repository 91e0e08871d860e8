import purify from 'dompurify';

/** Allowed elements: paragraphs, emphasis, lists and links. The server allows no others (2.5-notifications-sanitise). */
const tags = ['a', 'b', 'blockquote', 'br', 'em', 'h3', 'h4', 'i', 'li', 'ol', 'p', 'strong', 'u', 'ul'];

/**
 * Returns the sanitized message as elements: no scripts, handlers, forms or pictures, and only links to the web, mail, telephone numbers
 * and pages of the portal. The result is never serialized, because a second parse could read it differently.
 * @param newTab text that is added to links that open in a new tab
 */
export function sanitize(html: string, newTab: string): DocumentFragment {
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
    const marker = link.ownerDocument.createElement('span');
    marker.textContent = ` ${newTab}`;
    link.append(marker);
  }
  return clean;
}
