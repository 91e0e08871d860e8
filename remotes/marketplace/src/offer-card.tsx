import { useSettings, useToday } from '@wattle/sdk';
import { CivilDate, energyDecimals, formatEuros, formatNumber, Grid, Icon, Skeleton, TextLink } from '@wattle/ui';
import { useId } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, type MarketOffer, type MarketSettings, type Place } from './api';
import { BuyForm } from './buy-form';
import { addDays } from './offer.rules';
import { ProjectPicture } from './project-picture';
import { OfferStatus } from './statuses';
import { isWind, Shares } from './texts';

/**
 * An offer: its project with picture, start year and yield of a share (9-offer-project); price, number, seller and start, which
 * distinguish offers of the same project (9-offer-apart); a link to its page; and a number to buy.
 */
export function OfferCard({ offer, address }: { offer: MarketOffer; address: Place | undefined }) {
  const id = useId();
  const [heading, lot] = [`${id}h`, `${id}l`];
  const today = useToday();
  const earliest = addDays(today, useSettings<MarketSettings>().transfer?.earliest_days ?? 31);
  const project = api.useGet('/sustainable/market/projects').data?.find((p) => p.project_code === offer.project_code);
  const available = offer.status === 'AVAILABLE';
  return (
    <Box aria-labelledby={`${heading} ${lot}`} $closed={!available}>
      <ProjectPicture code={offer.project_code} type={offer.project_type} />
      <All>
        <div>
          <Head>
            <h2 id={heading}>{offer.project_name}</h2>
            {!available && <OfferStatus offer={offer} />}
          </Head>
          <Quietly data-kind>
            <Icon name={isWind(offer.project_type) ? 'wind' : 'sun'} size={16} />
            <span>
              {offer.place}
              {offer.place && project?.project_start_date && ' · '}
              {project?.project_start_date && (
                <FormattedMessage
                  id="marketplace.offer.since"
                  defaultMessage="{type, select, WIND {running} other {producing}} since {year}"
                  values={{ type: offer.project_type, year: project.project_start_date.slice(0, 4) }}
                />
              )}
            </span>
          </Quietly>
        </div>
        <Numbers>
          <p>
            <FormattedMessage
              id="marketplace.offer.price"
              defaultMessage="<b>{price}</b> per share"
              values={{ price: formatEuros(offer.price_per_share), b: (c) => <strong key="b">{c}</strong> }}
            />
          </p>
          {project?.share_yield && (
            <p>
              <FormattedMessage
                id="marketplace.offer.yield"
                defaultMessage="<b>{energy} kWh</b> per share in {year}"
                values={{
                  energy: formatNumber(
                    project.share_yield.energy,
                    energyDecimals('kWh', project.share_yield.energy < 1 ? 'participation' : undefined),
                  ),
                  year: String(project.share_yield.year),
                  b: (c) => <b key="b">{c}</b>,
                }}
              />
            </p>
          )}
        </Numbers>
        <Lot id={lot}>
          <FormattedMessage
            id="marketplace.offer.lot"
            defaultMessage="<b>{shares}</b> {seller, select, PROJECT {from the project itself} MEMBER {from another member} other {for sale}}"
            values={{ shares: <Shares n={offer.shares} />, seller: offer.seller, b: (c) => <b key="b">{c}</b> }}
          />
        </Lot>
        <Quietly as="p">
          <span>
            <FormattedMessage
              id="marketplace.offer.from"
              defaultMessage="delivery from {day}"
              values={{ day: <CivilDate day={offer.date > earliest ? offer.date : earliest} /> }}
            />
          </span>
        </Quietly>
        <p>
          <TextLink href={`/offers/${encodeURIComponent(offer.identifier)}`} aria-describedby={`${heading} ${lot}`}>
            <FormattedMessage id="marketplace.offer.more" defaultMessage="See what this brings" />
          </TextLink>
        </p>
        {available && <BuyForm offer={offer} address={address} />}
      </All>
    </Box>
  );
}

export function OfferGrid({ offers, address }: { offers: readonly MarketOffer[]; address: Place | undefined }) {
  return (
    <Grid columns={3} min={300}>
      {offers.map((o) => (
        <OfferCard key={o.identifier} offer={o} address={address} />
      ))}
    </Grid>
  );
}

/** Six placeholders of the same height as the cards. */
export function OfferSkeletons() {
  return (
    <Grid columns={3} min={300}>
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Tall key={n}>
          <Skeleton shape="chart" />
        </Tall>
      ))}
    </Grid>
  );
}

const Tall = styled.div`min-height: 584px;`;
const Box = styled.section<{ $closed: boolean }>`
  display: flex; flex-direction: column; min-width: 0; overflow: clip; border-radius: var(--w-radius);
  background: ${(p) => (p.$closed ? 'var(--w-tint)' : 'var(--w-surface)')}; border: 1px solid ${(p) => (p.$closed ? 'transparent' : 'var(--w-line)')};
`;
/** The buttons of the cards in a row are aligned. */
const All = styled.div`
  display: flex; flex-direction: column; gap: 12px; flex: 1; padding: 16px 20px 20px;
  > :last-child { margin-top: auto; }
`;
const Head = styled.div`
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 12px;
  h2 { font-size: 20px; overflow-wrap: anywhere; }
`;
const Quietly = styled.div`
  display: flex; flex-wrap: wrap; gap: 4px 6px; align-items: center; font-size: 14px; color: var(--w-text-quiet);
  svg { flex: none; }
`;
const Numbers = styled.div`
  display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: end; font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;
  strong, b { display: block; line-height: 1.2; font-weight: 600; }
  strong { font: 600 28px/1.2 var(--w-font-heading); color: var(--w-primary-ink); }
  b { font-size: 20px; color: var(--w-text); padding-bottom: 2px; }
`;
const Lot = styled.p`b { font-weight: 600; }`;
