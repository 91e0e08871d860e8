import { useEffect } from 'react';
import type { Draft } from './wizard.rules';

/** Writes what a page's form holds into the draft whenever it changes, so that a reload or the back button loses nothing. */
export function useKeep(values: Partial<Draft>, keep: (part: Partial<Draft>) => void): void {
  useEffect(() => keep(values), [values, keep]);
}
