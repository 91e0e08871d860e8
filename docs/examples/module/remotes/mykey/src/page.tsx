import { useMay, useNotify, useProblemText, useSettings } from '@wattle/sdk';
import { Alert, Card, CivilDate, EmptyState, ErrorState, Page, Skeleton, Stack } from '@wattle/ui';
import { Form, FormActions, SaveButton, TextArea, useFields } from '@wattle/ui/forms';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Note, type Settings } from './api';
import { Removal } from './removal';
import { t } from './texts';

/** The page with the form and the notes of the customer. */
export default function NotesPage() {
  const notes = api.useGet('/mykey');
  return (
    <Page title={<FormattedMessage {...t.title} />}>
      {notes.isPending ? (
        <Skeleton shape="card" count={2} />
      ) : notes.isError ? (
        <ErrorState onRetry={() => void notes.refetch()} retrying={notes.isFetching} />
      ) : (
        <Stack gap={24}>
          <AddNote />
          {notes.data.items.length === 0 && (
            <EmptyState title={<FormattedMessage id="mykey.none" defaultMessage="There are no notes yet" />} />
          )}
          {notes.data.items.map((n) => (
            <Card key={n.id} title={<CivilDate day={n.day} />}>
              <p>{n.text}</p>
            </Card>
          ))}
          {/* {change} */}
          <Removal />
          {/* {/change} */}
        </Stack>
      )}
    </Page>
  );
}

const empty: Required<Note> = { text: '' };

function AddNote() {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const may = useMay('mykey.addNote');
  const [id, setId] = useState(() => crypto.randomUUID()); // a retry adds the same note
  const add = api.useWrite('put', '/mykey/{id}', { changes: ['/mykey'] });
  const fields = useFields({
    initial: empty,
    changes: false,
    check: (v) => ({ text: v.text.trim() ? undefined : text({ code: 'required' }) }),
  });
  const save = (body: Note) =>
    add.mutate(
      { path: { id }, body },
      {
        onSuccess: () => {
          fields.reset();
          setId(crypto.randomUUID());
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({ id: 'mykey.added', defaultMessage: 'Your note has been saved.' }),
          });
        },
        onError: (p) => fields.refuse(Object.fromEntries((p.errors ?? []).map((e) => [e.field, text(e)]))),
      },
    );
  return (
    <Card>
      <Form busy={add.isPending} {...fields.form(save)}>
        {add.error && !add.error.errors?.length && <Alert>{text(add.error)}</Alert>}
        <TextArea
          {...fields.field('text')}
          required
          rows={3}
          maxLength={500}
          label={<FormattedMessage id="mykey.text" defaultMessage="Note" />}
        />
        {/* {setting} */}
        <Limit />
        {/* {/setting} */}
        <FormActions>
          <SaveButton busy={add.isPending} disabledReason={may.ok ? fields.disabledReason : may.reason}>
            <FormattedMessage id="mykey.add" defaultMessage="Add" />
          </SaveButton>
        </FormActions>
      </Form>
    </Card>
  );
}
// {setting}

function Limit() {
  const { max_notes: max } = useSettings<Settings>();
  return (
    <p>
      <FormattedMessage
        id="mykey.max"
        defaultMessage="You can keep {max, plural, one {# note} other {# notes}}."
        values={{ max }}
      />
    </p>
  );
}
// {/setting}
