import type { ReactNode } from 'react';

export interface DialogProps {
  /** Heading, which also names the window for screen readers. */
  title: ReactNode;
  /** Whether it is shown. Change it, in place of removing the component, so that closing is animated. */
  isOpen?: boolean | undefined;
  /** Called on Escape and by the close button. */
  onClose(): void;
  /** The question or the message. */
  children: ReactNode;
  /** The buttons, the main one first. */
  actions: ReactNode;
  /** Requires a decision: role alertdialog, and no close button. */
  asks?: boolean | undefined;
}
