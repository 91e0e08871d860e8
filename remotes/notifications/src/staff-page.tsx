import { clockAt, useMay, useNotify, usePortal, useProblemText, useSearchParams } from '@wattle/sdk';
import {
  Alert,
  Button,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  formatDay,
  formatNumber,
  LinkButton,
  Page,
  Row,
  Segmented,
} from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, pathsAfterSending, type SentMessage } from './api';
import { Audience } from './compose-page';
import { Kind } from './kind';

type State = 'planned' | 'sent';

/** 6-staff-notifications-list: sent and scheduled messages; scheduled ones can be withdrawn. */
export default function StaffPage() {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const { timeZone, locale } = usePortal();
  const may = useMay('notifications.withdrawNotification');
  const [params, setParams] = useSearchParams();
  const state: State = params.get('state') === 'planned' ? 'planned' : 'sent';
  const [seen, setSeen] = useState<{ of: State; after: readonly string[] }>({ of: state, after: [] });
  const pages = seen.of === state ? seen.after : []; // the cursors of the previous pages, for going back
  const after = pages.at(-1);
  const list = api.useGet('/staff/notifications', { query: { state, ...(after ? { after } : {}) } });
  const next = list.data?.next;
  const withdraw = api.useWrite('delete', '/staff/notifications/{id}', { changes: pathsAfterSending });
  const [toWithdraw, setToWithdraw] = useState<SentMessage>();
  const title = intl.formatMessage({ id: 'notifications.staff.title', defaultMessage: 'Messages to customers' });
  const columns: Column<SentMessage>[] = [
    {
      id: 'title',
      title: <FormattedMessage id="notifications.compose.subject" defaultMessage="Title" />,
      head: true,
      card: 'title',
      cell: (n) => n.title[locale],
    },
    {
      id: 'kind',
      title: <FormattedMessage id="notifications.compose.kind" defaultMessage="About" />,
      width: 128,
      cell: (n) => <Kind kind={n.kind} />,
    },
    {
      id: 'audience',
      title: <FormattedMessage id="notifications.compose.audience" defaultMessage="For whom" />,
      cell: (n) => (
        <>
          <Audience audience={n.audience.kind} project={n.audience.project_name ?? n.audience.project} />
          {n.imported && (
            <Small>
              <FormattedMessage id="notifications.staff.imported" defaultMessage="Imported" />
            </Small>
          )}
        </>
      ),
    },
    {
      id: 'when',
      title: <FormattedMessage id="notifications.compose.when" defaultMessage="When" />,
      width: 168,
      cell: (n) => {
        const { day, time } = clockAt(n.publish_at, timeZone);
        return `${formatDay(day)} ${time}`;
      },
    },
    {
      id: 'recipients',
      title: <FormattedMessage id="notifications.staff.recipients" defaultMessage="Recipients" />,
      align: 'end',
      width: 184,
      cell: (n) => (
        <>
          {n.recipients === null ? '–' : formatNumber(n.recipients)}
          {state === 'sent' && n.recipients !== null && (
            <Small>
              <FormattedMessage
                id="notifications.staff.counted"
                defaultMessage="{read} read{mail, select, true {, {mails} emails} other {}}"
                values={{ read: formatNumber(n.read), mail: String(n.mail), mails: formatNumber(n.mails) }}
              />
            </Small>
          )}
        </>
      ),
    },
    ...(state === 'planned'
      ? [
          {
            id: 'withdraw',
            title: <FormattedMessage id="notifications.staff.withdraw" defaultMessage="Withdraw" />,
            quiet: true,
            align: 'end' as const,
            width: 136,
            cell: (n: SentMessage) => (
              <Button small variant="quiet" disabledReason={may.ok ? undefined : may.reason} onClick={() => setToWithdraw(n)}>
                <FormattedMessage id="notifications.staff.withdraw" defaultMessage="Withdraw" />
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Page
      width="wide"
      title={title}
      sentence={
        <FormattedMessage
          id="notifications.staff.intro"
          defaultMessage="What you wrote to customers. A planned message can be withdrawn until it is sent."
        />
      }
      actions={
        <LinkButton variant="primary" icon="edit" href="/staff/notifications/new">
          <FormattedMessage id="notifications.compose.title" defaultMessage="New message" />
        </LinkButton>
      }
    >
      <Segmented
        label={intl.formatMessage({ id: 'notifications.staff.state', defaultMessage: 'Which messages' })}
        value={state}
        onChange={(to) => setParams(to === 'planned' ? { state: to } : {}, { replace: true })}
        options={[
          { value: 'sent', text: intl.formatMessage({ id: 'notifications.staff.sent', defaultMessage: 'Sent' }) },
          { value: 'planned', text: intl.formatMessage({ id: 'notifications.compose.planned', defaultMessage: 'Planned' }) },
        ]}
      />
      {withdraw.error && (
        <Alert title={<FormattedMessage id="notifications.staff.failed" defaultMessage="The message was not withdrawn" />}>
          {text(withdraw.error)}
        </Alert>
      )}
      <Table>
        <DataTable
          label={title}
          columns={columns}
          rows={list.data?.items ?? []}
          rowKey={(n) => n.id}
          loading={list.isFetching}
          error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
          empty={
            <EmptyState
              title={
                <FormattedMessage
                  id="notifications.staff.none"
                  defaultMessage="{state, select, planned {Nothing is planned} other {Nothing has been sent yet}}"
                  values={{ state }}
                />
              }
            >
              <FormattedMessage id="notifications.staff.none_text" defaultMessage="What you write to customers will be here." />
            </EmptyState>
          }
        />
      </Table>
      {(after || next) && (
        <Row
          as="nav"
          gap={8}
          justify="end"
          aria-label={intl.formatMessage({ id: 'notifications.staff.pages', defaultMessage: 'Pages' })}
        >
          {after && (
            <Button small icon="left" onClick={() => setSeen({ of: state, after: pages.slice(0, -1) })}>
              <FormattedMessage id="notifications.staff.previous" defaultMessage="Previous" />
            </Button>
          )}
          {next && (
            <Button small iconEnd="right" onClick={() => setSeen({ of: state, after: [...pages, next] })}>
              <FormattedMessage id="notifications.staff.next" defaultMessage="Next" />
            </Button>
          )}
        </Row>
      )}
      <ConfirmDialog
        isOpen={toWithdraw !== undefined}
        title={<FormattedMessage id="notifications.staff.sure" defaultMessage="Withdraw this message?" />}
        confirm={<FormattedMessage id="notifications.staff.withdraw" defaultMessage="Withdraw" />}
        tone="danger"
        busy={withdraw.isPending}
        onClose={() => setToWithdraw(undefined)}
        onConfirm={() =>
          toWithdraw &&
          withdraw.mutate(
            { path: { id: toWithdraw.id }, body: undefined },
            {
              onSuccess: () =>
                notify({
                  kind: 'notice',
                  tone: 'good',
                  text: intl.formatMessage({
                    id: 'notifications.staff.withdrawn',
                    defaultMessage: 'The message is withdrawn; nobody gets it.',
                  }),
                }),
              onError: () => void list.refetch(),
              onSettled: () => setToWithdraw(undefined),
            },
          )
        }
      >
        {toWithdraw?.title[locale]}
      </ConfirmDialog>
    </Page>
  );
}

const Table = styled.div`
  border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface); overflow: clip;
  @media (max-width: 767px) { border: 0; background: none; border-radius: 0; overflow: visible; }
`;
const Small = styled.div`font-size: 14px; color: var(--w-text-quiet);`;
