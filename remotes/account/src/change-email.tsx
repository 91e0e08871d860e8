import { type OverlayProps, useNotify, useProblemText } from '@wattle/sdk';
import { Form, TextField, useFields } from '@wattle/ui/forms';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes } from './api';
import { ChangeFooter, CurrentValue, NextSteps, SaveFailed, UnlessPending, WhenLoaded } from './change-form';
import { checkEmail, normalizeEmail } from './email.rules';

export default function ChangeEmail(props: OverlayProps) {
  const relation = api.useGet('/relations');
  const status = api.useGet('/relations/email', { query: { request: 'status' } });
  return (
    <WhenLoaded needs={[relation, status]}>
      {() => (
        <UnlessPending value={status.data?.change_email}>
          <EmailForm {...props} current={relation.data?.email ?? ''} />
        </UnlessPending>
      )}
    </WhenLoaded>
  );
}

function EmailForm({ current, close, setDirty }: OverlayProps & { current: string }) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const save = api.useWrite('put', '/relations/email', { changes: changes.email });
  const fields = useFields({
    initial: { change_email: current },
    check: ({ change_email }) => {
      const address = normalizeEmail(change_email);
      const [code] = address.toLowerCase() === current.toLowerCase() ? ['account.unchanged'] : checkEmail(address);
      return { change_email: code && text({ code }) };
    },
  });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const submit = ({ change_email }: { change_email: string }) =>
    save.mutate(
      { body: { change_email: normalizeEmail(change_email) } },
      {
        onSuccess: ({ change_email: asked = '' }) => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              { id: 'account.email.sent', defaultMessage: 'We have sent a link to {address}. Follow it to confirm the change.' },
              { address: asked },
            ),
          });
          close();
        },
      },
    );
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      <SaveFailed
        problem={save.error}
        title={<FormattedMessage id="account.email.failed" defaultMessage="Error saving email address!" />}
      />
      <CurrentValue
        label={<FormattedMessage id="account.email.current" defaultMessage="Current email address" />}
        value={current}
      />
      <TextField
        {...fields.field('change_email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        label={<FormattedMessage id="account.email.new" defaultMessage="New email address" />}
      />
      <NextSteps>
        <FormattedMessage
          id="account.email.next"
          defaultMessage="We send a link to the new address. It takes effect once you have followed that link."
        />
      </NextSteps>
      <ChangeFooter operation="account.changeEmail" disabledReason={fields.disabledReason} busy={save.isPending} />
    </Form>
  );
}
