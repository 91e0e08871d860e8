import { useSettings } from '@wattle/sdk';
import { Card, CivilDate, EmptyState, ErrorState, formatEuros, LinkButton, Page, Stack } from '@wattle/ui';
import { type Column, DataTable, Pagination } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type MarketOffer, type MarketSettings } from './api';
import { OfferActions } from './my-offer-actions';
import { OfferStatus } from './statuses';
import { Quiet } from './texts';

/** 2.1-my-offers-route: POST market with my_offer true (7.6-offer-calls-reconcile). */
export default function MyOffersPage() {
  const intl = useIntl();
  const { page_size: size } = useSettings<MarketSettings>();
  const [page, setPage] = useState(1);
  const offers = api.useSearch('/sustainable/market', {
    query: { page: page - 1, size, sort: ['date,desc'] },
    body: { filters: { my_offer: true } },
  });
  const columns: Column<MarketOffer>[] = [
    {
      id: 'project',
      title: <FormattedMessage id="marketplace.project" defaultMessage="Project" />,
      card: 'title',
      cell: (o) => (
        <>
          {o.project_name}
          <Quiet as="div">
            <FormattedMessage
              id="marketplace.my_offers.kind"
              defaultMessage="{kind, select, DIRECT {Personal} PRIVATE {Transfer} other {Public}}"
              values={{ kind: o.offer_publication_type }}
            />{' '}
            <span style={{ whiteSpace: 'nowrap' }}>· {o.reference}</span>
          </Quiet>
        </>
      ),
    },
    {
      id: 'shares',
      title: <FormattedMessage id="marketplace.number" defaultMessage="Shares" />,
      align: 'end',
      cell: (o) => (
        <>
          {o.shares_offered}
          {o.shares_sold > 0 && (
            <Quiet as="div">
              <FormattedMessage id="marketplace.my_offers.sold" defaultMessage="{sold} sold" values={{ sold: o.shares_sold }} />
            </Quiet>
          )}
        </>
      ),
    },
    {
      id: 'price',
      title: <FormattedMessage id="marketplace.create.price" defaultMessage="Price per share" />,
      align: 'end',
      cell: (o) =>
        o.offer_publication_type === 'PRIVATE' ? (
          <FormattedMessage id="marketplace.free" defaultMessage="free" />
        ) : (
          formatEuros(o.price_per_share)
        ),
    },
    {
      id: 'date',
      title: <FormattedMessage id="marketplace.my_offers.from" defaultMessage="From" />,
      cell: (o) => <CivilDate day={o.date} />,
    },
    {
      id: 'status',
      title: <FormattedMessage id="marketplace.status" defaultMessage="Status" />,
      width: 220,
      cell: (o) => <OfferStatus offer={o} />,
    },
    {
      id: 'actions',
      title: <FormattedMessage id="marketplace.actions" defaultMessage="What you can do" />,
      quiet: true,
      width: 170,
      align: 'end',
      cell: (o) => <OfferActions offer={o} />,
    },
  ];
  const create = (
    <LinkButton href="/my-offers/create-offer" icon="plus" variant="primary">
      <FormattedMessage id="marketplace.create.title" defaultMessage="Create offer" />
    </LinkButton>
  );
  const total = offers.data?.totalElements ?? 0;
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="marketplace.my_offers.title" defaultMessage="My offers" />}
      sentence={
        <FormattedMessage
          id="marketplace.my_offers.intro"
          defaultMessage="The shares that you offer or hand over, and what becomes of them."
        />
      }
      actions={create}
    >
      <Stack>
        <Card flush>
          <DataTable
            label={intl.formatMessage({ id: 'marketplace.my_offers.title', defaultMessage: 'My offers' })}
            columns={columns}
            rows={offers.data?.content ?? []}
            rowKey={(o) => o.identifier}
            loading={offers.isPending}
            error={offers.isError && <ErrorState onRetry={() => void offers.refetch()} retrying={offers.isFetching} />}
            empty={
              <EmptyState title={<FormattedMessage id="marketplace.my_offers.none" defaultMessage="You have no offers" />} />
            }
          />
        </Card>
        {total > size && <Pagination page={page} pageSize={size} total={total} onPage={setPage} />}
      </Stack>
    </Page>
  );
}
