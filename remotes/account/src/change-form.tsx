import { type Problem, useMay, useProblemText } from '@wattle/sdk';
import { Alert, Button, ErrorState, Facts, Notice, SheetFooter, Skeleton, useSheetClose } from '@wattle/ui';
import { SaveButton } from '@wattle/ui/forms';
import { type ReactNode, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';

/** The bar below a change form: save, active once the value is changed and valid, and cancel. */
export function ChangeFooter({
  operation,
  why,
  busy,
  save,
}: {
  operation: string;
  why: string | undefined;
  busy: boolean;
  save?: ReactNode;
}) {
  const may = useMay(operation);
  const close = useSheetClose();
  return (
    <SheetFooter>
      <SaveButton busy={busy} why={may.ok ? why : may.why}>
        {save}
      </SaveButton>
      <Button variant="quiet" onClick={close}>
        <FormattedMessage id="account.cancel" defaultMessage="Cancel" />
      </Button>
    </SheetFooter>
  );
}

/** What holds now, above the field for what it should become. */
export function Current({ label, value }: { label: ReactNode; value: ReactNode }) {
  return <Facts stacked items={[{ label, value: <strong>{value}</strong> }]} />;
}

/** What happens after saving, under the fields. */
export function Next({ children }: { children: ReactNode }) {
  return <Quiet>{children}</Quiet>;
}

/**
 * The form, unless the change was asked for already when the sheet opened: then there is nothing to fill in until it is processed.
 * What the form itself asks for does not take it off the screen.
 */
export function UnlessAsked({ value, children }: { value: string | undefined; children: ReactNode }) {
  const [asked] = useState(value);
  const close = useSheetClose();
  if (!asked) return children;
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
        values={{ value: <strong>{asked}</strong> }}
      />
    </Notice>
  );
}

/** A refused or failed save: that it did not work, and why when somebody wrote a text for that. */
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
/** Draws the form once what it needs to know has come. */
export function Once({ needs, children }: { needs: readonly Loaded[]; children: () => ReactNode }) {
  const failed = needs.filter((n) => n.isError);
  if (failed.length > 0)
    return <ErrorState retrying={failed.some((n) => n.isFetching)} onRetry={() => failed.map((n) => n.refetch())} />;
  if (needs.some((n) => n.isPending)) return <Skeleton shape="field" count={2} />;
  return children();
}

const Quiet = styled.p`color: var(--w-text-quiet); font-size: 14px;`;
