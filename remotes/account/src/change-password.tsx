import { type OverlayProps, type Problem, useNotify, useProblemText } from '@wattle/sdk';
import { Alert } from '@wattle/ui';
import { Form, PasswordField, useFields } from '@wattle/ui/forms';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, core } from './api';
import { ChangeFooter } from './change-form';
import { checkPasswordForm, type PasswordForm } from './password.rules';

const empty: PasswordForm = { old_password: '', new_password: '', confirmation: '' };

export default function ChangePassword({ close, setDirty }: OverlayProps) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const account = api.useGet('/account');
  const save = core.useWrite('post', '/auth/change-password', { changes: [] });
  const fields = useFields<Record<keyof PasswordForm, string>>({
    initial: empty,
    check: (values) =>
      Object.fromEntries(
        Object.entries(checkPasswordForm(values)).map(([field, code]) => [
          field,
          code === 'required'
            ? intl.formatMessage(
                {
                  id: 'account.password.missing',
                  defaultMessage:
                    '{field, select, old_password {Fill in your current password.} new_password {Fill in a new password.} other {Fill in the new password again.}}',
                },
                { field },
              )
            : text({ code }),
        ]),
      ) as Partial<PasswordForm>,
  });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const submit = ({ old_password, new_password }: Record<keyof PasswordForm, string>) =>
    save.mutate(
      { body: { old_password, new_password } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({ id: 'account.password.saved', defaultMessage: 'Password successfully updated' }),
          });
          close();
        },
        onError: (problem) => fields.refuse(errorsOf(problem, text)),
      },
    );
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      {save.error && !save.error.errors?.length && <Alert>{messageOf(save.error, intl.messages, text)}</Alert>}
      {/* The username, for password managers. */}
      <input hidden readOnly autoComplete="username" value={account.data?.user_name ?? ''} />
      <PasswordField
        {...fields.field('old_password')}
        autoComplete="current-password"
        required
        label={<FormattedMessage id="account.password.old" defaultMessage="Current password" />}
      />
      <PasswordField
        {...fields.field('new_password')}
        autoComplete="new-password"
        required
        label={<FormattedMessage id="account.password.new" defaultMessage="New password" />}
        hint={
          <FormattedMessage
            id="account.password.hint"
            defaultMessage="At least 8 characters, with a digit, a lowercase and an uppercase letter."
          />
        }
      />
      <PasswordField
        {...fields.field('confirmation')}
        autoComplete="new-password"
        required
        label={<FormattedMessage id="account.password.confirmation" defaultMessage="New password once more" />}
      />
      <ChangeFooter operation="core.changePassword" disabledReason={fields.disabledReason} busy={save.isPending} />
    </Form>
  );
}

/** Returns the server's errors by field, such as a new password that is too common (5.5-password-common, 5.5-password-personal). */
const errorsOf = (p: Problem, text: (p: { code: string }) => string): Partial<PasswordForm> =>
  Object.fromEntries((p.errors ?? []).filter((e) => e.field in empty).map((e) => [e.field, text(e)]));

/** Returns the identity service's message, translated if possible (8-password-failed). */
const messageOf = (p: Problem, known: object, text: (p: Problem) => string): string =>
  p.code in known || !p.title ? text(p) : p.title;
