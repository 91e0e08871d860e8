import { EmptyState, ErrorState, formatDay, formatEuros, formatNumber, Page } from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import { type Column, DataTable, Pagination } from '@wattle/ui/table';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Offer } from './api';
import { useFilter } from './changes-page';
import { Filters, Open, Rows, Search, Small } from './listing';
import { useOpened } from './queue';
import { RequestSheet } from './request-sheet';
import { MarketState, Moment, RelationLink } from './texts';

const states = ['CREATED', 'APPROVED', 'ACTIVE', 'SOLD', 'REJECTED', 'REVOKED'] as const;

/** 6-staff-approve-screen: offers that await approval; a filter shows other offers. */
export default function OffersPage() {
  const intl = useIntl();
  const [of, set] = useFilter();
  const status = (of('state') || 'CREATED') as Offer['lifecycle'];
  const page = Number(of('page')) || 1;
  const q = of('q');
  const list = api.useGet('/sustainable/staff/offers', { query: { status, page: page - 1, ...(q ? { q } : {}) } });
  const rows = list.data?.content ?? [];
  const opened = useOpened(rows.map((o) => o.change_id));
  const title = intl.formatMessage({ id: 'staff.offers.title', defaultMessage: 'Offers' });
  const stateText = (state: string) =>
    intl.formatMessage(
      {
        id: 'staff.offer_state',
        defaultMessage:
          '{state, select, CREATED {To approve} APPROVED {Approved} ACTIVE {For sale} SOLD {Sold} REJECTED {Rejected} other {Withdrawn}}',
      },
      { state },
    );
  const columns: Column<Offer>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="staff.col.project" defaultMessage="Project" />,
      head: true,
      card: 'title',
      cell: (o) => (
        <>
          <Open onClick={() => opened.open(o.change_id)}>{o.project_name}</Open>
          <Small>{o.reference}</Small>
        </>
      ),
    },
    {
      id: 'who',
      title: <FormattedMessage id="staff.col.seller" defaultMessage="Seller" />,
      cell: (o) => <RelationLink {...o} name={o.seller_name} />,
    },
    {
      id: 'created',
      title: <FormattedMessage id="staff.col.filed" defaultMessage="Asked" />,
      width: 176,
      cell: (o) => <Moment at={o.created} />,
    },
    {
      id: 'shares',
      title: <FormattedMessage id="staff.col.shares" defaultMessage="Shares" />,
      align: 'end',
      width: 104,
      cell: (o) => formatNumber(o.shares_offered),
    },
    {
      id: 'price',
      title: <FormattedMessage id="staff.col.price" defaultMessage="Per share" />,
      align: 'end',
      width: 112,
      cell: (o) => formatEuros(o.price_per_share),
    },
    {
      id: 'date',
      title: <FormattedMessage id="staff.col.from" defaultMessage="For sale from" />,
      width: 144,
      cell: (o) => formatDay(o.date),
    },
    status === 'CREATED'
      ? {
          id: 'kind',
          title: <FormattedMessage id="staff.changes.kind" defaultMessage="Kind" />,
          width: 152,
          cell: (o) => (
            <FormattedMessage
              id="staff.offers.kind"
              defaultMessage="{kind, select, DIRECT {Personal} PRIVATE {Transfer} other {For everybody}}"
              values={{ kind: o.offer_publication_type }}
            />
          ),
        }
      : {
          id: 'state',
          title: <FormattedMessage id="staff.col.state" defaultMessage="State" />,
          width: 152,
          cell: (o) => <MarketState state={o.lifecycle} />,
        },
  ];
  return (
    <Page
      width="wide"
      title={title}
      sentence={
        <FormattedMessage
          id="staff.offers.intro"
          defaultMessage="An offer is for sale once you approve it, from its date on. A rejection needs a reason that the seller sees."
        />
      }
    >
      <Filters>
        <Search
          value={q}
          onSearch={(v) => set('q', v)}
          label={<FormattedMessage id="staff.offers.search" defaultMessage="Search by number or project" />}
        />
        <div>
          <Select
            label={<FormattedMessage id="staff.col.state" defaultMessage="State" />}
            value={status}
            onChange={(v) => set('state', v)}
            options={states.map((s) => ({ value: s, text: stateText(s) }))}
          />
        </div>
      </Filters>
      <Rows>
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          rowKey={(o) => o.identifier}
          loading={list.isFetching}
          expect={8}
          error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
          empty={
            <EmptyState title={<FormattedMessage id="staff.offers.none" defaultMessage="No offers here" />}>
              <FormattedMessage
                id="staff.offers.none_text"
                defaultMessage="What members put up for sale waits here for your approval."
              />
            </EmptyState>
          }
        />
      </Rows>
      {list.data && list.data.totalElements > 0 && (
        <Pagination
          page={page}
          pageSize={list.data.size}
          total={list.data.totalElements}
          onPage={(p) => set('page', p > 1 ? String(p) : '')}
        />
      )}
      {opened.id && <RequestSheet id={opened.id} onClose={opened.close} onNext={opened.next} />}
    </Page>
  );
}
