import { useSession, useShell } from './context';
import { readable } from './label-pages';
import type { LabelPage } from './portal';

/** Returns the legal and help pages of the label that this visitor may read. */
export function useLabelPages(): readonly LabelPage[] {
  const signedIn = useSession() !== null;
  return readable(useShell().portal, signedIn);
}
