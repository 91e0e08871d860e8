import { EmptyState, ErrorState, Facts, formatPhone, LinkButton, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { Mail } from './mail';

/** The customer's contact details on the home page, with a link for changing them (2.1-home-content). */
export default function ContactTile() {
  const relation = api.useGet('/relations', {}, { empty: [404] });
  if (relation.isPending) return <Skeleton shape="row" count={3} />;
  if (relation.isError) return <ErrorState compact onRetry={() => void relation.refetch()} retrying={relation.isFetching} />;
  if (!relation.data)
    return (
      <EmptyState title={<FormattedMessage id="account.no_data" defaultMessage="We have no details of yours yet" />}>
        <FormattedMessage id="account.no_data_text" defaultMessage="They appear here once we have processed your contract." />
      </EmptyState>
    );
  const { debtor_number, email, phone_number } = relation.data;
  const missing = <FormattedMessage id="account.missing" defaultMessage="Not known to us" />;
  return (
    <Stack gap={16}>
      <Facts
        stacked
        items={[
          { label: <FormattedMessage id="account.debtor_number" defaultMessage="Customer number" />, value: debtor_number },
          {
            label: <FormattedMessage id="account.email" defaultMessage="Email address" />,
            value: email ? <Mail address={email} /> : missing,
          },
          {
            label: <FormattedMessage id="account.phone" defaultMessage="Phone number" />,
            value: phone_number ? formatPhone(phone_number) : missing,
          },
        ]}
      />
      <div>
        <LinkButton href="/account#account.contact-info" small icon="edit">
          <FormattedMessage id="account.contact_tile.change" defaultMessage="View or change" />
        </LinkButton>
      </div>
    </Stack>
  );
}
