import { useParams } from '@wattle/sdk';
import {
  Badge,
  Card,
  EmptyState,
  ErrorState,
  type Fact,
  Facts,
  formatDay,
  formatEnergy,
  formatEuros,
  formatMoney,
  formatNumber,
  LinkButton,
  Notice,
  Page,
  Skeleton,
  Small,
  TextLink,
} from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { MarketAccess } from './access';
import { type Addresses, addressField, useAddresses } from './addresses';
import { api, type OfferDetails } from './api';
import { BuyForm, canBuy, isOwnOffer } from './buy-form';
import { type Gain, gainOf, type Prospect } from './gain.rules';
import { placeLine } from './place.rules';
import { ProjectPicture } from './project-picture';
import { OfferStatus } from './statuses';
import { placeKey, Shares } from './texts';

/** The initial number of shares for which the gain is shown. */
const initialShares = 10;

/** All details of an offer, and the gain of a number of its shares (9-offer-page). */
export default function OfferPage() {
  const { identifier = '' } = useParams();
  const intl = useIntl();
  const found = api.useGet('/sustainable/offers/{id}', { path: { id: identifier } }, { empty: [404] });
  const offer = found.data?.offer;
  return (
    <Page
      width="wide"
      back={{
        href: offer?.private_offer ? '/personal-offers' : '/offers',
        text: intl.formatMessage(
          { id: 'marketplace.offer.back', defaultMessage: '{personal, select, true {Personal offers} other {All offers}}' },
          { personal: offer?.private_offer ?? false },
        ),
      }}
      title={offer?.project_name ?? <FormattedMessage id="marketplace.offers.title" defaultMessage="Offers" />}
      sentence={
        offer && (
          <FormattedMessage
            id="marketplace.offer.lot"
            defaultMessage="<b>{shares}</b> {seller, select, PROJECT {from the project itself} MEMBER {from another member} other {for sale}}"
            values={{ shares: <Shares n={offer.shares} />, seller: offer.seller, b: (c) => <b key="b">{c}</b> }}
          />
        )
      }
    >
      <MarketAccess>
        {found.isError ? (
          <ErrorState onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : found.data ? (
          <Offer of={found.data} />
        ) : found.isSuccess ? (
          <EmptyState
            title={<FormattedMessage id="marketplace.offer.gone" defaultMessage="This offer is no longer there" />}
            action={
              <LinkButton href="/offers" variant="primary">
                <FormattedMessage id="marketplace.to_offers" defaultMessage="See the offers" />
              </LinkButton>
            }
          >
            <FormattedMessage
              id="marketplace.offer.gone_text"
              defaultMessage="The shares have been sold, or the seller has withdrawn them."
            />
          </EmptyState>
        ) : (
          <Columns>
            <Tall>
              <Skeleton shape="chart" />
              <Skeleton shape="row" count={5} />
            </Tall>
            <Tall>
              <Skeleton shape="chart" count={2} />
            </Tall>
          </Columns>
        )}
      </MarketAccess>
    </Page>
  );
}

function Offer({ of: o }: { of: OfferDetails }) {
  const addresses = useAddresses();
  const { offer } = o;
  const prospect: Prospect = {
    price: offer.price_per_share,
    energies: o.yields.map((y) => y.energy),
    kwh_price: o.yield_price,
    from: o.first_transfer_date,
    end: offer.project_end_date,
  };
  return (
    <Columns>
      <Buy>
        <Card title={<FormattedMessage id="marketplace.offer.brings" defaultMessage="What your shares bring" />}>
          <Price>
            <p>
              <FormattedMessage
                id="marketplace.offer.price"
                defaultMessage="<b>{price}</b> per share"
                values={{ price: formatEuros(offer.price_per_share), b: (c) => <strong key="b">{c}</strong> }}
              />
            </p>
            {!canBuy(offer) && (isOwnOffer(offer) ? <Own /> : <OfferStatus offer={offer} />)}
          </Price>
          {canBuy(offer) && addresses.list.length > 1 && <ForAddress addresses={addresses} />}
          <BuyForm offer={offer} address={addresses.chosen} first={initialShares}>
            {(shares) => <GainFacts gain={gainOf(prospect, shares ?? 0)} shares={shares} />}
          </BuyForm>
        </Card>
      </Buy>
      <Left>
        <Photo>
          <ProjectPicture code={offer.project_code} type={offer.project_type} />
        </Photo>
        <Card title={<FormattedMessage id="marketplace.offer.about" defaultMessage="About this offer" />}>
          <About of={o} />
        </Card>
        <Card title={<FormattedMessage id="marketplace.offer.yields" defaultMessage="What one share yielded" />}>
          <Yields of={o} />
        </Card>
        <Card title={<FormattedMessage id="marketplace.offer.how" defaultMessage="How we calculate this" />}>
          <Assumptions of={o} />
        </Card>
      </Left>
    </Columns>
  );
}

const Own = () => (
  <Badge>
    <FormattedMessage id="marketplace.offer.own" defaultMessage="Your own offer" />
  </Badge>
);

function ForAddress({ addresses }: { addresses: Addresses }) {
  const intl = useIntl();
  return (
    <Select
      name={addressField}
      label={intl.formatMessage({ id: 'marketplace.address', defaultMessage: 'For which address' })}
      value={addresses.value}
      onChange={addresses.choose}
      empty={intl.formatMessage({ id: 'marketplace.address.empty', defaultMessage: 'Choose an address' })}
      options={addresses.list.map((p) => ({ value: placeKey(p), text: placeLine(p) }))}
    />
  );
}

/**
 * The yearly gain of a number of shares, and when they have paid for themselves. Unknown values are reported, and not used in
 * calculations.
 */
function GainFacts({ gain, shares }: { gain: Gain; shares: number | null }) {
  const items: Fact[] = [];
  const add = (label: ReactNode, value: ReactNode) => items.push({ label, value });
  if (gain.energy !== null)
    add(
      <FormattedMessage id="marketplace.offer.a_year" defaultMessage="Yield in a year" />,
      <b>{formatEnergy(gain.energy, 'kWh')}</b>,
    );
  if (gain.value !== null)
    add(<FormattedMessage id="marketplace.offer.worth" defaultMessage="Worth in a year" />, <b>{formatMoney(gain.value)}</b>);
  if (gain.years !== null)
    add(
      <FormattedMessage id="marketplace.offer.payback" defaultMessage="Earned back in about" />,
      <b>
        <FormattedMessage
          id="marketplace.offer.years"
          defaultMessage="{short, select, true {less than a year} other {{years} years}}"
          values={{ short: gain.years < 1, years: formatNumber(gain.years, 1) }}
        />
      </b>,
    );
  const unknown = gain.energy === null ? 'energy' : gain.value === null ? 'price' : '';
  return (
    <Result role="status">
      {shares !== null && <Facts items={items} />}
      {unknown && (
        <Small>
          <FormattedMessage
            id="marketplace.offer.unknown"
            defaultMessage="{what, select, energy {We cannot say what these shares bring: no whole year of this project has been measured yet.} other {We cannot say what this is worth in euros: the price of a kWh is not known.}}"
            values={{ what: unknown }}
          />
        </Small>
      )}
      {gain.in_time === false && (
        <Notice tone="warning">
          <FormattedMessage
            id="marketplace.offer.too_late"
            defaultMessage="The project ends before that: at this price and with these yields you do not get back what you pay."
          />
        </Notice>
      )}
    </Result>
  );
}

function About({ of: o }: { of: OfferDetails }) {
  const { offer } = o;
  const fact = (what: string, value: ReactNode): Fact => ({
    label: (
      <FormattedMessage
        id="marketplace.offer.fact"
        defaultMessage="{what, select, place {Place} kind {Kind} started {Running since} ends {Project ends} seller {Seller} since {For sale since} from {Delivery from} papers {Documents} other {Number}}"
        values={{ what }}
      />
    ),
    value,
  });
  const unknown = <FormattedMessage id="marketplace.offer.not_known" defaultMessage="Not known" />;
  const link = (href: string, what: string) =>
    href && (
      <div>
        <TextLink href={href} external>
          <FormattedMessage
            id="marketplace.offer.paper"
            defaultMessage="{what, select, statutes {Articles of association} other {Member agreement}} (PDF)"
            values={{ what }}
          />
        </TextLink>
      </div>
    );
  return (
    <Facts
      items={[
        ...(offer.place ? [fact('place', offer.place)] : []),
        fact(
          'kind',
          <FormattedMessage
            id="marketplace.offer.kind"
            defaultMessage="{type, select, WIND {Wind} other {Sun}}"
            values={{ type: offer.project_type }}
          />,
        ),
        fact('started', o.project_start_date ? formatDay(o.project_start_date) : unknown),
        fact('ends', offer.project_end_date ? formatDay(offer.project_end_date) : unknown),
        fact(
          'seller',
          offer.seller === 'UNKNOWN' ? (
            unknown
          ) : (
            <FormattedMessage
              id="marketplace.offer.seller"
              defaultMessage="{seller, select, PROJECT {The project itself} other {Another member; we do not say who}}"
              values={{ seller: offer.seller }}
            />
          ),
        ),
        fact('since', formatDay(offer.date)),
        fact('from', formatDay(o.first_transfer_date)),
        ...(o.statutes_location || o.member_agreement_location
          ? [
              fact(
                'papers',
                <>
                  {link(o.statutes_location, 'statutes')}
                  {link(o.member_agreement_location, 'agreement')}
                </>,
              ),
            ]
          : []),
        fact('number', offer.reference),
      ]}
    />
  );
}

function Yields({ of: o }: { of: OfferDetails }) {
  const most = Math.max(...o.yields.map((y) => y.energy ?? 0), 1);
  return (
    <Bars>
      {o.yields.map(({ year, energy }) => (
        <div key={year}>
          <dt>{year}</dt>
          <dd>
            {energy === null ? (
              <Small as="span">
                <FormattedMessage id="marketplace.offer.no_year" defaultMessage="Not known: not measured all year" />
              </Small>
            ) : (
              <>
                <i aria-hidden="true" style={{ width: `${(energy / most) * 60}%` }} />
                <b>{formatEnergy(energy, 'kWh', energy < 10 ? 'participation' : undefined)}</b>
              </>
            )}
          </dd>
        </div>
      ))}
    </Bars>
  );
}

/** All assumptions of the calculation. */
function Assumptions({ of: o }: { of: OfferDetails }) {
  const intl = useIntl();
  const years = o.yields.flatMap((y) => (y.energy === null ? [] : String(y.year)));
  const values = {
    years: years.length,
    list: intl.formatList(years.reverse()),
    price: `€\u00a0${formatNumber(o.yield_price ?? 0, decimalsOf(o.yield_price ?? 0))}`,
    costs: formatMoney(Math.round(o.administration_costs * 100)),
    free: o.administration_costs === 0,
  };
  return (
    <List>
      {years.length > 0 && (
        <li>
          <FormattedMessage
            id="marketplace.offer.how.year"
            defaultMessage="A year brings {years, plural, one {what {list} brought} other {the average of {list}}}. Wind and sun differ: another year may bring more or less."
            values={values}
          />
        </li>
      )}
      {o.yield_price !== null && (
        <li>
          <FormattedMessage
            id="marketplace.offer.how.price"
            defaultMessage="A kWh of your shares is worth {price} today. We assume that it stays so."
            values={values}
          />
        </li>
      )}
      <li>
        <FormattedMessage
          id="marketplace.offer.how.shares"
          defaultMessage="What the project made is divided among all shares there are now."
        />
      </li>
      <li>
        <FormattedMessage
          id="marketplace.offer.how.costs"
          defaultMessage="{free, select, true {Taxes are} other {Administration costs ({costs} an order) and taxes are}} not included."
          values={values}
        />
      </li>
    </List>
  );
}

/** Returns the number of decimals of a kWh price: as many as it needs, at least two. */
const decimalsOf = (euros: number): number => Math.max(2, String(euros).split('.')[1]?.length ?? 0);

/** The part for buying is at the right; on a phone it is first, because otherwise the page would begin with a picture. */
const Columns = styled.div`
  display: grid; grid-template-columns: minmax(0, 1fr) 400px; gap: 24px 32px; align-items: start;
  @media (max-width: 1099px) { grid-template-columns: minmax(0, 1fr) minmax(300px, 2fr); gap: 24px; }
  @media (max-width: 767px) { grid-template-columns: minmax(0, 1fr); }
`;
const Buy = styled.div`
  grid-column: 2; grid-row: 1; position: sticky; top: 88px;
  @media (max-width: 767px) { grid-area: auto; position: static; }
`;
const Left = styled.div`
  grid-column: 1; grid-row: 1; display: flex; flex-direction: column; gap: 24px; min-width: 0;
  @media (max-width: 767px) { grid-area: auto; }
`;
const Tall = styled.div`display: flex; flex-direction: column; gap: 24px; min-height: 640px;`;
const Photo = styled.div`> div { height: 240px; border-radius: var(--w-radius); @media (max-width: 767px) { height: 160px; } }`;
const Price = styled.div`
  display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: baseline; justify-content: space-between; margin-bottom: 16px; color: var(--w-text-quiet);
  strong { font: 600 28px/1.2 var(--w-font-heading); color: var(--w-primary-ink); }
`;
const Result = styled.div`
  display: flex; flex-direction: column; gap: 12px; margin: 4px 0 12px; font-variant-numeric: tabular-nums;
  b { font-weight: 600; } dl > div { grid-template-columns: minmax(0, 1fr) auto; padding: 8px 0; } dl > div > dd:nth-of-type(1) { grid-column: 2; }
`;
const Bars = styled.dl`
  display: flex; flex-direction: column; gap: 12px; margin: 0; font-variant-numeric: tabular-nums;
  div { display: grid; grid-template-columns: 56px minmax(0, 1fr); align-items: center; }
  dt { color: var(--w-text-quiet); } dd { margin: 0; display: flex; gap: 12px; align-items: center; min-height: 24px; }
  i { height: 16px; border-radius: 3px; background: var(--w-primary-ink); } b { font-weight: 600; white-space: nowrap; }
`;
const List = styled.ul`margin: 0; padding-left: 20px; display: flex; flex-direction: column; gap: 8px;`;
