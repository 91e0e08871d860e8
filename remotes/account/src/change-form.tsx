import { type Problem, useMay, useProblemText } from '@wattle/sdk';
import { Alert, Button, ErrorState, Facts, Notice, SheetFooter, Skeleton, useSheetClose } from '@wattle/ui';
import { SaveButton } from '@wattle/ui/forms';
import { type ReactNode, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';

/** The bar below a change form: a save button, enabled when the value has changed and is valid, and a cancel button. */
export function ChangeFooter({
  operation,
  disabledReason,
  busy,
  save,
}: {
  operation: string;
  disabledReason: string | undefined;
  busy: boolean;
  save?: ReactNode;
}) {
  const may = useMay(operation);
  const close = useSheetClose();
  return (
    <SheetFooter>
      <SaveButton busy={busy} disabledReason={may.ok ? disabledReason : may.reason}>
        {save}
      </SaveButton>
      <Button variant="quiet" onClick={close}>
        <FormattedMessage id="account.cancel" defaultMessage="Cancel" />
      </Button>
    </SheetFooter>
  );
}

/** The current value, above the field for the new one. */
export function CurrentValue({ label, value }: { label: ReactNode; value: ReactNode }) {
  return <Facts stacked items={[{ label, value: <strong>{value}</strong> }]} />;
}

/** Explains, below the fields, what happens after saving. */
export function NextSteps({ children }: { children: ReactNode }) {
  return <Quiet>{children}</Quiet>;
}

/**
 * Renders the form, unless this change was already pending when the sheet opened: nothing can then be filled in until it has been
 * processed. A pending change created by the form itself does not unmount it.
 */
export function UnlessPending({ value, children }: { value: string | undefined; children: ReactNode }) {
  const [initialValue] = useState(value);
  const close = useSheetClose();
  if (!initialValue) return children;
  return (
    <Notice
      title={<FormattedMessage id="account.asked.title" defaultMessage="You have already asked for a change" />}
      actions={
        <Button small onClick={close}>
          <FormattedMessage id="account.close" defaultMessage="Close" />
        </Button>
      }
    >
      <FormattedMessage
        id="account.asked.text"
        defaultMessage="We are changing it to {value}. Once that is done you can change it again."
        values={{ value: <strong>{initialValue}</strong> }}
      />
    </Notice>
  );
}

/** A failed save, with the reason if there is a text for its code. */
export function SaveFailed({ title, problem }: { title?: ReactNode; problem: Problem | null }) {
  const text = useProblemText();
  if (!problem) return null;
  return title ? <Alert title={title}>{text(problem)}</Alert> : <Alert>{text(problem)}</Alert>;
}

interface Loaded {
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  refetch(): unknown;
}
/** Renders the form when the queries that it needs have loaded. */
export function WhenLoaded({ needs, children }: { needs: readonly Loaded[]; children: () => ReactNode }) {
  const failed = needs.filter((n) => n.isError);
  if (failed.length > 0)
    return <ErrorState retrying={failed.some((n) => n.isFetching)} onRetry={() => failed.map((n) => n.refetch())} />;
  if (needs.some((n) => n.isPending)) return <Skeleton shape="field" count={2} />;
  return children();
}

const Quiet = styled.p`color: var(--w-text-quiet); font-size: 14px;`;
