import { Attention, formatPhone } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { Mail } from './mail';

/** Pending changes of the email address and the phone number (9-dashboard-attention). */
export default function AccountAttention() {
  const email = api.useGet('/relations/email', { query: { request: 'status' } }).data?.change_email;
  const phone = api.useGet('/relations/phonenumber', { query: { request: 'status' } }).data?.phone_number;
  return (
    <>
      {email && (
        <Attention icon="mail" href="/account#account.contact-info">
          <FormattedMessage
            id="account.attention.email"
            defaultMessage="Your email address is being changed to {email}"
            values={{ email: <Mail address={email} /> }}
          />
        </Attention>
      )}
      {phone && (
        <Attention icon="phone" href="/account#account.contact-info">
          <FormattedMessage
            id="account.attention.phone"
            defaultMessage="Your phone number is being changed to {phone}"
            values={{ phone: formatPhone(phone) }}
          />
        </Attention>
      )}
    </>
  );
}
