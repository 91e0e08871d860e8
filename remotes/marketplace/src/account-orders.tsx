import { clockAt, usePortal } from '@wattle/sdk';
import { CivilDate, ErrorState, Facts, LinkButton, Money, Row, Skeleton, Stack } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { canPay, projectsOf } from './order.rules';
import { Pay } from './order-actions';
import { cents } from './order-dialogs';
import { useOrders } from './use-orders';

interface AccountOrdersProps {
  hide?(): void;
  /** Above the sections of the page: only with orders to pay, and then not among the sections. */
  onTop?: boolean;
}

/** On the account page: unpaid orders that will expire (4-orders-to-expire). */
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
    <Stack>
      {open.length === 0 ? (
        <p>
          <FormattedMessage id="marketplace.to_pay.none" defaultMessage="None of your orders waits to be paid." />
        </p>
      ) : (
        <Facts
          items={open.map((o) => ({
            label: `${o.deal_reference}, ${projectsOf(o)}`,
            value: (
              <FormattedMessage
                id="marketplace.to_pay.before"
                defaultMessage="{amount} before {day}"
                values={{
                  amount: <Money cents={cents(o.amount_due)} />,
                  day: <CivilDate day={clockAt(o.expiration_date, timeZone).day} />,
                }}
              />
            ),
            action: <Pay order={o} />,
          }))}
        />
      )}
      <Row>
        <LinkButton href="/my-orders" small>
          <FormattedMessage id="marketplace.my_orders.title" defaultMessage="My orders" />
        </LinkButton>
      </Row>
    </Stack>
  );
}
