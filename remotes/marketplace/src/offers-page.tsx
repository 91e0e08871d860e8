import { useSearchParams, useSettings } from '@wattle/sdk';
import { Button, EmptyState, ErrorState, Page } from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import { Pagination } from '@wattle/ui/table';
import { FormattedMessage, useIntl } from 'react-intl';
import { MarketAccess } from './access';
import { Filters, useAddresses } from './addresses';
import { api, type MarketSettings } from './api';
import { isOwnOffer } from './buy-form';
import { OfferGrid, OfferSkeletons } from './offer-card';

/** Sort orders of the market; the first is the default (9-market-sort). */
const sorts = {
  cheap: ['price,asc', 'projectName,asc'],
  dear: ['price,desc', 'projectName,asc'],
  project: ['projectName,asc', 'price,asc'],
} as const;

export default function OffersPage() {
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="marketplace.offers.title" defaultMessage="Offers" />}
      sentence={<FormattedMessage id="marketplace.offers.sentence" defaultMessage="Shares that other members sell." />}
    >
      <MarketAccess>
        <Offers />
      </MarketAccess>
    </Page>
  );
}

/** The market without the member's own offers. Filter, order and page (from 1) are in the URL (9-market-page-base). */
function Offers() {
  const intl = useIntl();
  const [search, setSearch] = useSearchParams();
  const size = useSettings<MarketSettings>().page_size ?? 10;
  const project = search.get('project') ?? '';
  const sort = (search.get('sort') ?? 'cheap') as keyof typeof sorts;
  const page = Math.max(1, Math.trunc(Number(search.get('page')) || 1));
  const addresses = useAddresses();
  const projects = api.useGet('/sustainable/market/projects');
  const found = api.useSearch('/sustainable/market', {
    query: { page: page - 1, size, sort: [...(sorts[sort] ?? sorts.cheap)] },
    body: { filters: { my_offer: false, ...(project ? { project_code: project } : {}) } },
  });
  const go = (next: Record<string, string>) =>
    setSearch(Object.entries({ project, sort: search.get('sort') ?? '', ...next }).filter(([, value]) => value));
  const offers = found.data?.content.filter((o) => !isOwnOffer(o)) ?? [];
  return (
    <>
      <Filters
        project={project}
        projects={(projects.data ?? []).map((p) => ({ value: p.project_code, text: `${p.project_name} (${p.offer_count})` }))}
        choose={(code) => go({ project: code })}
        addresses={addresses}
      >
        <Select
          label={intl.formatMessage({ id: 'marketplace.filter.sort', defaultMessage: 'Order' })}
          value={sort}
          onChange={(by) => go({ sort: by })}
          options={Object.keys(sorts).map((by) => ({
            value: by,
            text: intl.formatMessage(
              {
                id: 'marketplace.filter.by',
                defaultMessage: '{by, select, cheap {Lowest price first} dear {Highest price first} other {By project}}',
              },
              { by },
            ),
          }))}
        />
      </Filters>
      {found.isError ? (
        <ErrorState onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !found.data ? (
        <OfferSkeletons />
      ) : offers.length === 0 ? (
        <EmptyState
          title={<FormattedMessage id="marketplace.offers.none" defaultMessage="There are no offers now" />}
          action={
            (project || page > 1) && (
              <Button onClick={() => go({ project: '' })}>
                <FormattedMessage id="marketplace.filter.all" defaultMessage="All projects" />
              </Button>
            )
          }
        >
          <FormattedMessage id="marketplace.offers.none_text" defaultMessage="What other members offer will be here." />
        </EmptyState>
      ) : (
        <>
          <OfferGrid offers={offers} address={addresses.chosen} />
          <Pagination page={page} pageSize={size} total={found.data.totalElements} onPage={(n) => go({ page: String(n) })} />
        </>
      )}
    </>
  );
}
