import { ErrorState, Facts, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { Kind } from './kind';
import { OpenPreferences } from './open-preferences';
import { channelsOf } from './preference.rules';

/** On the account page: which messages the customer receives through which channel, with a link for changing that. */
export default function AccountPreferences() {
  const preferences = api.useGet('/sustainable/notifications/preferences');
  if (preferences.isError)
    return <ErrorState compact onRetry={() => void preferences.refetch()} retrying={preferences.isFetching} />;
  if (!preferences.data) return <Skeleton shape="row" count={3} />;
  return (
    <Stack gap={16}>
      <Facts
        items={preferences.data.kinds.map((p) => ({
          label: <Kind kind={p.kind} />,
          value: (
            <FormattedMessage
              id="notifications.preferences.ways"
              defaultMessage="{ways, select, always {Always, in the portal and by email} both {In the portal and by email} portal {In the portal} mail {By email} other {Not}}"
              values={{ ways: channelsOf(p) }}
            />
          ),
        }))}
      />
      <div>
        <OpenPreferences />
      </div>
    </Stack>
  );
}
