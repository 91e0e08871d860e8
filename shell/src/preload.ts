import type { Locale } from '@wattle/sdk';
import { type Composition, matches, overlayAt } from './compose';
import { preloadTexts } from './context';
import type { Remotes } from './federation';
import { loadPart } from './part';

/** Loads the entry, code and texts of a path; a failure is ignored until the path is opened. */
export function preload(path: string, o: { composition: Composition; remotes: Remotes; locale: Locale }): void {
  const pathname = path.split(/[?#]/)[0] ?? path;
  const overlay = overlayAt(pathname, o.composition.overlays)?.overlay;
  const route = overlay ? undefined : o.composition.routes.find((r) => matches(r.path, pathname));
  const module = (overlay ?? route)?.module;
  if (!module) return;
  const code = overlay
    ? loadPart(o.remotes, module, `overlay ${overlay.name}`, (r) => r.overlays?.find((x) => x.name === overlay.name)?.view)
    : loadPart(o.remotes, module, route?.path ?? '', (r) => r.routes?.find((x) => x.path === route?.path)?.page);
  void Promise.allSettled([code, preloadTexts(o.remotes, module, o.locale)]);
}
