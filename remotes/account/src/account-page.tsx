import { Slot, type SlotProps, useMay, useOverlay, usePortal, useSettings } from '@wattle/sdk';
import {
  Badge,
  Button,
  Card,
  EmptyState,
  ErrorState,
  type Fact,
  Facts,
  formatEan,
  formatPhone,
  Grid,
  IconButton,
  Page,
  Row,
  Section,
  Skeleton,
} from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled, { keyframes } from 'styled-components';
import { AccessLog, AccessLogSummary } from './access-log';
import { api } from './api';
import { Mail } from './mail';
import {
  type Address,
  addressLine,
  knownOrUndefined,
  type Relation,
  readAddress,
  salutations,
  streetLine,
  timesOfUse,
  townLine,
} from './relation.rules';
import { Group, Part, useLanding } from './section';
import { Sessions, SessionsSummary } from './sessions';
import type { AccountSettings } from './settings';

/**
 * The customer's details. Where members land on this page, it welcomes them and begins with what their shares make and what must be
 * paid (9-account-landing).
 */
export default function AccountPage() {
  const { session } = usePortal();
  const isLanding = useLanding();
  const title = <FormattedMessage id="account.title" defaultMessage="My details" />;
  const intro = (
    <FormattedMessage
      id="account.intro"
      defaultMessage="This is what we know about you. Is something not right? Change it here."
    />
  );
  const notices = <Slot name="notice" props={{}} />;
  const atAGlance = (
    <>
      <Slot name="account.top" props={{}} frame={onTop} />
      <Slot name="due" props={{}} />
    </>
  );
  if (!isLanding)
    return (
      <Page width="wide" title={title} sentence={intro}>
        {notices}
        <Details />
        {atAGlance}
      </Page>
    );
  return (
    <Page
      width="wide"
      title={
        <FormattedMessage
          id="account.welcome"
          defaultMessage="Welcome, {name}"
          values={{ name: session?.preferredName ?? session?.name }}
        />
      }
    >
      {atAGlance}
      {notices}
      <Section title={title} sentence={intro}>
        <Details />
      </Section>
    </Page>
  );
}

function Details() {
  const intl = useIntl();
  const relation = api.useGet('/relations', {}, { empty: [404] });
  const { show_shipping_addresses } = useSettings<AccountSettings>();
  return (
    <>
      {relation.isError && <ErrorState onRetry={() => void relation.refetch()} retrying={relation.isFetching} />}
      {relation.isSuccess && !relation.data && (
        <EmptyState title={<FormattedMessage id="account.no_data" defaultMessage="We have no details of yours yet" />}>
          <FormattedMessage id="account.no_data_text" defaultMessage="They appear here once we have processed your contract." />
        </EmptyState>
      )}
      <Group title={<FormattedMessage id="account.group.me" defaultMessage="Personal" />}>
        {(relation.isPending || relation.data) && (
          <>
            <ContactInfo relation={relation.data} />
            {show_shipping_addresses && <ShippingAddresses />}
          </>
        )}
        {relation.data?.company && <Company company={relation.data.company} />}
        <Slot name="account" group="me" props={{}} frame={part} />
      </Group>
      <Group title={<FormattedMessage id="account.group.contract" defaultMessage="Contract and payment" />}>
        <Slot name="account" group="contract" props={{}} frame={part} />
      </Group>
      <Group title={<FormattedMessage id="account.group.security" defaultMessage="Privacy and security" />}>
        <Slot name="account" group="security" props={{}} frame={part}>
          <Part
            id="account.password"
            title={intl.formatMessage({ id: 'account.password', defaultMessage: 'Password' })}
            summary={hiddenPassword}
          >
            <Row gap={16}>
              {hiddenPassword}
              <Change what="password" />
            </Row>
          </Part>
          <Part
            id="account.sessions"
            title={intl.formatMessage({ id: 'account.signed_in', defaultMessage: 'Where you are signed in' })}
            summary={<SessionsSummary />}
          >
            <Sessions />
          </Part>
          {relation.data && (
            <Part
              id="account.access-log"
              title={intl.formatMessage({ id: 'account.looked', defaultMessage: 'Who viewed your details' })}
              summary={<AccessLogSummary />}
            >
              <AccessLog />
            </Part>
          )}
        </Slot>
      </Group>
    </>
  );
}

const hiddenPassword = <span aria-hidden="true">••••••••</span>;

/** Another module's section, with its anchor. */
const part: NonNullable<SlotProps<'account'>['frame']> = ({ id, module, title, summary, children }) =>
  title ? (
    <Part id={`${module}.${id}`} title={title} summary={summary}>
      {children}
    </Part>
  ) : (
    <Card>{children}</Card>
  );

