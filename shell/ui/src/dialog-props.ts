import type { ReactNode } from 'react';

export interface DialogProps {
  /** Heading, which also names the window for screen readers. */
  title: ReactNode;
  /** Whether the dialog is shown. Change this instead of removing the component, so that closing is animated. */
  isOpen?: boolean | undefined;
  /** Called on Escape and by the close button. */
  onClose(): void;
  /** The question or the message. */
  children: ReactNode;
  /** The buttons, with the main one first. */
  actions: ReactNode;
  /** `alertdialog` if the customer must decide: then there is no close button. */
  role?: 'dialog' | 'alertdialog' | undefined;
}
