import { useSettings } from '@wattle/sdk';
import { FormattedMessage, useIntl } from 'react-intl';
import type { UsageSettings } from './api';
import { useConsent } from './consent';
import { commodityName } from './texts';

/**
 * The commodities for which there is consent, shown in the closed section of the account page; nothing where the contract is the
 * legal basis (9-usage-intervals-basis).
 */
export default function ConsentSummary() {
  const intl = useIntl();
  const { intervals } = useSettings<UsageSettings>();
  const smart = (useConsent(intervals !== 'contract').data?.connections ?? []).filter((c) => c.supported);
  if (smart.length === 0) return null;
  const given = new Set(smart.filter((c) => c.consentPresent).map((c) => commodityName(intl, c.commodity)));
  if (given.size === 0) return <FormattedMessage id="usage.consent.none" defaultMessage="Smart meter: no consent given" />;
  return (
    <>
      <FormattedMessage id="usage.consent.given" defaultMessage="Consent given" />: {[...given].join(', ')}
    </>
  );
}
