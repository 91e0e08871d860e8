import { useStored } from '@wattle/sdk';
import { dismiss, readIds } from './notice.rules';

/** Returns the ids of the notices dismissed on this device, and a function that dismisses one of the current notices. */
export function useDismissed(): readonly [readonly string[], (id: string, there: readonly string[]) => void] {
  const [stored, store] = useStored('wattle:notices:dismissed');
  const ids = readIds(stored);
  return [ids, (id, there) => store(JSON.stringify(dismiss(ids, id, there)))];
}
