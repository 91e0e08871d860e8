import { type OverlayProps, useMay, useNotify, useProblemText } from '@wattle/sdk';
import { Alert, Button, ErrorState, Icon, SheetFooter, Skeleton, Stack, useSheetClose } from '@wattle/ui';
import { Checkbox, Form, SaveButton, useFields } from '@wattle/ui/forms';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Preference } from './api';
import { Kind, KindDescription } from './kind';
import { switchesOf, withSwitches } from './preference.rules';

/** A form for choosing which messages the customer receives through which channel (2.3-overlay-message-preferences). */
export default function Preferences(props: OverlayProps) {
  const kinds = api.useGet('/sustainable/notifications/preferences');
  if (kinds.isError) return <ErrorState onRetry={() => void kinds.refetch()} retrying={kinds.isFetching} />;
  if (!kinds.data) return <Skeleton shape="field" count={4} />;
  return <PreferencesForm {...props} kinds={kinds.data.kinds} />;
}

function PreferencesForm({ kinds, close, setDirty }: OverlayProps & { kinds: readonly Preference[] }) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const cancel = useSheetClose();
  const may = useMay('notifications.changePreferences');
  const save = api.useWrite('put', '/sustainable/notifications/preferences', {
    changes: ['/sustainable/notifications/preferences', '/sustainable/notifications', '/sustainable/notifications/unread'],
  });
  const fields = useFields<Record<string, boolean>>({ initial: switchesOf(kinds), check: () => ({}) });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const submit = (switches: Record<string, boolean>) =>
    save.mutate(
      { body: { kinds: withSwitches(kinds, switches) } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({
              id: 'notifications.preferences.saved',
              defaultMessage: 'Your choice has been saved.',
            }),
          });
          close();
        },
      },
    );
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      {save.error && (
        <Alert title={<FormattedMessage id="notifications.preferences.failed" defaultMessage="Your choice has not been saved" />}>
          {text(save.error.errors?.[0] ?? save.error)}
        </Alert>
      )}
      {kinds
        .filter((p) => !p.fixed)
        .map(({ kind }) => (
          <Group key={kind}>
            <legend>
              <Kind kind={kind} />
            </legend>
            <p>
              <KindDescription kind={kind} />
            </p>
            <Checkbox {...fields.box(`${kind}.portal`)} disabledReason={may.ok ? undefined : may.reason}>
              <FormattedMessage id="notifications.preferences.portal" defaultMessage="In the portal" />
            </Checkbox>
            <Checkbox {...fields.box(`${kind}.mail`)} disabledReason={may.ok ? undefined : may.reason}>
              <FormattedMessage id="notifications.preferences.mail" defaultMessage="By email" />
            </Checkbox>
          </Group>
        ))}
      <Stack as="section" gap={12}>
        <h3>
          <FormattedMessage id="notifications.preferences.always" defaultMessage="You always get these" />
        </h3>
        <Fixed>
          {kinds
            .filter((p) => p.fixed)
            .map(({ kind }) => (
              <li key={kind}>
                <Icon name="check" size={20} />
                <div>
                  <strong>
                    <Kind kind={kind} />
                  </strong>
                  <p>
                    <KindDescription kind={kind} />
                  </p>
                </div>
              </li>
            ))}
        </Fixed>
      </Stack>
      <SheetFooter>
        <SaveButton busy={save.isPending} disabledReason={may.ok ? fields.disabledReason : may.reason} />
        <Button variant="quiet" onClick={cancel}>
          <FormattedMessage id="notifications.cancel" defaultMessage="Cancel" />
        </Button>
      </SheetFooter>
    </Form>
  );
}

const Group = styled.fieldset`
  legend { font-weight: 600; padding: 0; } p { color: var(--w-text-quiet); font-size: 14px; margin-bottom: 4px; }
`;
const Fixed = styled.ul`
  list-style: none; padding: 0; display: flex; flex-direction: column; gap: 12px;
  li { display: flex; gap: 12px; } strong { font-weight: 600; } svg { margin-top: 2px; color: var(--w-positive); flex: none; }
  p { color: var(--w-text-quiet); font-size: 14px; }
`;
