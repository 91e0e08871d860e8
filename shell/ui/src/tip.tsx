import { type ReactNode, useId } from 'react';
import { IconButton } from './button';
import type { IconName } from './icon';
import { Float, useHover } from './tooltip';

export interface TipProps {
  /** The name of its button: what it explains. */
  label: string;
  icon?: IconName | undefined;
  /** A few words, with a link if need be. */
  children: ReactNode;
}

/**
 * A button with an explanation that may hold a link: opens on hover, focus and tap, stays 100 ms after pointer and focus have left both,
 * Escape closes it. A disclosure, not a tooltip: what is in a tooltip cannot be reached by everyone.
 */
export function Tip({ label, icon = 'info', children }: TipProps) {
  const id = useId();
  const { open, wrap, events } = useHover();
  return (
    <span ref={wrap} style={{ display: 'inline-flex' }} {...events}>
      <IconButton icon={icon} label={label} aria-expanded={open} aria-controls={open ? id : undefined} />
      {open && (
        <Float id={id} trigger={wrap}>
          {children}
        </Float>
      )}
    </span>
  );
}
