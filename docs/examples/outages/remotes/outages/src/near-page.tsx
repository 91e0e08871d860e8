import { useMay, useNotify, usePortal, useProblemText, useSettings } from '@wattle/sdk';
import { Alert, Button, Card, EmptyState, ErrorState, Facts, Page, Skeleton, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import { type Address, api, type Outage, type Settings } from './api';
import { line, Moment, State, Title } from './texts';

/** The page with the outages near the customer's addresses and the subscription to emails. */
export default function NearPage() {
  const near = api.useGet('/outages');
  return (
    <Page
      width="text"
      title={<FormattedMessage id="outages.title" defaultMessage="Outages" />}
      sentence={<FormattedMessage id="outages.sentence" defaultMessage="Power and gas near your addresses." />}
    >
      {near.isPending ? (
        <Skeleton shape="card" count={2} />
      ) : near.isError ? (
        <ErrorState onRetry={() => void near.refetch()} retrying={near.isFetching} />
      ) : (
        <Stack gap={24}>
          <List items={near.data.items} />
          <Mails addresses={near.data.addresses} on={near.data.subscribed} />
          <Help />
        </Stack>
      )}
    </Page>
  );
}

function List({ items }: { items: readonly Outage[] }) {
  if (items.length === 0)
    return (
      <EmptyState title={<FormattedMessage id="outages.none" defaultMessage="There are no outages near you" />}>
        <FormattedMessage id="outages.none_text" defaultMessage="Faults and planned work at your addresses will be here." />
      </EmptyState>
    );
  return (
    <Stack as="ul" gap={16} style={{ listStyle: 'none', padding: 0, margin: 0 }}>
      {items.map((o) => (
        <li key={o.id}>
          <One outage={o} />
        </li>
      ))}
    </Stack>
  );
}

function One({ outage: o }: { outage: Outage }) {
  const { locale } = usePortal();
  const end = o.ended_at ?? o.expected_end;
  return (
    <Card title={<Title outage={o} />}>
      <Stack gap={16}>
        <div>
          <State state={o.state} />
        </div>
        {o.text[locale] && <p>{o.text[locale]}</p>}
        <Facts
          items={[
            {
              label: <FormattedMessage id="outages.where" defaultMessage="At" />,
              value: o.addresses.map(line).join('; '),
            },
            { label: <FormattedMessage id="outages.start" defaultMessage="From" />, value: <Moment at={o.starts_at} /> },
            {
              label: (
                <FormattedMessage
                  id="outages.end"
                  defaultMessage="{state, select, ended {Until} other {Expected end}}"
                  values={{ state: o.state }}
                />
              ),
              value: end ? <Moment at={end} /> : <FormattedMessage id="outages.end_unknown" defaultMessage="Not known yet" />,
            },
            ...(o.operator
              ? [{ label: <FormattedMessage id="outages.operator" defaultMessage="Grid operator" />, value: o.operator }]
              : []),
          ]}
        />
      </Stack>
    </Card>
  );
}

function Mails({ addresses, on }: { addresses: readonly Address[]; on: boolean }) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const may = useMay('outages.subscribe');
  const save = api.useWrite('put', '/outages/subscription', { changes: ['/outages'] });
  if (addresses.length === 0 && !on) return null;
  const change = () =>
    save.mutate(
      { body: { subscribed: !on } },
      {
        onSuccess: () =>
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              {
                id: 'outages.mails_saved',
                defaultMessage:
                  '{on, select, true {You get emails about outages.} other {You get no more emails about outages.}}',
              },
              { on: String(!on) },
            ),
          }),
      },
    );
  return (
    <Card title={<FormattedMessage id="outages.mails" defaultMessage="Emails about outages" />}>
      <Stack gap={16}>
        {save.error && <Alert>{text(save.error)}</Alert>}
        <p>
          <FormattedMessage
            id="outages.mails_text"
            defaultMessage="{on, select, true {You get an email when there is an outage at {where}, and when it is over.} other {Get an email when there is an outage at {where}, and when it is over.}}"
            values={{ on: String(on), where: addresses.map(line).join('; ') }}
          />
        </p>
        <div>
          <Button
            variant={on ? 'secondary' : 'primary'}
            icon="mail"
            loading={save.isPending}
            disabledReason={may.ok ? undefined : may.reason}
            onClick={change}
          >
            <FormattedMessage
              id="outages.mails_change"
              defaultMessage="{on, select, true {Switch emails off} other {Switch emails on}}"
              values={{ on: String(on) }}
            />
          </Button>
        </div>
      </Stack>
    </Card>
  );
}

function Help() {
  const { fault_number: number } = useSettings<Settings>();
  return (
    <Card tone="tint" title={<FormattedMessage id="outages.help" defaultMessage="No power or gas, and nothing here?" />}>
      <p>
        <FormattedMessage
          id="outages.help_text"
          defaultMessage="Call {number}, day and night. Do you smell gas? Open the windows, go outside and call from there."
          values={{ number: <TextLink href={`tel:${number.replaceAll(/[ -]/g, '')}`}>{number}</TextLink> }}
        />
      </p>
    </Card>
  );
}
