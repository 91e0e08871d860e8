import { useSettings } from '@wattle/sdk';
import { Attention } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api, type UsageSettings } from './api';

/** A smart meter without consent; not if the customer has revoked consent, which is a decision (9-dashboard-attention). */
export default function UsageAttention() {
  const { intervals } = useSettings<UsageSettings>();
  const consent = api.useGet('/smartmeterreadings/historicaldata', {}, { enabled: intervals !== 'contract' });
  const missing = consent.data?.connections.some((c) => c.supported && !c.consentPresent && c.revokedDateTime === null);
  if (!missing) return null;
  return (
    <Attention icon="meter" href="/usage">
      <FormattedMessage id="usage.attention.consent" defaultMessage="Give consent to read your smart meter" />
    </Attention>
  );
}
