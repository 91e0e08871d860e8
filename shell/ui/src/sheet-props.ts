import type { ReactNode } from 'react';

export interface SheetProps {
  /** Heading, which also names the sheet for screen readers. */
  title: ReactNode;
  /** Whether the sheet is shown. Change this instead of removing the component, so that closing is animated. */
  isOpen?: boolean | undefined;
  /** Called on Escape and by the close button; with `from="bottom"` also on a click outside the sheet. */
  onClose(): void;
  /** The content, often a Form. */
  children: ReactNode;
  /** The sticky bar at the bottom, for buttons that are not inside a Form (otherwise use SheetFooter). */
  footer?: ReactNode;
  /** There are unsaved changes, so closing asks for confirmation (face-unsaved). */
  dirty?: boolean | undefined;
  /** The form is being sent, so the sheet cannot be closed. */
  busy?: boolean | undefined;
  /** `bottom` makes the sheet slide up to 88% of the window height, for the phone menu. */
  from?: 'right' | 'bottom' | undefined;
}
