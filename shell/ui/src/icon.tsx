import type { LucideIcon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { icons } from './icons';
import { first } from './icons-first';

/** The names of the kit's icons, all shown at `/dev/kit#Icon` of a demo. */
export type IconName = keyof typeof first | keyof typeof icons;

let rest: Record<string, LucideIcon> | undefined;
let loading: Promise<void> | undefined;
const waiting = new Set<() => void>();

/** Fetches the icons that are not in icons-first.ts. Until then an icon reserves its space. */
export function loadIcons(): Promise<void> {
  loading ??= import('./icons').then(
    (module) => {
      rest = module.icons;
      for (const wake of waiting) wake();
    },
    () => {
      loading = undefined; // icons only decorate text, so the page works without them; the next icon tries again
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
  /** The name of the icon; all are shown at `/dev/kit#Icon` of a demo. */
  name: IconName;
  /** Width and height in pixels. */
  size?: 16 | 20 | 24 | undefined;
}

/** An icon, always decorative: either text is next to it, or the control has a name. */
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
