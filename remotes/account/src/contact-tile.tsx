import { EmptyState, ErrorState, formatPhone, Skeleton, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { Mail } from './mail';

/** The customer's contact details on the home page, in a line each, with a link for changing them (2.1-home-content). */
export default function ContactTile() {
  const relation = api.useGet('/relations', {}, { empty: [404] });
  if (relation.isPending) return <Skeleton shape="row" count={2} />;
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
    <>
      <Lines>
        <div>
          <dt>
            <FormattedMessage id="account.debtor_number" defaultMessage="Customer number" />
          </dt>
          <dd>{debtor_number}</dd>
        </div>
        <div>
          <dt>
            <FormattedMessage id="account.email" defaultMessage="Email address" />
          </dt>
          <dd>{email ? <Mail address={email} /> : missing}</dd>
        </div>
        <div>
          <dt>
            <FormattedMessage id="account.phone" defaultMessage="Phone number" />
          </dt>
          <dd>{phone_number ? formatPhone(phone_number) : missing}</dd>
        </div>
      </Lines>
      <TextLink href="/account#account.contact-info">
        <FormattedMessage id="account.contact_tile.change" defaultMessage="View or change" />
      </TextLink>
    </>
  );
}

/** Label and value on one line where they fit. */
const Lines = styled.dl`
  margin: 0 0 4px;
  div { display: flex; flex-wrap: wrap; gap: 0 8px; margin-bottom: 4px; }
  dt { color: var(--w-text-quiet); } dd { margin: 0; overflow-wrap: anywhere; }
`;
