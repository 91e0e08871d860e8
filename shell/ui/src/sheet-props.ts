import type { ReactNode } from 'react';

export interface SheetProps {
  /** Heading, which also names the sheet for screen readers. */
  title: ReactNode;
  /** Whether it is shown. Change it, in place of removing the component, so that closing is animated. */
  isOpen?: boolean | undefined;
  /** Called on Escape and by the close button; with `from="bottom"` also on a click outside. */
  onClose(): void;
  /** The content, often a Form. */
  children: ReactNode;
  /** The sticky bar at the bottom, when the buttons are not inside a Form (otherwise use SheetFooter). */
  footer?: ReactNode;
  /** There are unsaved changes: closing asks for confirmation (face-unsaved). */
  dirty?: boolean | undefined;
  /** The form is being sent: the sheet cannot be closed. */
  busy?: boolean | undefined;
  /** `bottom`: slides up to 88% of the window, for the menu of a phone. */
  from?: 'right' | 'bottom' | undefined;
}
