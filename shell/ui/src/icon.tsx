import type { LucideIcon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { icons } from './icons';
import { first } from './icons-first';

export type IconName = keyof typeof first | keyof typeof icons;

let rest: Record<string, LucideIcon> | undefined;
let loading: Promise<void> | undefined;
const waiting = new Set<() => void>();

/** Brings the icons beyond the first screen; an icon keeps its place empty until then. */
export function loadIcons(): Promise<void> {
  loading ??= import('./icons').then(
    (module) => {
      rest = module.icons;
      for (const wake of waiting) wake();
    },
    () => {
      loading = undefined; // an icon is always beside a word: the page reads without it, and the next icon tries again
    },
  );
  return loading;
}

function subscribe(wake: () => void) {
  waiting.add(wake);
  void loadIcons();
  return () => waiting.delete(wake);
}
const never = () => () => {};

export interface IconProps {
  name: IconName;
  size?: 16 | 20 | 24 | undefined;
}

/** Always decoration: the word stands beside it, or the control has a name. */
export function Icon({ name, size = 20 }: IconProps) {
  const known: LucideIcon | undefined = (first as Record<string, LucideIcon>)[name];
  const later = useSyncExternalStore(
    known ? never : subscribe,
    () => rest?.[name],
    () => undefined,
  );
  const Drawn = known ?? later;
  if (!Drawn) return <svg width={size} height={size} aria-hidden="true" style={{ flex: 'none' }} />;
  return <Drawn size={size} strokeWidth={1.75} aria-hidden="true" style={{ flex: 'none' }} />;
}
