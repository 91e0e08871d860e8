import { type ReactNode, useId } from 'react';
import { IconButton } from './button';
import type { IconName } from './icon';
import { Float, useHover } from './tooltip';

export interface TipProps {
  /** Accessible name of the button: the subject of the explanation. */
  label: string;
  /** The icon before the text. */
  icon?: IconName | undefined;
  /** A short text, which may contain a link. */
  children: ReactNode;
}

/**
 * A button that shows an explanation, which may contain a link. The explanation opens on hover, focus and tap, and closes on
 * Escape, or 100 ms after pointer and focus have left both. It is a disclosure, because not everybody can reach a link in a
 * tooltip.
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
