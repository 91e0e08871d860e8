import { useLocation, useProblemText } from '@wattle/sdk';
import { formatEuros, Icon, LinkButton, TextLink } from '@wattle/ui';
import { useEffect, useId, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { useActivation } from './activation';
import { useBasket, useBasketCopy } from './basket';
import { BasketLines } from './basket-lines';

/** The open panel gets focus, so that it closes when it loses focus. */
const focus = (panel: HTMLElement | null) => panel?.focus();

/** The basket in the header: the number of offers, and a popover that lists them (2.5-cart-badge, 2.5-cart-popover). */
export default function Cart({ hide }: { hide(): void }) {
  useBasketCopy();
  useActivation();
  const intl = useIntl();
  const id = useId();
  const basket = useBasket();
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  const open = openAt === key; // closes when the page changes
  const close = () => setOpenAt(undefined);
  const closed = basket.error?.status === 403; // no access to the market
  useEffect(() => {
    if (closed) hide();
  }, [closed, hide]);
  const count = basket.data?.items.length ?? 0;
  return (
    <Box
      tabIndex={-1}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        event.currentTarget.querySelector('button')?.focus();
      }}
    >
      <Trigger
        type="button"
        aria-expanded={open}
        aria-controls={id}
        aria-label={intl.formatMessage({ id: 'marketplace.cart.label', defaultMessage: 'Basket: {count}' }, { count })}
        onClick={() => setOpenAt(open ? undefined : key)}
      >
        <Icon name="basket" size={24} />
        {count > 0 && <Count aria-hidden="true">{count}</Count>}
      </Trigger>
      {open && (
        <Panel id={id} tabIndex={-1} ref={focus}>
          <Items />
        </Panel>
      )}
    </Box>
  );
}

function Items() {
  const text = useProblemText();
  const { data, error } = useBasket();
  if (error) return <p role="alert">{text(error)}</p>;
  if (!data?.items.length)
    return (
      <>
        <p>
          <FormattedMessage id="marketplace.checkout.empty" defaultMessage="Your basket is empty" />
        </p>
        <TextLink href="/offers">
          <FormattedMessage id="marketplace.to_offers" defaultMessage="See the offers" />
        </TextLink>
      </>
    );
  return (
    <>
      <BasketLines basket={data} />
      <Total>
        <FormattedMessage id="marketplace.total" defaultMessage="Shares together" />
        <b>{formatEuros(data.total_amount)}</b>
      </Total>
      <LinkButton href="/checkout" variant="primary" wide>
        <FormattedMessage id="marketplace.cart.open" defaultMessage="Go to my basket" />
      </LinkButton>
    </>
  );
}

const Box = styled.div`position: relative;`;
const Trigger = styled.button`
  position: relative; display: grid; place-items: center; width: 44px; height: 44px; border-radius: var(--w-radius-control); color: inherit;
  &:hover { background: color-mix(in oklch, currentColor 12%, transparent); }
`;
const Count = styled.span`
  position: absolute; top: 2px; right: 0; min-width: 20px; padding: 0 5px; border-radius: 999px; background: var(--w-on-header); color: var(--w-header);
  font-size: 14px; line-height: 20px; font-weight: 600; text-align: center;
`;
const Panel = styled.div`
  position: absolute; top: 52px; right: 0; width: 360px; padding: 16px; border-radius: var(--w-radius); border: 1px solid var(--w-line); background: var(--w-surface);
  color: var(--w-text); --w-focus: var(--w-text); box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent); z-index: 1;
  ul { max-height: 50vh; overflow: auto; }
  @media (max-width: 767px) { position: fixed; top: 60px; right: 8px; left: 8px; width: auto; }
`;
const Total = styled.p`
  display: flex; justify-content: space-between; padding: 12px 52px 16px 0; border-top: 1px solid var(--w-line); b { font-weight: 600; }`;
