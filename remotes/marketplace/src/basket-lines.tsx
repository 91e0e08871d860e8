import { useMay, useProblemText } from '@wattle/sdk';
import { Alert, formatEuros, IconButton } from '@wattle/ui';
import { useRef } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Basket, may } from './api';
import { useStoreBasket } from './basket';
import { formatSharePrice, PlaceText, Quiet } from './texts';

/** The offers in the basket, each with a remove button; with `places` also the address. */
export function BasketLines({ basket, places }: { basket: Basket; places?: boolean }) {
  const intl = useIntl();
  const text = useProblemText();
  const allowed = useMay(may.removeFromBasket);
  const take = useStoreBasket();
  const list = useRef<HTMLUListElement>(null);
  const remove = api.useWrite('delete', '/sustainable/basket/{identifier}', { changes: [] });
  return (
    <>
      {remove.error && <Alert>{text(remove.error)}</Alert>}
      <List ref={list} tabIndex={-1}>
        {basket.items.map((i) => (
          <li key={i.identifier}>
            <span>
              {i.project_name}
              <Quiet>{formatSharePrice(i.shares, formatEuros(i.price_per_share))}</Quiet>
              {places && <PlaceText place={i.address} />}
            </span>
            <b>{formatEuros(i.amount)}</b>
            <IconButton
              icon="remove"
              label={intl.formatMessage(
                { id: 'marketplace.remove', defaultMessage: 'Remove {name} from your basket' },
                { name: i.project_name },
              )}
              why={allowed.ok ? undefined : allowed.why}
              disabled={remove.isPending}
              onClick={() => {
                list.current?.focus(); // the remove button disappears
                remove.mutate({ path: { identifier: i.identifier }, body: undefined }, { onSuccess: take });
              }}
            />
          </li>
        ))}
      </List>
    </>
  );
}

const List = styled.ul`
  list-style: none; margin: 0; padding: 0;
  li { display: grid; grid-template-columns: 1fr auto 44px; gap: 8px; align-items: center; padding: 8px 0; }
  li + li { border-top: 1px solid var(--w-line); }
  li > span > * { display: block; } b { font-weight: 600; font-variant-numeric: tabular-nums; }
`;
