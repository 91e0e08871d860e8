import type { Pictures } from '@wattle/ui';
import type { Label } from './portal';

/** Returns the label's pictures for the page at a path (9-brand-illustrations, 9-brand-photos). */
export function picturesOf({ illustrations, photos, kind }: Label, path: string): Pictures {
  // On /home, members see pictures of their projects instead.
  const isHome = path === '/dashboard' || (path === '/home' && kind !== 'participant');
  return {
    illustrations,
    photo: isHome ? photos?.dashboard : path === '/account' ? photos?.account : undefined,
    drawing: isHome ? illustrations?.dashboard : undefined,
  };
}
