import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { useKind } from './kind';

/** The kinds that the customer has chosen to receive by email, shown in the closed section of the account page. */
export default function PreferencesSummary() {
  const kinds = api.useGet('/sustainable/notifications/preferences').data?.kinds;
  const name = useKind();
  if (!kinds) return null;
  const chosen = kinds.filter((p) => p.mail && !p.fixed).map((p) => name(p.kind));
  return (
    <FormattedMessage
      id="notifications.preferences.chosen"
      defaultMessage="{n, plural, =0 {By email only what always comes} other {By email: {kinds}}}"
      values={{ n: chosen.length, kinds: chosen.join(', ') }}
    />
  );
}
