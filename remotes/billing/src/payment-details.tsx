import { CivilDate, ErrorState, Facts, LinkButton, maskIban, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api, useBankAccount } from './api';
import { sumRunning } from './term-amount.rules';
import { PaymentMethod } from './texts';

/** 2.1-payment-details: account holder, last four characters of the IBAN, payment method, and a link for changing them. */
export default function PaymentDetails() {
  const account = useBankAccount();
  const periodicals = api.useGet('/periodicalPayments', {}, { enabled: account.method === undefined });
  const change = api.useGet('/relations/bankAccountNumber');
  if (account.isError) return <ErrorState compact onRetry={() => void account.refetch()} retrying={account.isFetching} />;
  if (account.isPending) return <Skeleton shape="row" count={3} />;
  const pending = change.data;
  const [running = periodicals.data?.[0]] = sumRunning(periodicals.data ?? []).running;
  const method = account.method ?? running?.payment_method;
  const missing = <FormattedMessage id="billing.payment.missing" defaultMessage="Not known to us" />;
  return (
    <Stack gap={16}>
      <Facts
        items={[
          {
            label: <FormattedMessage id="billing.payment.holder" defaultMessage="Account holder" />,
            value: account.name || missing,
          },
          {
            label: <FormattedMessage id="billing.payment.iban" defaultMessage="Account number (IBAN)" />,
            value: account.number ? maskIban(account.number) : missing,
            pending: pending && (
              <FormattedMessage
                id="billing.payment.pending"
                defaultMessage="{iban} from {day}"
                values={{ iban: maskIban(pending.change_bank_account_number), day: <CivilDate day={pending.from_date} /> }}
              />
            ),
          },
          {
            label: <FormattedMessage id="billing.agreement.method" defaultMessage="Payment method" />,
            value: method ? <PaymentMethod method={method} /> : periodicals.isPending ? '\u00a0' : missing,
          },
        ]}
      />
      <div>
        <LinkButton href="/iban" small icon="edit">
          <FormattedMessage id="billing.payment.change" defaultMessage="Change bank account" />
        </LinkButton>
      </div>
    </Stack>
  );
}
