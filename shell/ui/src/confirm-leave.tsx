import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { ConfirmDialog } from './dialog';

let hasPanel = false;

/**
 * Asks for confirmation before unsaved changes are lost (face-unsaved). Render `dialog`, and pass `ask` the action to run after
 * confirmation. When the tab is closed, the browser shows its own question.
 */
export function useConfirmLeave(dirty: boolean): { ask(then: () => void): void; dialog: ReactNode } {
  const intl = useIntl();
  const [open, setOpen] = useState(false);
  const after = useRef<() => void>(() => {});
  const text = intl.formatMessage({ id: 'ui.leave_text', defaultMessage: 'What you changed here has not been saved yet.' });
  useEffect(() => {
    if (!dirty) return;
    // fetched now, in case the connection is lost later (9-offline)
    void import('./dialog-panel').then(
      () => {
        hasPanel = true;
      },
      () => undefined,
    );
    const stop = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', stop);
    return () => window.removeEventListener('beforeunload', stop);
  }, [dirty]);
  return {
    ask(then) {
      if (!dirty) return then();
      // without the dialog's code the form could not be left
      if (!hasPanel && !navigator.onLine) return confirm(text) ? then() : undefined;
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
        {text}
      </ConfirmDialog>
    ),
  };
}
