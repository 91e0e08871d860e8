import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { compose } from './compose';
import { isLabelPage, readable, titleTexts } from './label-pages';
import { isOpen } from './open-paths';
import type { LabelPage } from './portal';
import { routeTables } from './routes';

const page = (slug: string, place: LabelPage['place'], isPublic = true): LabelPage => ({
  slug,
  title: { nl: `${slug} {nl}`, en: `${slug} '<b>'` },
  public: isPublic,
  place,
});
const pages = [page('terms', 'footer'), page('members', 'menu', false), page('meeting', 'help', false)];
const composition = compose([], { kind: 'customer', mobile: false, settings: {} });
const paths = (role: 'customer' | 'staff' | undefined) =>
  routeTables(composition, { demo: false, hasHome: false, role, pages: readable({ pages }, role !== undefined) }).public.map(
    (r) => r.path,
  );

row('9-label-pages', 'only a public page opens without a session', () => {
  for (const path of ['/pages/terms', '/pages/terms/'])
    expect(isOpen(path, composition, { demo: false, pages }), path).toBe(true);
  for (const path of ['/pages/members', '/pages/meeting', '/pages/nowhere', '/pages', '/pages/terms/more'])
    expect(isOpen(path, composition, { demo: false, pages }), path).toBe(false);
  for (const path of ['/pages/members', '/pages']) expect(isLabelPage({ pages }, path, true), path).toBe(true);
  expect(isLabelPage({ pages }, '/pages/nowhere', true)).toBe(false);
  expect(paths(undefined)).toContain('/pages/terms');
  expect(paths(undefined)).not.toContain('/pages/members');
  expect(paths('customer')).toEqual(expect.arrayContaining(['/pages/terms', '/pages/members', '/pages']));
  expect(paths('staff')).toContain('/pages/members');
});

row('9-label-pages', 'a title is the text that the label wrote, in the language of the visitor', () => {
  expect(titleTexts(pages.slice(0, 1), 'nl')).toEqual({ 'shell.page.terms': [{ type: 0, value: 'terms {nl}' }] });
  expect(titleTexts(pages.slice(0, 1), 'en')).toEqual({ 'shell.page.terms': [{ type: 0, value: "terms '<b>'" }] });
});
