import { useOverlay } from '@wattle/sdk';
import { Button } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

/** A button that opens the customer's preferences. */
export function OpenPreferences() {
  const { open } = useOverlay();
  return (
    <Button small icon="settings" onClick={() => open('message-preferences')}>
      <FormattedMessage id="notifications.preferences.open" defaultMessage="Choose what you get" />
    </Button>
  );
}
