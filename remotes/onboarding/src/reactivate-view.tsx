import { usePortal, useProblemText } from '@wattle/sdk';
import { Alert, Notice } from '@wattle/ui';
import { Form, SaveButton, TextField, useFields } from '@wattle/ui/forms';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';
import { checkEmail, normalizeEmail } from './email.rules';
import { useFieldText } from './use-field-text';

/**
 * 2.4-reactivate-screen, a view of the sign-in screen. Its result is the same for every email address
 * (7.5-reactivate-begin-privacy).
 */
export default function ReactivateView() {
  const intl = useIntl();
  const text = useProblemText();
  const textAt = useFieldText();
  const { label } = usePortal();
  const begin = api.useWrite('post', '/reactivate/begin', { changes: [] });
  const [sentTo, setSentTo] = useState<string>();
  const fields = useFields({
    changes: false, // the form starts empty
    initial: { email: '' },
    check: ({ email }) => {
      const address = normalizeEmail(email);
      const [code] = address === '' ? ['required'] : checkEmail(address);
      return { email: code && textAt('email', code) };
    },
  });
  const address = normalizeEmail(fields.values.email);
  const submit = () => {
    if (address === sentTo) return;
    begin.mutate({ body: { email: address, labelKey: label.key } }, { onSuccess: () => setSentTo(address) });
  };
  return (
    <Form busy={begin.isPending} {...fields.form(submit)}>
      <p>
        <FormattedMessage
          id="onboarding.reactivate.text"
          defaultMessage="Are you new here, or can you no longer sign in? Fill in the email address that we know of you. We send a link with which you can use your account."
        />
      </p>
      {begin.error && (
        <Alert title={<FormattedMessage id="onboarding.reactivate.failed" defaultMessage="The link has not been sent" />}>
          {text(begin.error)}
        </Alert>
      )}
      <TextField
        {...fields.field('email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        label={<FormattedMessage id="onboarding.email" defaultMessage="Email address" />}
      />
      {sentTo !== undefined && sentTo === address ? (
        <Notice
          tone="positive"
          live
          title={<FormattedMessage id="onboarding.reactivate.sent" defaultMessage="Look in your mailbox" />}
        >
          <FormattedMessage
            id="onboarding.reactivate.sent_text"
            defaultMessage="If we know {address}, there is now an email with a link on its way. It can take a few minutes."
            values={{ address: <strong>{sentTo}</strong> }}
          />
        </Notice>
      ) : (
        <SaveButton
          wide
          busy={begin.isPending}
          fields={['email']}
          disabledReason={
            fields.disabledReason &&
            intl.formatMessage({ id: 'onboarding.reactivate.why', defaultMessage: 'Fill in a valid email address first.' })
          }
        >
          <FormattedMessage id="onboarding.reactivate.send" defaultMessage="Send link" />
        </SaveButton>
      )}
    </Form>
  );
}