function ContactInfo({ relation }: { relation: Relation | null | undefined }) {
  const intl = useIntl();
  const email = api.useGet('/relations/email', { query: { request: 'status' } }).data?.change_email;
  return (
    <Part
      id="account.contact-info"
      first
      title={intl.formatMessage({ id: 'account.contact_info', defaultMessage: 'Contact details' })}
      summary={
        email ? (
          <FormattedMessage
            id="account.attention.email"
            defaultMessage="Your email address is being changed to {email}"
            values={{ email }}
          />
        ) : (
          relation?.email || relation?.debtor_number || '\u00a0'
        )
      }
    >
      {relation ? <ContactFacts relation={relation} /> : <Skeleton shape="row" count={6} />}
    </Part>
  );
}

function ContactFacts({ relation }: { relation: Relation }) {
  const intl = useIntl();
  const email = api.useGet('/relations/email', { query: { request: 'status' } });
  const phone = api.useGet('/relations/phonenumber', { query: { request: 'status' } });
  const account = api.useGet('/account');
  const may = useMay(overlays.email.operation);
  const home = (relation.addresses ?? []).map(readAddress).find((a) => a.address_type === 'INVOICE');
  const name = [relation.initials, relation.prefix, relation.last_name].filter(Boolean).join(' ');
  return (
    <>
      {!may.ok && <Reason>{may.reason}</Reason>}
      <Facts
        items={[
          {
            label: <FormattedMessage id="account.name" defaultMessage="Name" />,
            value: (
              <FormattedMessage
                id="account.name_value"
                defaultMessage="{salutation, select, MR {Mr } MRS {Mrs } THEHEIRSOF {The heirs of } other {}}{name}"
                values={{ salutation: knownOrUndefined(salutations, relation.salutation) ?? 'other', name }}
              />
            ),
          },
          {
            label: <FormattedMessage id="account.debtor_number" defaultMessage="Customer number" />,
            value: relation.debtor_number,
          },
          ...(home
            ? [{ label: <FormattedMessage id="account.address" defaultMessage="Address" />, value: addressLine(home) }]
            : []),
          changeableFact({
            label: intl.formatMessage({ id: 'account.email', defaultMessage: 'Email address' }),
            value: relation.email && <Mail address={relation.email} />,
            pending: email.data?.change_email,
            known: !email.isPending,
            change: <Change what="email" />,
          }),
          changeableFact({
            label: intl.formatMessage({ id: 'account.phone', defaultMessage: 'Phone number' }),
            value: formatPhone(relation.phone_number),
            pending: phone.data?.phone_number && formatPhone(phone.data.phone_number),
            known: !phone.isPending,
            change: <Change what="phone" />,
          }),
          changeableFact({
            label: intl.formatMessage({ id: 'account.username', defaultMessage: 'Username' }),
            value: account.isError ? (
              <Quiet>
                <FormattedMessage id="account.unavailable" defaultMessage="Not available right now" />
              </Quiet>
            ) : (
              account.data?.user_name
            ),
            pending: account.data?.change_username,
            known: !account.isPending,
            change: <Change what="username" />,
          }),
        ]}
      />
    </>
  );
}

/**
 * A fact that can be changed. While a change is pending, the new value is shown instead of the edit button (4-pending-personal).
 */
function changeableFact(f: {
  label: string;
  value: ReactNode;
  pending: string | undefined;
  known: boolean;
  change: ReactNode;
}): Fact {
  const fact = { label: f.label, value: f.value || (f.known ? <Missing /> : '\u00a0') };
  if (f.pending) return { ...fact, pending: <strong>{f.pending}</strong> };
  return f.known ? { ...fact, action: f.change } : fact;
}

const Missing = () => (
  <Quiet>
    <FormattedMessage id="account.missing" defaultMessage="Not known to us" />
  </Quiet>
);

const overlays = {
  email: { overlay: 'change-email-address', operation: 'account.changeEmail' },
  phone: { overlay: 'change-phonenumber', operation: 'account.changePhone' },
  username: { overlay: 'change-username', operation: 'account.changeUsername' },
  password: { overlay: 'change-account-password', operation: 'core.changePassword' },
} as const;

/**
 * The edit button of a fact. During impersonation it is disabled, and its accessible name includes the reason, which the card shows
 * once.
 */
function Change({ what }: { what: keyof typeof overlays }) {
  const intl = useIntl();
  const { open } = useOverlay();
  const may = useMay(overlays[what].operation);
  const name = intl.formatMessage(
    {
      id: 'account.change_what',
      defaultMessage:
        'Change {what, select, email {email address} phone {phone number} username {username} password {password} other {}}',
    },
    { what },
  );
  if (!may.ok) return <IconButton icon="edit" label={name} disabledReason={may.reason} />;
  return (
    <Button variant="quiet" small icon="edit" onClick={() => open(overlays[what].overlay)} aria-label={name}>
      <Wide>
        <FormattedMessage id="account.change" defaultMessage="Change" />
      </Wide>
    </Button>
  );
}

