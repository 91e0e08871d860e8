import { type ReactNode, useState } from 'react';
import { useIntl } from 'react-intl';
import { Button } from './button';
import type { DialogProps } from './dialog-props';
import { lazily } from './lazily';

const DialogPanel = lazily(() => import('./dialog-panel'));

/** A small modal window for questions. Forms belong in a Sheet. */
export function Dialog({ isOpen = true, ...props }: DialogProps) {
  const [opened, setOpened] = useState(isOpen);
  if (isOpen && !opened) setOpened(true);
  return opened ? <DialogPanel isOpen={isOpen} {...props} /> : null;
}

export interface ConfirmDialogProps {
  /** The question. */
  title: ReactNode;
  /** Whether the dialog is shown. */
  isOpen: boolean;
  /** What happens on confirmation. */
  children: ReactNode;
  /** A verb for the action, e.g. "Verwijderen". */
  confirm: ReactNode;
  /** Text of the other button; by default "Cancel" in the language of the page. */
  cancel?: ReactNode;
  /** `danger` makes the confirm button red, for actions that cannot be undone. */
  tone?: 'danger' | undefined;
  /** The action is running, so the buttons are unavailable; by default false. */
  busy?: boolean | undefined;
  /** Called when the customer confirms. */
  onConfirm(): void;
  /** Called when the customer cancels, also by pressing Escape. */
  onClose(): void;
}

export function ConfirmDialog({ title, isOpen, children, confirm, cancel, tone, busy, onConfirm, onClose }: ConfirmDialogProps) {
  const intl = useIntl();
  return (
    <Dialog
      role="alertdialog"
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant={tone === 'danger' ? 'danger' : 'primary'} loading={busy} onClick={onConfirm}>
            {confirm}
          </Button>
          <Button variant="quiet" disabled={busy} onClick={onClose}>
            {cancel ?? intl.formatMessage({ id: 'ui.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
