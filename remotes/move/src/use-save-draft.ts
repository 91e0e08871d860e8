import { useEffect } from 'react';
import type { Draft } from './wizard.rules';

/** Writes the values of a page's form to the draft when they change, so that a reload or the back button loses nothing. */
export function useSaveDraft(values: Partial<Draft>, keep: (part: Partial<Draft>) => void): void {
  useEffect(() => keep(values), [values, keep]);
}