/** 2.1-account-addresses-rows: three in a row. If the addresses cannot be loaded, the list is empty (8-addresses-failed). */
function ShippingAddresses() {
  const intl = useIntl();
  const addresses = api.useGet('/relations/addresses');
  const shipping = (addresses.data ?? []).map(readAddress).filter((a) => a.address_type === 'SHIPPING');
  return (
    <Part
      id="account.addresses"
      title={intl.formatMessage({ id: 'account.addresses', defaultMessage: 'Delivery addresses' })}
      summary={addresses.isPending ? '\u00a0' : shipping.map(streetLine).join(', ')}
    >
      {addresses.isPending ? (
        <Skeleton shape="card" />
      ) : shipping.length === 0 ? (
        <Quiet as="p">
          <FormattedMessage id="account.no_addresses" defaultMessage="There are no delivery addresses to show." />
        </Quiet>
      ) : (
        <Grid as="ul" columns={3}>
          {shipping.map((a, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: addresses have no id, and keep the order of the server
            <AddressCard key={i} address={a} />
          ))}
        </Grid>
      )}
    </Part>
  );
}

function AddressCard({ address }: { address: Address }) {
  const commodities = [...new Set(address.connections.map((c) => c.commodity))].sort();
  return (
    <Plain>
      <Card>
        <strong>{streetLine(address)}</strong>
        <div>{townLine(address)}</div>
        {commodities.length > 0 && (
          <Kinds gap={8}>
            {commodities.map((c) => (
              <Badge key={c}>
                {c === 'GAS' ? (
                  <FormattedMessage id="account.gas" defaultMessage="Gas" />
                ) : (
                  <FormattedMessage id="account.electricity" defaultMessage="Electricity" />
                )}
              </Badge>
            ))}
          </Kinds>
        )}
      </Card>
    </Plain>
  );
}

/** 2.1-company-section, 3-company-extra-fields: only for a relation with company data; extra fields only if they have values. */
function Company({ company }: { company: NonNullable<Relation['company']> }) {
  const intl = useIntl();
  const hours = knownOrUndefined(timesOfUse, company.timeOfUse);
  const facts: Fact[] = [
    { label: <FormattedMessage id="account.company_name" defaultMessage="Company name" />, value: company.name },
    {
      label: <FormattedMessage id="account.coc_number" defaultMessage="Chamber of Commerce number" />,
      value: company.coc_number || <Missing />,
    },
    { label: <FormattedMessage id="account.vat_number" defaultMessage="VAT number" />, value: company.vat_number || <Missing /> },
  ];
  if (company.eanCode)
    facts.push({
      label: <FormattedMessage id="account.ean_code" defaultMessage="EAN code" />,
      value: formatEan(company.eanCode),
    });
  if (hours)
    facts.push({
      label: <FormattedMessage id="account.time_of_use" defaultMessage="Normal tariff" />,
      value: (
        <FormattedMessage
          id="account.time_of_use_value"
          defaultMessage="{hours, select, T_7_21 {On working days from 7:00 to 21:00} T_7_23 {On working days from 7:00 to 23:00} other {Day and night}}"
          values={{ hours }}
        />
      ),
    });
  return (
    <Part
      id="account.company"
      title={intl.formatMessage({ id: 'account.company', defaultMessage: 'Company' })}
      summary={company.name}
    >
      <Facts items={facts} />
    </Part>
  );
}

/** On a phone an icon next to a value suffices, so that an address fits on one line. */
const Wide = styled.span`@media (max-width: 767px) { display: none; }`;
/** A slow card does not hold the page. */
const appear = keyframes`to { visibility: visible; }`;
/**
 * What a card pushes down is hidden until the card has loaded (9-pages-still). A card without reserved rows is shown only once it has
 * content, because often it has none.
 */
const OnTop = styled.div`
  &:has([role='status'][aria-busy='true']) ~ * { visibility: hidden; animation: ${appear} 0s 3s forwards; }
  &:has(> section > div > [aria-busy='true']) { display: none; }
`;
const onTop: NonNullable<SlotProps<'account.top'>['frame']> = ({ title, children }) => (
  <OnTop>
    <Card title={title}>{children}</Card>
  </OnTop>
);
const Quiet = styled.span`color: var(--w-text-quiet);`;
const Reason = styled.p`color: var(--w-text-quiet); margin-bottom: 12px;`;
const Plain = styled.li`list-style: none; display: grid;`;
const Kinds = styled(Row)`margin-top: 16px;`;
