import { type ReactNode, useState } from 'react';
import { useIntl } from 'react-intl';
import { Button } from './button';
import { lazily } from './lazily';

export interface DialogProps {
  title: ReactNode;
  isOpen?: boolean | undefined;
  onClose(): void;
  children: ReactNode;
  actions: ReactNode;
  /** Requires a decision: role alertdialog, and no close button. */
  asks?: boolean | undefined;
}

const DialogPanel = lazily(() => import('./dialog-panel'));

/** A small modal window for questions. Forms belong in a Sheet. */
export function Dialog({ isOpen = true, ...props }: DialogProps) {
  const [opened, setOpened] = useState(isOpen);
  if (isOpen && !opened) setOpened(true);
  return opened ? <DialogPanel isOpen={isOpen} {...props} /> : null;
}

export interface ConfirmDialogProps {
  title: ReactNode;
  isOpen: boolean;
  children: ReactNode;
  /** A verb for the action, e.g. "Verwijderen". */
  confirm: ReactNode;
  cancel?: ReactNode;
  tone?: 'danger' | undefined;
  busy?: boolean | undefined;
  onConfirm(): void;
  onClose(): void;
}

export function ConfirmDialog({ title, isOpen, children, confirm, cancel, tone, busy, onConfirm, onClose }: ConfirmDialogProps) {
  const intl = useIntl();
  return (
    <Dialog
      asks
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
