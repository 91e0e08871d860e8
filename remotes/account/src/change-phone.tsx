import { type OverlayProps, useNotify, useProblemText } from '@wattle/sdk';
import { formatPhone } from '@wattle/ui';
import { Form, useFields } from '@wattle/ui/forms';
import { PhoneField } from '@wattle/ui/phone';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes } from './api';
import { ChangeFooter, CurrentValue, NextSteps, SaveFailed, UnlessPending, WhenLoaded } from './change-form';
import { checkPhone, normalizePhone } from './phone.rules';

export default function ChangePhone(props: OverlayProps) {
  const relation = api.useGet('/relations');
  const status = api.useGet('/relations/phonenumber', { query: { request: 'status' } });
  return (
    <WhenLoaded needs={[relation, status]}>
      {() => (
        <UnlessPending value={status.data?.phone_number && formatPhone(status.data.phone_number)}>
          <PhoneForm {...props} current={relation.data?.phone_number ?? ''} />
        </UnlessPending>
      )}
    </WhenLoaded>
  );
}

function PhoneForm({ current, close, setDirty }: OverlayProps & { current: string }) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const save = api.useWrite('put', '/relations/phonenumber', { changes: changes.phone });
  const fields = useFields({
    initial: { phone_number: formatPhone(current) },
    check: ({ phone_number }) => {
      const number = normalizePhone(phone_number);
      const [code] = number === normalizePhone(current) ? ['account.unchanged'] : checkPhone(number);
      return { phone_number: code && text({ code }) };
    },
  });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const submit = ({ phone_number }: { phone_number: string }) =>
    save.mutate(
      { body: { phone_number: normalizePhone(phone_number) } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({
              id: 'account.phone.asked',
              defaultMessage: 'We are changing your phone number. This usually takes no more than 2 working days.',
            }),
          });
          close();
        },
      },
    );
  const refused = save.error?.status === 406;
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      {refused ? (
        <SaveFailed problem={{ status: 406, code: 'account.phone_refused', title: '' }} />
      ) : (
        <SaveFailed
          problem={save.error}
          title={
            <FormattedMessage id="account.phone.failed" defaultMessage="Something went wrong with saving the phone number" />
          }
        />
      )}
      <CurrentValue
        label={<FormattedMessage id="account.phone.current" defaultMessage="Current phone number" />}
        value={formatPhone(current)}
      />
      <PhoneField
        {...fields.field('phone_number')}
        required
        label={<FormattedMessage id="account.phone.new" defaultMessage="New phone number" />}
      />
      <NextSteps>
        <FormattedMessage
          id="account.phone.next"
          defaultMessage="We check the number and then change it, usually within 2 working days."
        />
      </NextSteps>
      <ChangeFooter operation="account.changePhone" disabledReason={fields.disabledReason} busy={save.isPending} />
    </Form>
  );
}
