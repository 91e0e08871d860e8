import type { Locale, Path } from '@wattle/sdk';
import type { MessageDescriptor } from 'react-intl';
import type { Texts } from './locale';
import type { LabelPage, Portal } from './portal';

/** Path of the list of help pages; the label's own pages are below it. */
export const helpPath = '/pages';
export const pagePath = ({ slug }: LabelPage): Path => `${helpPath}/${slug}`;

/** The title of a page is a label text; `titleTexts` adds it to the texts of a language. */
export const titleOf = ({ slug, title }: LabelPage): MessageDescriptor & { id: string; defaultMessage: string } => ({
  id: `shell.page.${slug}`,
  defaultMessage: title.nl,
});

/** Returns the page titles by message id, as syntax trees: a title has no placeholders. */
export const titleTexts = (pages: readonly LabelPage[] | undefined, locale: Locale): Texts =>
  Object.fromEntries((pages ?? []).map((p) => [titleOf(p).id, [{ type: 0, value: p.title[locale] }]]));

/** Returns the pages that a visitor may read: only public ones without a session. */
export const readable = (portal: Pick<Portal, 'pages'>, signedIn: boolean): readonly LabelPage[] =>
  (portal.pages ?? []).filter((p) => signedIn || p.public);

/** Returns whether a path is a page of the label, or the list of help pages, that this visitor may read. */
export function isLabelPage(portal: Pick<Portal, 'pages'>, pathname: string, signedIn: boolean): boolean {
  const path = pathname.replace(/(?<=.)\/$/, '');
  const pages = readable(portal, signedIn);
  return pages.some((p) => pagePath(p) === path) || (path === helpPath && pages.some((p) => p.place === 'help'));
}
