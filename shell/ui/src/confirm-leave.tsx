import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { ConfirmDialog } from './dialog';

/**
 * Asks for confirmation before unsaved changes are lost (face-unsaved): call `ask` with the action to run after it, and draw `dialog`.
 * When the tab is closed, the browser asks with its own text.
 */
export function useConfirmLeave(dirty: boolean): { ask(then: () => void): void; dialog: ReactNode } {
  const intl = useIntl();
  const [open, setOpen] = useState(false);
  const after = useRef<() => void>(() => {});
  useEffect(() => {
    if (!dirty) return;
    void import('./dialog-panel').catch(() => undefined); // while there is a connection (9-offline)
    const stop = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', stop);
    return () => window.removeEventListener('beforeunload', stop);
  }, [dirty]);
  return {
    ask(then) {
      if (!dirty) return then();
      after.current = then;
      setOpen(true);
    },
    dialog: (
      <ConfirmDialog
        isOpen={open}
        title={intl.formatMessage({ id: 'ui.leave_title', defaultMessage: 'Leave without saving?' })}
        confirm={intl.formatMessage({ id: 'ui.leave_confirm', defaultMessage: 'Do not save' })}
        cancel={intl.formatMessage({ id: 'ui.leave_cancel', defaultMessage: 'Keep editing' })}
        tone="danger"
        onConfirm={() => {
          setOpen(false);
          after.current();
        }}
        onClose={() => setOpen(false)}
      >
        {intl.formatMessage({ id: 'ui.leave_text', defaultMessage: 'What you changed here has not been saved yet.' })}
      </ConfirmDialog>
    ),
  };
}
