import { useMay, useProblemText, useSettings, useToday } from '@wattle/sdk';
import { Alert, Button, CivilDate, energyDecimals, formatEuros, formatNumber, Grid, Icon, Skeleton, useToasts } from '@wattle/ui';
import { NumberStepper, Reasons } from '@wattle/ui/forms';
import { useId, useState } from 'react';
import { defineMessages, FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { addressField } from './addresses';
import { api, type MarketOffer, type MarketSettings, may, type Place } from './api';
import { useBasket, useStoreBasket } from './basket';
import { addDays, clampShares } from './offer.rules';
import { ProjectPicture } from './project-picture';
import { OfferStatus } from './statuses';
import { isWind, Shares } from './texts';

const { inBasket } = defineMessages({ inBasket: { id: 'marketplace.offer.had', defaultMessage: 'This is in your basket' } });

/** Returns whether an offer is the member's own, under both names of the flag (3-market-offer-my-offer-alias). */
export const isOwnOffer = (o: { my_offer?: boolean; myOffer?: boolean }): boolean => Boolean(o.my_offer ?? o.myOffer);

/** One offer: its project with picture, since when it runs and what a share yields (9-offer-project), price, start, and a number to buy. */
export function OfferCard({ offer, address }: { offer: MarketOffer; address: Place | undefined }) {
  const heading = useId();
  const today = useToday();
  const earliest = addDays(today, useSettings<MarketSettings>().transfer?.earliest_days ?? 31);
  const project = api.useGet('/sustainable/market/projects').data?.find((p) => p.project_code === offer.project_code);
  const available = offer.status === 'AVAILABLE';
  return (
    <Box aria-labelledby={heading} $closed={!available}>
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
                  defaultMessage="running since {year}"
                  values={{ year: project.project_start_date.slice(0, 4) }}
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
        <Quietly as="p">
          <span>
            <Shares n={offer.shares} />
          </span>
          <span aria-hidden="true">·</span>
          <span>
            <FormattedMessage
              id="marketplace.offer.from"
              defaultMessage="delivery from {day}"
              values={{ day: <CivilDate day={offer.date > earliest ? offer.date : earliest} /> }}
            />
          </span>
        </Quietly>
        {available && <BuyForm offer={offer} address={address} />}
      </All>
    </Box>
  );
}

function BuyForm({ offer, address }: { offer: MarketOffer; address: Place | undefined }) {
  const intl = useIntl();
  const text = useProblemText();
  const toasts = useToasts();
  const allowed = useMay(may.addToBasket);
  const take = useStoreBasket();
  const shown = useBasket().data;
  const had = shown?.items.find((i) => i.identifier === offer.identifier)?.shares;
  const [typed, setTyped] = useState<number | null>();
  const add = api.useWrite('post', '/sustainable/basket', { changes: [] });
  const shares = typed === undefined ? clampShares(had ?? 1, offer.shares) : typed;
  const number = `shares-${offer.identifier}`;
  const why = !allowed.ok ? (
    allowed.why
  ) : !address ? (
    text({ code: 'marketplace.address_required' })
  ) : shares === null ? (
    <FormattedMessage id="marketplace.offer.no_shares" defaultMessage="Fill in a number first" />
  ) : shares === had ? (
    intl.formatMessage(inBasket)
  ) : undefined;
  const missing = !allowed.ok ? undefined : !address ? addressField : shares === null ? number : undefined;
  const put = () => {
    if (shares === null || !address) return;
    const { reference, project_code, identifier } = offer;
    add.mutate(
      { body: { offer: { reference, shares, project_code, identifier, address }, ...(shown && { basket: shown }) } },
      {
        onSuccess: (basket) => {
          take(basket);
          toasts.show({
            kind: 'alert',
            tone: 'good',
            text: intl.formatMessage(inBasket),
          });
        },
      },
    );
  };
  return (
    <Foot>
      <Amount>
        <NumberStepper
          label={intl.formatMessage({ id: 'marketplace.offer.number', defaultMessage: 'Number' })}
          name={number}
          value={shares}
          min={1}
          max={offer.shares}
          width={168}
          onChange={(n) => setTyped(n === null ? null : clampShares(n, offer.shares))}
        />
        <output aria-label={intl.formatMessage({ id: 'marketplace.total', defaultMessage: 'Shares together' })}>
          {formatEuros((shares ?? 0) * offer.price_per_share)}
        </output>
      </Amount>
      {add.error && <Alert>{text(add.error.errors?.[0] ?? add.error)}</Alert>}
      <Button
        variant="primary"
        wide
        icon="basket"
        loading={add.isPending}
        why={why}
        reasons={missing && <Reasons fields={[missing]} />}
        onClick={put}
      >
        {had === undefined ? (
          <FormattedMessage id="marketplace.offer.add" defaultMessage="Add to basket" />
        ) : (
          <FormattedMessage id="marketplace.offer.change" defaultMessage="Change number" />
        )}
      </Button>
    </Foot>
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

/** Six placeholders as high as the cards. */
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

const Tall = styled.div`min-height: 470px;`;
const Box = styled.section<{ $closed: boolean }>`
  display: flex; flex-direction: column; min-width: 0; overflow: clip; border-radius: var(--w-radius);
  background: ${(p) => (p.$closed ? 'var(--w-tint)' : 'var(--w-surface)')}; border: 1px solid ${(p) => (p.$closed ? 'transparent' : 'var(--w-line)')};
`;
/** The buttons of the cards in a row are on one line. */
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
const Foot = styled.div`display: flex; flex-direction: column; gap: 4px; padding-top: 12px; border-top: 1px solid var(--w-line);`;
/** Shows the text about the minimum only while the number is being changed, not on every card. */
const Amount = styled.div`
  display: flex; gap: 16px; align-items: center; justify-content: space-between;
  &:not(:focus-within) [role='status'] { visibility: hidden; }
  output { font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; padding-top: 6px; visibility: visible !important; }
`;
