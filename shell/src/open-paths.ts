import { type Composition, isPublicPath, matches } from './compose';
import { isLabelPage } from './label-pages';
import type { Portal } from './portal';

/** Returns whether a path may be shown without a session. */
export function isOpen(pathname: string, c: Composition, portal: Pick<Portal, 'demo' | 'pages'>): boolean {
  return (
    isPublicPath(pathname, c) ||
    isLabelPage(portal, pathname, false) ||
    (portal.demo && pathname.startsWith('/dev/')) ||
    c.routes.some((r) => r.access === 'public' && matches(r.path, pathname))
  );
}
