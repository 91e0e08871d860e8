import { useMay } from '@wattle/sdk';
import { Button, EmptyState, ErrorState, Page, Row, Stack, Tabs } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type UnverifiedRegistration, useHasMarket } from './api';
import { useFilter } from './changes-page';
import { Quiet, Rows } from './listing';
import { Queue } from './queue';
import { Moment, Wrapped } from './texts';

/** 6-staff-registrations: requests for an account and for access to the market, and registrations with an unverified address. */
export default function ApplicationsPage() {
  const intl = useIntl();
  const [of, set] = useFilter();
  const registers = useMay('onboarding.listApplications').ok;
  const market = useHasMarket();
  const summary = api.useGet('/staff/changes/summary').data ?? {};
  const count = (kind: string) => (summary[kind] ? ` (${summary[kind]})` : '');
  const queue = (kind: string, label: string) => (
    <Queue
      sameKind
      label={label}
      kind={kind}
      state="PENDING"
      q=""
      empty={
        <EmptyState title={<FormattedMessage id="staff.applications.none" defaultMessage="Nobody is waiting" />}>
          <FormattedMessage
            id="staff.applications.none_text"
            defaultMessage="Requests for access appear here until you decide."
          />
        </EmptyState>
      }
    />
  );
  const account = intl.formatMessage({ id: 'staff.applications.account', defaultMessage: 'Account' });
  const trade = intl.formatMessage({ id: 'staff.applications.market', defaultMessage: 'Marketplace' });
  const tabs = [
    ...(registers
      ? [
          {
            id: 'account',
            title: account + count('onboarding.application'),
            content: <Stack>{queue('onboarding.application', account)}</Stack>,
          },
        ]
      : []),
    ...(market
      ? [
          {
            id: 'market',
            title: trade + count('marketplace.access'),
            content: <Stack>{queue('marketplace.access', trade)}</Stack>,
          },
        ]
      : []),
    ...(registers
      ? [
          {
            id: 'unconfirmed',
            title: <FormattedMessage id="staff.applications.unconfirmed" defaultMessage="Not confirmed yet" />,
            content: <Unconfirmed />,
          },
        ]
      : []),
  ];
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="staff.applications.title" defaultMessage="Applicants" />}
      sentence={
        <FormattedMessage
          id="staff.applications.intro"
          defaultMessage="Approve somebody and the sign-in details go out by email; reject, and so does your reason."
        />
      }
    >
      {tabs.length > 0 && (
        <Tabs
          label={intl.formatMessage({ id: 'staff.applications.title', defaultMessage: 'Applicants' })}
          tabs={tabs}
          value={tabs.some((t) => t.id === of('tab')) ? of('tab') : (tabs[0]?.id ?? '')}
          onChange={(tab) => set('tab', tab)}
        />
      )}
    </Page>
  );
}

const most = 50;

/** Unverified registrations: they need no decision, but help staff to answer a caller. */
function Unconfirmed() {
  const intl = useIntl();
  const [last, setLast] = useState<UnverifiedRegistration>();
  const list = api.useGet('/staff/applications', { query: last ? { at: last.filed, id: last.id } : {} });
  const rows = list.data ?? [];
  const columns: Column<UnverifiedRegistration>[] = [
    {
      id: 'name',
      title: <FormattedMessage id="staff.col.who" defaultMessage="Who" />,
      head: true,
      card: 'title',
      cell: (w) => w.name,
    },
    {
      id: 'email',
      title: <FormattedMessage id="staff.col.email" defaultMessage="Email address" />,
      cell: (w) => <Wrapped>{w.email}</Wrapped>,
    },
    {
      id: 'filed',
      title: <FormattedMessage id="staff.col.filed" defaultMessage="Asked" />,
      width: 176,
      cell: (w) => <Moment at={w.filed} />,
    },
    {
      id: 'expires',
      title: <FormattedMessage id="staff.col.link" defaultMessage="Link works until" />,
      width: 176,
      cell: (w) => <Moment at={w.expires} />,
    },
  ];
  return (
    <Stack>
      <Quiet as="p">
        <FormattedMessage
          id="staff.applications.unconfirmed_text"
          defaultMessage="They have not followed the link in our email yet. As soon as they do, they wait for your decision."
        />
      </Quiet>
      <Rows>
        <DataTable
          label={intl.formatMessage({ id: 'staff.applications.unconfirmed', defaultMessage: 'Not confirmed yet' })}
          columns={columns}
          rows={rows}
          rowKey={(w) => w.id}
          loading={list.isFetching}
          error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
          empty={
            <EmptyState title={<FormattedMessage id="staff.applications.confirmed" defaultMessage="Everybody has confirmed" />} />
          }
        />
      </Rows>
      <Row gap={8} justify="end">
        {last && (
          <Button small onClick={() => setLast(undefined)}>
            <FormattedMessage id="staff.page_first" defaultMessage="First page" />
          </Button>
        )}
        {rows.length === most && (
          <Button small iconEnd="right" onClick={() => setLast(rows.at(-1))}>
            <FormattedMessage id="staff.page_on" defaultMessage="Next" />
          </Button>
        )}
      </Row>
    </Stack>
  );
}
