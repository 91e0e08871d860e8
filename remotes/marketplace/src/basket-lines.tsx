import { useMay, useProblemText } from '@wattle/sdk';
import { Alert, Button, formatEuros, formatMoney, IconButton } from '@wattle/ui';
import { type ReactNode, useRef } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Basket, may } from './api';
import { useStoreBasket } from './basket';
import { placeLine } from './place.rules';
import { formatSharePrice, Quiet, Shares } from './texts';

/** What a page adds to the line of a project. */
export interface Story {
  picture: ReactNode;
  text: ReactNode;
}

/** Formats a price with cents, like the amounts next to it. */
export const inCents = (euros: number): string => formatMoney(Math.round(euros * 100));

/** The offers in the basket, each with a remove button; with `story` also the picture and text of the project, and the address. */
export function BasketLines({ basket, story }: { basket: Basket; story?: (projectCode: string) => Story }) {
  const intl = useIntl();
  const text = useProblemText();
  const allowed = useMay(may.removeFromBasket);
  const take = useStoreBasket();
  const list = useRef<HTMLUListElement>(null);
  const remove = api.useWrite('delete', '/sustainable/basket/{identifier}', { changes: [] });
  return (
    <>
      {remove.error && <Alert>{text(remove.error)}</Alert>}
      <List ref={list} tabIndex={-1} $wide={Boolean(story)}>
        {basket.items.map((i) => {
          const button = {
            'aria-label': intl.formatMessage(
              { id: 'marketplace.remove', defaultMessage: 'Remove {name} from your basket' },
              { name: i.project_name },
            ),
            disabledReason: allowed.ok ? undefined : allowed.reason,
            disabled: remove.isPending,
            onClick: () => {
              list.current?.focus(); // the remove button disappears
              remove.mutate({ path: { identifier: i.identifier } }, { onSuccess: take });
            },
          };
          return (
            <li key={i.identifier}>
              {story?.(i.project_code).picture}
              <span>
                {i.project_name}
                <Quiet>
                  {story ? (
                    <>
                      <Shares n={i.shares} /> × {inCents(i.price_per_share)}
                    </>
                  ) : (
                    formatSharePrice(i.shares, formatEuros(i.price_per_share))
                  )}
                </Quiet>
                {story?.(i.project_code).text}
                {story && (
                  <Quiet>
                    <FormattedMessage
                      id="marketplace.checkout.for"
                      defaultMessage="For your connection: {address}"
                      values={{ address: placeLine(i.address) }}
                    />
                  </Quiet>
                )}
              </span>
              <b>{story ? inCents(i.amount) : formatEuros(i.amount)}</b>
              {story ? (
                <Button small variant="quiet" icon="remove" {...button}>
                  <FormattedMessage id="marketplace.remove_short" defaultMessage="Remove" />
                </Button>
              ) : (
                <IconButton icon="remove" label={button['aria-label']} {...button} />
              )}
            </li>
          );
        })}
      </List>
    </>
  );
}

const List = styled.ul<{ $wide: boolean }>`
  list-style: none; margin: 0; padding: 0;
  li { display: grid; grid-template-columns: 1fr auto 44px; gap: 8px; align-items: center; padding: 8px 0; }
  li + li { border-top: 1px solid var(--w-line); }
  li > span:first-of-type > * { display: block; } b { font-weight: 600; font-variant-numeric: tabular-nums; }
  ${(p) => p.$wide && 'li { grid-template-columns: auto 1fr auto; align-items: start; gap: 4px 16px; padding: 12px 0; > :last-child { grid-column: 2; margin-left: -12px; } }'}
`;
