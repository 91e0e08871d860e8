import { type OverlayProps, useNotify, useProblemText } from '@wattle/sdk';
import { Form, TextField, useFields } from '@wattle/ui/forms';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes } from './api';
import { ChangeFooter, CurrentValue, SaveFailed, UnlessPending, WhenLoaded } from './change-form';
import { checkUsername, normalizeUsername } from './username.rules';

export default function ChangeUsername(props: OverlayProps) {
  const account = api.useGet('/account');
  return (
    <WhenLoaded needs={[account]}>
      {() => (
        <UnlessPending value={account.data?.change_username}>
          <UsernameForm {...props} current={account.data?.user_name ?? ''} />
        </UnlessPending>
      )}
    </WhenLoaded>
  );
}

function UsernameForm({ current, close, setDirty }: OverlayProps & { current: string }) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const save = api.useWrite('put', '/account', { changes: changes.username });
  const fields = useFields({
    initial: { change_username: current },
    check: ({ change_username }) => {
      const name = normalizeUsername(change_username);
      const [code] = name === current ? ['account.unchanged'] : checkUsername(name);
      return { change_username: code && text({ code }) };
    },
  });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const submit = ({ change_username }: { change_username: string }) =>
    save.mutate(
      { body: { change_username: normalizeUsername(change_username) } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({
              id: 'account.username.asked',
              defaultMessage: 'We are changing your username. Keep signing in with your current one until it is done.',
            }),
          });
          close();
        },
        onError: (problem) => {
          if (problem.errors?.length || problem.code === 'account.username_taken')
            fields.refuse({ change_username: text(problem) });
        },
      },
    );
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      <SaveFailed
        problem={save.error}
        title={<FormattedMessage id="account.username.failed" defaultMessage="Your username has not been changed" />}
      />
      <CurrentValue
        label={<FormattedMessage id="account.username.current" defaultMessage="Current username" />}
        value={current}
      />
      <TextField
        {...fields.field('change_username')}
        autoComplete="username"
        spellCheck={false}
        maxLength={128}
        required
        label={<FormattedMessage id="account.username.new" defaultMessage="New username" />}
        hint={<FormattedMessage id="account.username.hint" defaultMessage="At least 6 characters. Capitals do not matter." />}
      />
      <ChangeFooter operation="account.changeUsername" disabledReason={fields.disabledReason} busy={save.isPending} />
    </Form>
  );
}
