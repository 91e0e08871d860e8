import { useToday } from '@wattle/sdk';
import { Attention, CivilDate, Money, maskIban } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { endingSoon } from './agreement.rules';
import { api } from './api';
import { cents } from './money';

/** Pending changes of the term amount and the bank account, and contracts that end soon (9-dashboard-attention). */
export default function BillingAttention() {
  const today = useToday();
  const periodicals = api.useGet('/periodicalPayments').data ?? [];
  const iban = api.useGet('/relations/bankAccountNumber').data;
  const agreements = api.useGet('/agreements').data ?? [];
  return (
    <>
      {periodicals.map(
        (p) =>
          p.requested_new_amount !== undefined && (
            <Attention key={p.agreement_identifier_with_sequence} icon="savings" href="/periodical-payments">
              <FormattedMessage
                id="billing.attention.amount"
                defaultMessage="Your monthly amount is being changed to {amount}"
                values={{ amount: <Money cents={cents(p.requested_new_amount)} /> }}
              />
            </Attention>
          ),
      )}
      {iban && (
        <Attention icon="card" href="/iban">
          <FormattedMessage
            id="billing.attention.iban"
            defaultMessage="From {day} your bank account is {iban}"
            values={{ day: <CivilDate day={iban.from_date} />, iban: maskIban(iban.change_bank_account_number) }}
          />
        </Attention>
      )}
      {endingSoon(agreements, today).map(({ agreement, ends }) => (
        <Attention
          key={agreement.agreement_identifier_with_sequence}
          icon="agreement"
          href={`/agreements/${agreement.agreement_identifier_with_sequence}`}
        >
          <FormattedMessage
            id="billing.attention.ends"
            defaultMessage="{name} ends on {day}"
            values={{ name: agreement.name, day: <CivilDate day={ends} /> }}
          />
        </Attention>
      ))}
    </>
  );
}
