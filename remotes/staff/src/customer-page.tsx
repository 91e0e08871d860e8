import { useMay, useParams, useProblemText, useQueries } from '@wattle/sdk';
import {
  Button,
  Card,
  EmptyState,
  ErrorState,
  Facts,
  formatDay,
  Grid,
  Notice,
  Page,
  PhoneLink,
  Section,
  Skeleton,
  Stack,
  TextLink,
} from '@wattle/ui';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type CustomerRecord } from './api';
import { addressLine } from './change.rules';
import { Quiet } from './listing';
import { LogTable } from './log-table';
import { Queue } from './queue';
import { Wrapped } from './texts';

/** A customer: details, pending requests, access log, and a button that starts an impersonation. */
export default function CustomerPage() {
  const intl = useIntl();
  const { relation = '' } = useParams();
  const customer = api.useGet('/staff/customers/{relation}', { path: { relation } }, { empty: [404] });
  const c = customer.data;
  // 9-staff-recent: opening a customer is a read, but it changes the list on the start page
  const queries = useQueries();
  useEffect(() => {
    if (c) queries.removeQueries({ queryKey: ['/staff/recent-customers'] });
  }, [c, queries]);
  const back = {
    href: '/staff/customers',
    text: intl.formatMessage({ id: 'staff.customers.title', defaultMessage: 'Customers' }),
  };
  const title = c?.name || intl.formatMessage({ id: 'staff.customer.title', defaultMessage: 'Customer' });
  return (
    <Page width="wide" title={title} back={back}>
      {customer.isPending ? (
        <Skeleton shape="card" count={2} />
      ) : customer.isError ? (
        <ErrorState onRetry={() => void customer.refetch()} retrying={customer.isFetching} />
      ) : !c ? (
        <EmptyState title={<FormattedMessage id="staff.customers.none" defaultMessage="No customer found" />}>
          <FormattedMessage id="staff.request_gone_text" defaultMessage="Perhaps the address was not copied in full." />
        </EmptyState>
      ) : (
        <>
          <Grid columns={2} gap={24} min={320} style={{ alignItems: 'start' }}>
            <CustomerHeading customer={c} />
            <StartImpersonation customer={c} />
          </Grid>
          <Section title={<FormattedMessage id="staff.customer.waiting" defaultMessage="Waiting for a decision" />}>
            <Queue
              label={intl.formatMessage({ id: 'staff.customer.waiting', defaultMessage: 'Waiting for a decision' })}
              state="PENDING"
              q={relation}
              bare
              own
              empty={
                <Quiet>
                  <FormattedMessage id="staff.customer.nothing" defaultMessage="Nothing of this customer is waiting." />
                </Quiet>
              }
            />
          </Section>
          <Section title={<FormattedMessage id="staff.customer.log" defaultMessage="Who looked and who acted" />}>
            <LogTable relation={relation} limit={10} />
          </Section>
        </>
      )}
    </Page>
  );
}

function CustomerHeading({ customer: c }: { customer: CustomerRecord }) {
  const none = '–';
  const places = [...new Set(c.addresses.map(addressLine))];
  return (
    <Card title={<FormattedMessage id="staff.customer.details" defaultMessage="Details" />}>
      <Facts
        items={[
          { label: <FormattedMessage id="staff.col.number" defaultMessage="Customer number" />, value: c.debtor_number },
          ...(c.company && c.company !== c.name
            ? [{ label: <FormattedMessage id="staff.col.company" defaultMessage="Company" />, value: c.company }]
            : []),
          {
            label: <FormattedMessage id="staff.col.email" defaultMessage="Email address" />,
            value: c.email ? (
              <TextLink href={`mailto:${c.email}`}>
                <Wrapped>{c.email}</Wrapped>
              </TextLink>
            ) : (
              none
            ),
          },
          {
            label: <FormattedMessage id="staff.col.phone" defaultMessage="Phone number" />,
            value: c.phone ? <PhoneLink number={c.phone} /> : none,
          },
          {
            label: <FormattedMessage id="staff.col.address" defaultMessage="Address" />,
            value: places.length ? places.map((p) => <div key={p}>{p}</div>) : none,
          },
          { label: <FormattedMessage id="staff.col.username" defaultMessage="Username" />, value: c.username || none },
          ...(c.relation_since
            ? [
                {
                  label: <FormattedMessage id="staff.col.since" defaultMessage="Customer since" />,
                  value: formatDay(c.relation_since),
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}

/**
 * Opens the portal as the customer sees it, read-only, in a new tab. The click itself opens the tab, because browsers block pop-ups
 * that open after a response; the tab loads the portal once the code has arrived.
 */
function StartImpersonation({ customer: c }: { customer: CustomerRecord }) {
  const text = useProblemText();
  const may = useMay('core.startImpersonation');
  const start = api.useWrite('post', '/staff/impersonations', { changes: ['/staff/audit'] });
  const [kept, setKept] = useState<string>();
  const openPortal = () => {
    const tab = window.open('', '_blank');
    if (tab) tab.opener = null; // the opened tab has no access to this page
    setKept(undefined);
    start.mutate(
      { body: { relation: c.relation } },
      {
        onSuccess: (made) => {
          if (!made) return;
          if (tab) tab.location.replace(made.path);
          else setKept(made.path);
        },
        onError: () => tab?.close(),
      },
    );
  };
  return (
    <Card title={<FormattedMessage id="staff.look.title" defaultMessage="Look along" />} tone="tint">
      <Stack gap={16}>
        <p>
          <FormattedMessage
            id="staff.look.text"
            defaultMessage="For 30 minutes you see the portal as this customer sees it, in a new tab. You cannot change anything there. It is logged, and the customer can see that you viewed the portal."
          />
        </p>
        <div>
          <Button
            variant="primary"
            icon="eye"
            loading={start.isPending}
            disabledReason={
              !may.ok ? (
                may.reason
              ) : !c.may_impersonate ? (
                <FormattedMessage
                  id="staff.look.none"
                  defaultMessage="This customer has no account, so there is nothing to view."
                />
              ) : undefined
            }
            onClick={openPortal}
          >
            <FormattedMessage id="staff.look.go" defaultMessage="Look along in a new tab" />
          </Button>
        </div>
        {kept && (
          <Notice title={<FormattedMessage id="staff.look.blocked" defaultMessage="Your browser did not open the tab" />}>
            <TextLink href={kept} external>
              <FormattedMessage id="staff.look.open" defaultMessage="Open it yourself, within a minute" />
            </TextLink>
          </Notice>
        )}
        {start.error && (
          <Notice
            tone="negative"
            live
            title={<FormattedMessage id="staff.look.failed" defaultMessage="Looking along did not work" />}
          >
            {text(start.error)}
          </Notice>
        )}
      </Stack>
    </Card>
  );
}
