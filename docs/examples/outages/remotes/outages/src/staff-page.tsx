import { useMay, useNotify, useNow, usePortal, useProblemText } from '@wattle/sdk';
import { Alert, Button, ConfirmDialog, EmptyState, ErrorState, formatNumber, LinkButton, Page, Row } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changed, type Reported } from './api';
import { momentAt } from './report.rules';
import { Moment, State, Title } from './texts';

/** The staff page with all outages, where staff can end or delete them. */
export default function StaffPage() {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const now = useNow();
  const { timeZone } = usePortal();
  const maySave = useMay('outages.saveOutage');
  const mayDelete = useMay('outages.deleteOutage');
  const [seen, setSeen] = useState<readonly string[]>([]); // the cursors of the previous pages
  const after = seen.at(-1);
  const list = api.useGet('/staff/outages', after ? { query: { after } } : undefined);
  const save = api.useWrite('put', '/staff/outages/{id}', { changes: changed });
  const remove = api.useWrite('delete', '/staff/outages/{id}', { changes: changed });
  const [toDelete, setToDelete] = useState<Reported>();
  const failed = save.error ?? remove.error;
  const title = intl.formatMessage({ id: 'outages.title', defaultMessage: 'Outages' });
  const end = ({ id, state: _state, changed_at: _changed, mails: _mails, ...report }: Reported) =>
    save.mutate(
      { path: { id }, body: { ...report, ended_at: momentAt(now.day, now.time, timeZone) ?? null } },
      {
        onSuccess: () =>
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({
              id: 'outages.staff.ended',
              defaultMessage: 'The outage is over; customers get an email.',
            }),
          }),
      },
    );
  const columns: Column<Reported>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="outages.staff.what" defaultMessage="What" />,
      head: true,
      card: 'title',
      cell: (o) => <Title outage={o} />,
    },
    {
      id: 'state',
      title: <FormattedMessage id="outages.staff.state" defaultMessage="State" />,
      card: 'end',
      width: 144,
      cell: (o) => <State state={o.state} />,
    },
    {
      id: 'areas',
      title: <FormattedMessage id="outages.staff.areas" defaultMessage="Postal codes" />,
      cell: (o) => o.areas.join(', '),
    },
    {
      id: 'start',
      title: <FormattedMessage id="outages.start" defaultMessage="From" />,
      width: 176,
      cell: (o) => <Moment at={o.starts_at} />,
    },
    {
      id: 'mails',
      title: <FormattedMessage id="outages.staff.mails" defaultMessage="Emails" />,
      align: 'end',
      width: 96,
      cell: (o) => formatNumber(o.mails),
    },
    {
      id: 'change',
      title: <FormattedMessage id="outages.staff.change" defaultMessage="Change" />,
      quiet: true,
      align: 'end',
      width: 288,
      cell: (o) => (
        <Row gap={8} justify="end">
          {o.state === 'active' && (
            <Button
              small
              disabledReason={maySave.ok ? undefined : maySave.reason}
              loading={save.isPending}
              onClick={() => end(o)}
            >
              <FormattedMessage id="outages.staff.end" defaultMessage="It is over" />
            </Button>
          )}
          <Button
            small
            variant="quiet"
            disabledReason={mayDelete.ok ? undefined : mayDelete.reason}
            onClick={() => setToDelete(o)}
          >
            <FormattedMessage id="outages.staff.delete" defaultMessage="Delete" />
          </Button>
        </Row>
      ),
    },
  ];
  return (
    <Page
      width="wide"
      title={title}
      sentence={
        <FormattedMessage
          id="outages.staff.intro"
          defaultMessage="Customers see what is in the area of their addresses. Reports of grid operators are here too."
        />
      }
      actions={
        <LinkButton variant="primary" icon="edit" href="/staff/outages/new">
          <FormattedMessage id="outages.staff.new" defaultMessage="Report an outage" />
        </LinkButton>
      }
    >
      {failed && <Alert>{text(failed)}</Alert>}
      <DataTable
        label={title}
        columns={columns}
        rows={list.data?.items ?? []}
        rowKey={(o) => o.id}
        loading={list.isFetching}
        error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
        empty={<EmptyState title={<FormattedMessage id="outages.staff.none" defaultMessage="No outages are known" />} />}
      />
      {(after || list.data?.next) && (
        <Row
          as="nav"
          gap={8}
          justify="end"
          aria-label={intl.formatMessage({ id: 'outages.staff.pages', defaultMessage: 'Pages' })}
        >
          {after && (
            <Button small icon="left" onClick={() => setSeen(seen.slice(0, -1))}>
              <FormattedMessage id="outages.staff.previous" defaultMessage="Previous" />
            </Button>
          )}
          {list.data?.next && (
            <Button small iconEnd="right" onClick={() => setSeen([...seen, list.data.next ?? ''])}>
              <FormattedMessage id="outages.staff.next" defaultMessage="Next" />
            </Button>
          )}
        </Row>
      )}
      <ConfirmDialog
        isOpen={toDelete !== undefined}
        title={<FormattedMessage id="outages.staff.sure" defaultMessage="Delete this outage?" />}
        confirm={<FormattedMessage id="outages.staff.delete" defaultMessage="Delete" />}
        tone="danger"
        busy={remove.isPending}
        onClose={() => setToDelete(undefined)}
        onConfirm={() =>
          toDelete && remove.mutate({ path: { id: toDelete.id }, body: undefined }, { onSettled: () => setToDelete(undefined) })
        }
      >
        <FormattedMessage id="outages.staff.sure_text" defaultMessage="Customers no longer see it, and get no email about it." />
      </ConfirmDialog>
    </Page>
  );
}
