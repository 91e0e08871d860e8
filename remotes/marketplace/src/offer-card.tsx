import { useMay, useProblemText, useSettings, useToday } from '@wattle/sdk';
import { Alert, Button, Card, CivilDate, formatEuros, Grid, Skeleton, useToasts } from '@wattle/ui';
import { NumberStepper } from '@wattle/ui/forms';
import { useState } from 'react';
import { defineMessages, FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type MarketOffer, type MarketSettings, may, type Place } from './api';
import { basketCopy, useBasket, useStoreBasket } from './basket';
import { addDays, clampShares } from './offer.rules';
import { OfferStatus } from './statuses';
import { ProjectName, Shares } from './texts';

const { inBasket } = defineMessages({ inBasket: { id: 'marketplace.offer.had', defaultMessage: 'This is in your basket' } });

/** Returns whether an offer is the member's own, under both names of the flag (3-market-offer-my-offer-alias). */
export const isOwnOffer = (o: { my_offer?: boolean; myOffer?: boolean }): boolean => Boolean(o.my_offer ?? o.myOffer);

/** One offer: project, price, start, and a number of shares to put into the basket. */
export function OfferCard({ offer, address }: { offer: MarketOffer; address: Place | undefined }) {
  const today = useToday();
  const earliest = addDays(today, useSettings<MarketSettings>().transfer?.earliest_days ?? 31);
  const available = offer.status === 'AVAILABLE';
  return (
    <Card
      level={2}
      tone={available ? 'plain' : 'tint'}
      title={<ProjectName project={offer} />}
      actions={!available && <OfferStatus offer={offer} />}
    >
      <All>
        <Facts>
          <p>
            <FormattedMessage
              id="marketplace.offer.price"
              defaultMessage="<b>{price}</b> per share"
              values={{ price: formatEuros(offer.price_per_share), b: (c) => <strong key="b">{c}</strong> }}
            />
          </p>
          <p>
            <Shares n={offer.shares} />
          </p>
          <p>
            <FormattedMessage
              id="marketplace.offer.from"
              defaultMessage="delivery from {day}"
              values={{ day: <CivilDate day={offer.date > earliest ? offer.date : earliest} /> }}
            />
          </p>
        </Facts>
        {available && <BuyForm offer={offer} address={address} />}
      </All>
    </Card>
  );
}

function BuyForm({ offer, address }: { offer: MarketOffer; address: Place | undefined }) {
  const intl = useIntl();
  const text = useProblemText();
  const toasts = useToasts();
  const allowed = useMay(may.addToBasket);
  const take = useStoreBasket();
  const had = useBasket().data?.items.find((i) => i.identifier === offer.identifier)?.shares;
  const [typed, setTyped] = useState<number | null>();
  const add = api.useWrite('post', '/sustainable/basket', { changes: [] });
  const shares = typed === undefined ? clampShares(had ?? 1, offer.shares) : typed;
  const why = !allowed.ok ? (
    allowed.why
  ) : !address ? (
    text({ code: 'marketplace.address_required' })
  ) : shares === null ? (
    <FormattedMessage id="marketplace.offer.no_shares" defaultMessage="Fill in a number first" />
  ) : shares === had ? (
    intl.formatMessage(inBasket)
  ) : undefined;
  const put = () => {
    if (shares === null || !address) return;
    const { reference, project_code, identifier } = offer;
    add.mutate(
      { body: { offer: { reference, shares, project_code, identifier, address }, basket: basketCopy() } },
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
          value={shares}
          min={1}
          max={offer.shares}
          width={168}
          onChange={(n) => setTyped(n === null ? null : clampShares(n, offer.shares))}
        />
        <output aria-label={intl.formatMessage({ id: 'marketplace.total', defaultMessage: 'Total' })}>
          {formatEuros((shares ?? 0) * offer.price_per_share)}
        </output>
      </Amount>
      {add.error && <Alert>{text(add.error.errors?.[0] ?? add.error)}</Alert>}
      <Button variant="primary" wide icon="basket" loading={add.isPending} why={why} onClick={put}>
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

/** Four placeholders as high as the cards. */
export function OfferSkeletons() {
  return (
    <Grid columns={3} min={300}>
      {[1, 2, 3, 4].map((n) => (
        <Skeleton key={n} shape="chart" />
      ))}
    </Grid>
  );
}

/** Aligns the buttons of the cards in a row. */
const Facts = styled.div`
  display: flex; flex-wrap: wrap; gap: 0 16px; align-items: baseline; font-size: 14px; color: var(--w-text-quiet); margin-bottom: 16px;
  p:first-child { flex-basis: 100%; }
  strong { font-size: 28px; font-weight: 600; line-height: 1.2; color: var(--w-primary-ink); font-variant-numeric: tabular-nums; }
`;
const All = styled.div`display: flex; flex-direction: column; justify-content: space-between; height: 100%;`;
const Foot = styled.div`display: flex; flex-direction: column; gap: 4px;`;
/** Shows the text about the minimum only while the number is being changed, not on every card. */
const Amount = styled.div`
  display: flex; gap: 16px; align-items: center; justify-content: space-between;
  &:not(:focus-within) [role='status'] { visibility: hidden; }
  output { font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; padding-top: 6px; visibility: visible !important; }
`;
