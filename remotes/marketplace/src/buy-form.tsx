import { useMay, useProblemText } from '@wattle/sdk';
import { Alert, Button, formatEuros, useToasts } from '@wattle/ui';
import { NumberStepper, Reasons } from '@wattle/ui/forms';
import { type ReactNode, useState } from 'react';
import { defineMessages, FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { addressField } from './addresses';
import { api, type MarketOffer, may, type Place } from './api';
import { useBasket, useStoreBasket } from './basket';
import { clampShares } from './offer.rules';

const { inBasket } = defineMessages({ inBasket: { id: 'marketplace.offer.had', defaultMessage: 'This is in your basket' } });

/** Returns whether an offer is the member's own, under either name of the flag (3-market-offer-my-offer-alias). */
export const isOwnOffer = (o: { my_offer?: boolean; myOffer?: boolean }): boolean => Boolean(o.my_offer ?? o.myOffer);

/** Returns whether the member can buy an offer now. */
export const canBuy = (o: MarketOffer): boolean => o.status === 'AVAILABLE' && !isOwnOffer(o);

interface BuyFormProps {
  offer: MarketOffer;
  address: Place | undefined;
  /** The initial number, unless some shares are in the basket. */
  first?: number;
  /** Content below the number; null if no number has been typed. */
  children?: (shares: number | null) => ReactNode;
}

/**
 * A number of shares with its price, and the button that puts them into the basket; without the button if they cannot be bought.
 */
export function BuyForm({ offer, address, first = 1, children }: BuyFormProps) {
  const intl = useIntl();
  const text = useProblemText();
  const toasts = useToasts();
  const allowed = useMay(may.addToBasket);
  const take = useStoreBasket();
  const shown = useBasket().data;
  const had = shown?.items.find((i) => i.identifier === offer.identifier)?.shares;
  const [typed, setTyped] = useState<number | null>();
  const add = api.useWrite('post', '/sustainable/basket', { changes: [] });
  const shares = typed === undefined ? clampShares(had ?? first, offer.shares) : typed; // 5.7-shares-clamp
  const number = `shares-${offer.identifier}`;
  const disabledReason = !allowed.ok ? (
    allowed.reason
  ) : !address ? ( // 5.7-basket-needs-address
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
      {children?.(shares)}
      {add.error && <Alert>{text(add.error.errors?.[0] ?? add.error)}</Alert>}
      {canBuy(offer) && (
        <Button
          variant="primary"
          wide
          icon="basket"
          loading={add.isPending}
          disabledReason={disabledReason}
          reasons={missing && <Reasons fields={[missing]} />}
          onClick={put}
        >
          {had === undefined ? (
            <FormattedMessage id="marketplace.offer.add" defaultMessage="Add to basket" />
          ) : (
            <FormattedMessage id="marketplace.offer.change" defaultMessage="Change number" />
          )}
        </Button>
      )}
    </Foot>
  );
}

const Foot = styled.div`display: flex; flex-direction: column; gap: 4px; padding-top: 12px; border-top: 1px solid var(--w-line);`;
/** Shows the text about the limits only while the number is being changed, not on every card. */
const Amount = styled.div`
  display: flex; gap: 16px; align-items: center; justify-content: space-between;
  &:not(:focus-within) [role='status'] { visibility: hidden; }
  output { font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; padding-top: 6px; visibility: visible !important; }
`;
