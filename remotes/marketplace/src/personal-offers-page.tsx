import { useOverlay } from '@wattle/sdk';
import { Button, EmptyState, ErrorState, Page } from '@wattle/ui';
import { Pagination } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { MarketAccess } from './access';
import { Filters, useAddresses } from './addresses';
import { api } from './api';
import { isOwnOffer } from './buy-form';
import { OfferGrid, OfferSkeletons } from './offer-card';

const none = { empty: [404] }; // 7.6-get-offers-404: a 404 means no offers, not a failure

/** Offers made only to this member, after a code has been redeemed. */
export default function PersonalOffersPage() {
  const overlay = useOverlay();
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="marketplace.personal.title" defaultMessage="Personal offers" />}
      sentence={<FormattedMessage id="marketplace.personal.sentence" defaultMessage="Offers that a member has made to you." />}
      actions={
        <Button icon="gift" onClick={() => overlay.open('redeem-offer')}>
          <FormattedMessage id="marketplace.redeem.title" defaultMessage="Redeem a code" />
        </Button>
      }
    >
      <MarketAccess>
        <Personal />
      </MarketAccess>
    </Page>
  );
}

/** All personal offers, or those of one project with pagination (7.6-offer-calls-reconcile). */
function Personal() {
  const [project, setProject] = useState('');
  const [page, setPage] = useState(1);
  const projects = api.useGet('/sustainable/projects');
  const personal = api.useGet('/sustainable/market', { query: { personal: true, empty: true } }, none);
  const listed = api.useGet(
    '/sustainable/offers',
    { query: { page: page - 1, ...(project ? { project_code: project } : {}) } },
    none,
  );
  // 8-personal-offers-404
  const gone = [personal, listed].some((q) => q.isSuccess && !q.data) || personal.data?.length === 0;
  const waiting = personal.isPending || listed.isPending || projects.isPending;
  const addresses = useAddresses({ missing: gone });
  const failed = [personal, listed].find((q) => q.isError);
  const offers = ((project ? listed.data?.content.filter((o) => o.private_offer) : personal.data) ?? []).filter(
    (o) => !isOwnOffer(o),
  );
  const names = new Map([...(projects.data ?? []), ...(personal.data ?? [])].map((p) => [p.project_code, p.project_name]));
  if (failed) return <ErrorState onRetry={() => void failed.refetch()} retrying={failed.isFetching} />;
  if (waiting) return <OfferSkeletons />;
  const pages = project ? (listed.data?.totalPages ?? 1) : 1;
  return (
    <>
      <Filters
        project={project}
        projects={[...names].map(([value, text]) => ({ value, text }))}
        choose={(code) => {
          setProject(code);
          setPage(1);
        }}
        addresses={addresses}
      />
      {offers.length === 0 ? (
        <EmptyState
          title={
            // 8-projects-failed: a failed list counts as empty
            names.size === 0 ? (
              <FormattedMessage id="marketplace.no_projects" defaultMessage="You do not take part in a project yet" />
            ) : (
              <FormattedMessage id="marketplace.personal.none" defaultMessage="There are no offers for you now" />
            )
          }
        >
          <FormattedMessage
            id="marketplace.personal.none_text"
            defaultMessage="Has a member given you a code? Redeem it, and the offer will be here."
          />
        </EmptyState>
      ) : (
        <OfferGrid offers={offers} address={addresses.chosen} />
      )}
      {pages > 1 && <Pagination page={page} pageSize={1} total={pages} onPage={setPage} />}
    </>
  );
}
