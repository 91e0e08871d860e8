import { useMay, useNotify, useProblemText, useSettings } from '@wattle/sdk';
import { Alert, Button, Card, EmptyState, ErrorState, Page, Skeleton, Stack } from '@wattle/ui';
import { Form, TextField, useFields } from '@wattle/ui/forms';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Note, type Settings } from './api';

/** The notes of the customer, and a form to add one. */
export default function NotesPage() {
  const { max_notes: max } = useSettings<Settings>();
  const notes = api.useGet('/acme/notes');
  return (
    <Page
      title={<FormattedMessage id="acme.title" defaultMessage="Acme" />}
      sentence={
        <FormattedMessage
          id="acme.sentence"
          defaultMessage="What you want to remember. You can have {max, plural, one {# note} other {# notes}}."
          values={{ max }}
        />
      }
    >
      {notes.isPending ? (
        <Skeleton shape="card" />
      ) : notes.isError ? (
        <ErrorState onRetry={() => void notes.refetch()} retrying={notes.isFetching} />
      ) : (
        <Stack gap={24}>
          <List notes={notes.data ?? []} />
          <Add />
        </Stack>
      )}
    </Page>
  );
}

function List({ notes }: { notes: readonly Note[] }) {
  if (notes.length === 0)
    return <EmptyState title={<FormattedMessage id="acme.none" defaultMessage="You have no notes yet" />} />;
  return (
    <Card title={<FormattedMessage id="acme.list" defaultMessage="Your notes" />}>
      <ul>
        {notes.map((note) => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
    </Card>
  );
}

function Add() {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const may = useMay('acme.saveNote');
  const save = api.useWrite('put', '/acme/notes/{id}', { changes: ['/acme/notes'] });
  const fields = useFields({
    initial: { text: '' },
    check: (values) => ({ text: values.text.trim() ? undefined : text({ code: 'required' }) }),
  });
  const submit = (values: { text: string }) =>
    save.mutate(
      { path: { id: crypto.randomUUID() }, body: { text: values.text.trim() } },
      {
        onSuccess: () => {
          fields.reset();
          const saved = intl.formatMessage({ id: 'acme.saved', defaultMessage: 'The note has been saved.' });
          notify({ kind: 'notice', tone: 'good', text: saved });
        },
      },
    );
  return (
    <Card title={<FormattedMessage id="acme.add" defaultMessage="New note" />}>
      <Form busy={save.isPending} {...fields.form(submit)}>
        {save.error && <Alert>{text(save.error)}</Alert>}
        <TextField
          {...fields.field('text')}
          required
          maxLength={80}
          label={<FormattedMessage id="acme.text" defaultMessage="Note" />}
        />
        <Button type="submit" variant="primary" loading={save.isPending} why={may.ok ? fields.why : may.why}>
          <FormattedMessage id="acme.save" defaultMessage="Save" />
        </Button>
      </Form>
    </Card>
  );
}
