import { clockAt, usePortal } from '@wattle/sdk';
import { CivilDate, ErrorState, Money, Skeleton, Stack, TextLink } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { canPay, projectsOf } from './order.rules';
import { Pay } from './order-actions';
import { cents } from './order-dialogs';
import { useOrders } from './use-orders';

interface AccountOrdersProps {
  hide?(): void;
  /** Above the sections of the page, and only if there are unpaid orders; they are then not among the sections. */
  onTop?: boolean;
}

/** On the account page: unpaid orders, which will expire (4-orders-to-expire). */
export default function AccountOrders({ hide, onTop = false }: AccountOrdersProps) {
  const { timeZone } = usePortal();
  const orders = useOrders();
  const open = orders.data?.filter((o) => canPay(o.status));
  const elsewhere = onTop ? orders.isError || open?.length === 0 : open !== undefined && open.length > 0;
  useEffect(() => {
    if (elsewhere) hide?.();
  }, [elsewhere, hide]);
  if (hide && elsewhere) return null;
  if (orders.isError) return <ErrorState compact onRetry={() => void orders.refetch()} retrying={orders.isFetching} />;
  if (!open) return <Skeleton shape="row" count={1} />;
  return (
    <Stack gap={12}>
      {open.length === 0 ? (
        <p>
          <FormattedMessage id="marketplace.to_pay.none" defaultMessage="You have no orders to pay." />
        </p>
      ) : (
        <List>
          {open.map((o) => (
            <li key={o.deal_identifier}>
              <div>
                <strong>
                  <Money cents={cents(o.amount_due)} />
                </strong>
                <p>
                  <FormattedMessage
                    id="marketplace.to_pay.for"
                    defaultMessage="{n, plural, one {# share} other {# shares}} in {project}, pay before {day}"
                    values={{
                      n: o.shares,
                      project: projectsOf(o),
                      day: <CivilDate day={clockAt(o.expiration_date, timeZone).day} />,
                    }}
                  />
                </p>
                <small>{o.deal_reference}</small>
              </div>
              <div>
                <Pay order={o} />
              </div>
            </li>
          ))}
        </List>
      )}
      <div>
        <TextLink href="/my-orders">
          <FormattedMessage id="marketplace.my_orders.title" defaultMessage="My orders" />
        </TextLink>
      </div>
    </Stack>
  );
}

const List = styled.ul`
  list-style: none; margin: 0; padding: 0;
  li { display: flex; align-items: center; justify-content: space-between; gap: 8px 16px; } li + li { margin-top: 12px; padding-top: 12px; border-top: 1px solid var(--w-line); }
  li > div:first-child { min-width: 0; overflow-wrap: anywhere; }
  strong { font-size: 20px; font-variant-numeric: tabular-nums; } small { font-size: 14px; color: var(--w-text-quiet); }
`;
