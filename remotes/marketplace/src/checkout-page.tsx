import { Slot, useMay, useNavigate, useProblemText, useSettings, useToday } from '@wattle/sdk';
import {
  Alert,
  Button,
  Card,
  EmptyState,
  ErrorState,
  energyDecimals,
  formatDay,
  formatMoney,
  formatNumber,
  Icon,
  LinkButton,
  Money,
  Page,
  Skeleton,
  TextLink,
  useToasts,
} from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Checkbox, type Reason, Reasons } from '@wattle/ui/forms';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled, { createGlobalStyle } from 'styled-components';
import { MarketAccess } from './access';
import { api, type Basket, changes, type MarketSettings, may, type Order, type Project } from './api';
import { useBasket, useStoreBasket } from './basket';
import { BasketLines, inCents, type Story } from './basket-lines';
import { checkTransferDate, costOn, firstDay, orderCosts, uncheckedBoxes } from './checkout.rules';
import { cents } from './order-dialogs';
import { ProjectPicture } from './project-picture';
import { formatSharePrice, Quiet } from './texts';

export default function CheckoutPage() {
  const basket = useBasket();
  const [placed, setPlaced] = useState<Order>();
  return (
    <Page width="wide" title={<FormattedMessage id="marketplace.checkout.title" defaultMessage="Checkout" />}>
      <MarketAccess>
        {placed ? (
          <ToPayment order={placed} />
        ) : basket.isError ? (
          <ErrorState onRetry={() => void basket.refetch()} retrying={basket.isFetching} />
        ) : !basket.data ? (
          <Columns>
            <Skeleton shape="card" count={4} />
            <Skeleton shape="card" />
          </Columns>
        ) : basket.data.items.length === 0 ? (
          <EmptyState
            title={<FormattedMessage id="marketplace.checkout.empty" defaultMessage="Your basket is empty" />}
            action={
              <LinkButton href="/offers" variant="primary">
                <FormattedMessage id="marketplace.to_offers" defaultMessage="See the offers" />
              </LinkButton>
            }
          />
        ) : (
          <Checkout basket={basket.data} onPlaced={setPlaced} />
        )}
      </MarketAccess>
    </Page>
  );
}

/** Moves focus to the text that describes what happens next, because the focused button has disappeared. */
const focus = (text: HTMLElement | null) => text?.focus();

/**
 * The order has been placed and the basket is empty: opens the payment page in this tab, with the orders page before it in the
 * history (4-checkout-success). Without a payment page, the customer is taken to the orders page.
 */
function ToPayment({ order: o }: { order: Order }) {
  const intl = useIntl();
  const toasts = useToasts();
  const navigate = useNavigate();
  const link = api.useWrite('post', '/sustainable/orders/{id}/paylink', { changes: [] });
  const open = () =>
    link.mutate(
      { body: undefined, path: { id: o.deal_identifier } },
      {
        onSuccess: ({ url }) => {
          navigate('/my-orders', { replace: true });
          window.open(url, '_self');
        },
        onError: () => {
          toasts.show({
            kind: 'alert',
            tone: 'good',
            text: intl.formatMessage(
              {
                id: 'marketplace.checkout.done',
                defaultMessage:
                  '{free, select, true {Your order is placed.} other {Your order is placed. You can pay for it here.}}',
              },
              { free: o.amount_due === 0 },
            ),
          });
          navigate('/my-orders', { replace: true });
        },
      },
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the order has been placed
  useEffect(open, []);
  return (
    <Card title={<FormattedMessage id="marketplace.checkout.placed" defaultMessage="Your order is placed" />}>
      <p tabIndex={-1} ref={focus}>
        <FormattedMessage
          id="marketplace.checkout.to_payment"
          defaultMessage="You are going to the payment page for {amount}, order {reference}."
          values={{ amount: formatMoney(cents(o.amount_due)), reference: o.deal_reference }}
        />
      </p>
      <Skeleton shape="row" />
    </Card>
  );
}

function Checkout({ basket, onPlaced }: { basket: Basket; onPlaced(order: Order): void }) {
  const intl = useIntl();
  const text = useProblemText();
  const toasts = useToasts();
  const navigate = useNavigate();
  const today = useToday();
  const settings = useSettings<MarketSettings>();
  const allowed = useMay(may.placeOrder);
  const take = useStoreBasket();
  const days = settings.transfer?.earliest_days ?? 31;
  const withdrawalDays = settings.withdrawal_days ?? 14;
  const earliest = firstDay(basket, today, days);
  const [picked, setPicked] = useState<string | null>();
  const day = picked === undefined ? earliest : picked;
  const [projects, setProjects] = useState<ReadonlySet<string>>(new Set());
  const [withdrawal, setWithdrawal] = useState(false);
  const codes = [...new Set(basket.items.map((i) => i.project_code))].sort();
  const known = api.useGet('/sustainable/projects', { query: { projectCodes: codes.join(',') } });
  const charged = settings.order?.administration_costs ?? false;
  const charges = Object.fromEntries((known.data ?? []).map((p) => [p.project_code, p.administration_costs]));
  const price = cents(basket.total_amount);
  const costs = orderCosts(charges, codes, day ?? earliest);
  const due = charged ? price + costs : price;
  const order = api.useWrite('post', '/sustainable/basket/order', { changes: changes.order, idempotent: true });

  const wrong = checkTransferDate(day ?? '', basket, today, days)[0];
  const left = uncheckedBoxes(basket.items, { projects, withdrawal });
  const nameOf = (code: string) => basket.items.find((i) => i.project_code === code)?.project_name ?? code;
  const several = codes.length > 1;
  const todo = (field: string, what: 'day' | 'terms' | 'costs' | 'withdrawal', name = '') => ({
    field,
    text: intl.formatMessage(
      {
        id: 'marketplace.checkout.todo',
        defaultMessage:
          '{what, select, day {Choose another transfer date} terms {Tick the terms{several, select, true { of {name}} other {}}} costs {Fetch the administration costs again} other {Tick that we may start right away}}',
      },
      { what, several, name },
    ),
  });
  const noCosts = charged && known.isError;
  const missing: Reason[] = [
    ...(wrong ? [todo('day', 'day')] : []),
    ...left.projects.map((code) => todo(code, 'terms', nameOf(code))),
    ...(noCosts ? [todo('costs', 'costs')] : []),
    ...(left.withdrawal ? [todo('withdrawal', 'withdrawal')] : []),
  ];
  const steps = [wrong, left.projects.length > 0 || noCosts, left.withdrawal].filter(Boolean).length;
  const disabledReason = allowed.ok
    ? steps > 0 && (
        <FormattedMessage
          id="marketplace.checkout.missing"
          defaultMessage="{steps, plural, one {One step left:} other {# steps left:}}"
          values={{ steps }}
        />
      )
    : allowed.reason;
  const toPay = <FormattedMessage id="marketplace.checkout.now" defaultMessage="To be paid now" />;
  const amount = charged && !known.data ? '…' : formatMoney(due);
  const withCosts = codes.filter((code) => costOn(charges[code] ?? [], day ?? earliest) !== undefined);
  const costLine = (code: string, more?: ReactNode) => {
    const cost = costOn(charges[code] ?? [], day ?? earliest);
    return (
      cost !== undefined && (
        <Line key={code}>
          <dt>
            <FormattedMessage
              id="marketplace.checkout.costs"
              defaultMessage="Administration costs{named, select, true { {name}} other {}}"
              values={{ named: !charged && several, name: nameOf(code) }}
            />
          </dt>
          <dd>
            <Money cents={cost} />
          </dd>
          {more && <dd data-wide>{more}</dd>}
        </Line>
      )
    );
  };
  const story = useStories(known.data);
  const status = order.data && order.data.status !== 'SUCCESS' ? order.data.status : undefined;
  const sentence = (s: string) =>
    intl.formatMessage(
      {
        id: 'marketplace.checkout.status',
        defaultMessage:
          '{status, select, OFFER_UNAVAILABLE {Part of it was sold meanwhile and is out of your basket.} START_DATE_INVALID {Choose a later transfer date.} BASKET_EMPTY {Your basket is empty.} BASKET_CHANGED {Your basket has changed. Check it and order again.} other {Try again later.}}',
      },
      { status: s },
    );
  const place = () =>
    order.mutate(
      { body: { waiveWithdrawalPeriod: true, basket, start_date: day ?? '', amount_due: due / 100 } },
      {
        onSuccess: (answer) => {
          if (answer.order) onPlaced(answer.order);
          take(answer.basket);
          if (answer.status === 'BASKET_CHANGED') void known.refetch(); // the costs may have changed
          if (answer.order) return;
          if (answer.basket.items.length === 0) {
            toasts.show({ kind: 'alert', tone: 'bad', text: `${answer.status}. ${sentence(answer.status)}` });
            navigate('/offers');
          }
        },
      },
    );
  return (
    <Columns>
      <div>
        <Block n={1} done title={<FormattedMessage id="marketplace.checkout.what" defaultMessage="What you buy" />}>
          <BasketLines basket={basket} story={story} />
        </Block>
        <Block n={2} done={!wrong} title={<FormattedMessage id="marketplace.checkout.date" defaultMessage="Transfer date" />}>
          <DateField
            name="day"
            label={
              <FormattedMessage
                id="marketplace.checkout.earliest"
                defaultMessage="Transfer on (from {day})"
                values={{ day: formatDay(earliest) }}
              />
            }
            value={day}
            onChange={setPicked}
            today={today}
            min={earliest}
            error={
              wrong &&
              (day
                ? text({ code: wrong })
                : intl.formatMessage({ id: 'marketplace.day_missing', defaultMessage: 'Choose a transfer date.' }))
            }
          />
        </Block>
        <Block
          n={3}
          done={left.projects.length === 0}
          title={<FormattedMessage id="marketplace.checkout.terms" defaultMessage="Terms" />}
        >
          {known.isError && (
            <div id="costs" tabIndex={-1}>
              <ErrorState compact onRetry={() => void known.refetch()} retrying={known.isFetching} />
            </div>
          )}
          {codes.map((code) => (
            <Checkbox
              key={code}
              name={code}
              checked={projects.has(code)}
              onChange={(on) => setProjects(new Set(on ? [...projects, code] : [...projects].filter((c) => c !== code)))}
            >
              <Terms name={nameOf(code)} project={known.data?.find((p) => p.project_code === code)} />
            </Checkbox>
          ))}
        </Block>
        <Block
          n={4}
          done={!left.withdrawal}
          title={<FormattedMessage id="marketplace.checkout.withdrawal" defaultMessage="Cooling-off period" />}
        >
          <Why>
            <FormattedMessage
              id="marketplace.checkout.why"
              defaultMessage="You have {days} days to change your mind. During those days the law lets us start on your order only if you ask us to."
              values={{ days: withdrawalDays }}
            />
          </Why>
          <Checkbox name="withdrawal" checked={withdrawal} onChange={setWithdrawal}>
            <FormattedMessage
              id="marketplace.checkout.waive"
              defaultMessage="Process my order now, before the cooling-off period ends. I can undo my purchase up to {days} days after paying, as long as the shares are not mine yet."
              values={{ days: withdrawalDays }}
            />
          </Checkbox>
        </Block>
        <Slot name="checkout" props={{}} />
      </div>
      <Summary>
        <Card title={<FormattedMessage id="marketplace.checkout.summary" defaultMessage="Your order" />}>
          <Sums>
            <Line>
              <dt>
                <FormattedMessage id="marketplace.checkout.date" defaultMessage="Transfer date" />
              </dt>
              <dd>{formatDay(day ?? earliest)}</dd>
            </Line>
            {codes.map((code) => (
              <Fragment key={code}>
                {basket.items
                  .filter((i) => i.project_code === code)
                  .map((i) => (
                    <Line key={i.identifier}>
                      <dt>
                        <b>{i.project_name}</b> {formatSharePrice(i.shares, inCents(i.price_per_share))}
                      </dt>
                      <dd>{inCents(i.amount)}</dd>
                    </Line>
                  ))}
                {charged && costLine(code)}
              </Fragment>
            ))}
            <Line $sum>
              <dt>{toPay}</dt>
              <dd>
                <strong>{amount}</strong>
              </dd>
            </Line>
            {!charged && costs > 0 && (
              <>
                {withCosts.map((code) =>
                  costLine(
                    code,
                    code === withCosts.at(-1) && (
                      <FormattedMessage
                        id="marketplace.checkout.costs_later"
                        defaultMessage="You do not pay these costs with this order. They apply to a transfer on {day}."
                        values={{ day: formatDay(day ?? earliest) }}
                      />
                    ),
                  ),
                )}
                <Line $sum>
                  <dt>
                    <FormattedMessage id="marketplace.checkout.total" defaultMessage="Total, with what you pay later" />
                  </dt>
                  <dd>{formatMoney(price + costs)}</dd>
                </Line>
              </>
            )}
          </Sums>
          {status && (
            <Alert
              title={
                <FormattedMessage id="marketplace.checkout.failed" defaultMessage="Not ordered: {status}" values={{ status }} />
              }
            >
              {sentence(status)}
            </Alert>
          )}
          {order.error && <Alert>{text(order.error.errors?.[0] ?? order.error)}</Alert>}
          <After>
            <FormattedMessage
              id="marketplace.checkout.after"
              defaultMessage="Then you go to the payment page of your bank, for example with iDEAL. After paying you come back here."
            />
          </After>
          <Pay>
            <p aria-hidden="true">
              {toPay}
              <b>{amount}</b>
            </p>
            <Button
              variant="primary"
              wide
              loading={order.isPending || (charged && known.isPending)}
              disabledReason={disabledReason}
              looksEnabled={allowed.ok}
              onBlocked={() => {
                const first = missing[0] && fieldOf(missing[0]);
                (document.getElementsByName(first ?? '')[0] ?? document.getElementById(first ?? ''))?.focus();
              }}
              onClick={place}
            >
              <FormattedMessage id="marketplace.checkout.place" defaultMessage="Order and pay" />
            </Button>
            {disabledReason && (
              <Missing>
                <span>{disabledReason}</span>
                {allowed.ok && <Reasons fields={missing} />}
              </Missing>
            )}
          </Pay>
          <RoomForBar $more={Boolean(disabledReason)} />
          <p style={{ marginTop: 16 }}>
            <TextLink href="/offers">
              <FormattedMessage id="marketplace.to_offers" defaultMessage="See the offers" />
            </TextLink>
          </p>
        </Card>
      </Summary>
    </Columns>
  );
}

/** A project's terms, with links to its documents. */
function Terms({ name, project }: { name: string; project: Project | undefined }) {
  const paper = (href: string | undefined) => (c: ReactNode) =>
    href ? (
      <TextLink key={href} href={href} external>
        {c} (PDF)
      </TextLink>
    ) : (
      c
    );
  return (
    <FormattedMessage
      id="marketplace.checkout.agree"
      defaultMessage="I agree to the <s>articles of association</s> and the <m>member agreement</m> of {name}"
      values={{ name, s: paper(project?.statutes_location), m: paper(project?.member_agreement_location) }}
    />
  );
}

/**
 * Returns a function that gives a project's picture and text: since which year it runs, and what one share yielded
 * (9-checkout-project).
 */
function useStories(known: readonly Project[] | undefined): (code: string) => Story {
  const market = api.useGet('/sustainable/market/projects').data;
  return (code) => {
    const p = market?.find((one) => one.project_code === code);
    const yielded = p?.share_yield;
    return {
      picture: (
        <Thumb>
          <ProjectPicture code={code} type={(p ?? known?.find((one) => one.project_code === code))?.project_type ?? ''} />
        </Thumb>
      ),
      text: (
        <Quiet>
          {p?.project_start_date && (
            <FormattedMessage
              id="marketplace.offer.since"
              defaultMessage="{type, select, WIND {running} other {producing}} since {year}"
              values={{ type: p.project_type, year: p.project_start_date.slice(0, 4) }}
            />
          )}
          {p?.project_start_date && yielded && ' · '}
          {yielded && (
            <FormattedMessage
              id="marketplace.offer.yield"
              defaultMessage="<b>{energy} kWh</b> per share in {year}"
              values={{
                energy: formatNumber(yielded.energy, energyDecimals('kWh', yielded.energy < 1 ? 'participation' : undefined)),
                year: String(yielded.year),
                b: (c) => c,
              }}
            />
          )}
        </Quiet>
      ),
    };
  };
}

const fieldOf = (reason: Reason): string => (typeof reason === 'string' ? reason : reason.field);

/** A numbered step; once it is complete its number is a check mark. */
function Block({ n, done, title, children }: { n: number; done: boolean; title: ReactNode; children: ReactNode }) {
  return (
    <Card
      title={
        <Numbered $done={done}>
          <i aria-hidden="true">{done ? <Icon name="check" size={20} /> : n}</i> {title}
        </Numbered>
      }
    >
      {children}
    </Card>
  );
}

const Columns = styled.div`
  display: grid; grid-template-columns: minmax(0, 640px) minmax(280px, 360px); gap: 24px; justify-content: space-between; align-items: start;
  > div { display: flex; flex-direction: column; gap: 16px; }
  @media (max-width: 959px) { grid-template-columns: minmax(0, 1fr); }
`;
const Summary = styled.div`
  position: sticky; top: 88px;
  @media (max-width: 959px) { position: static; }
`;
/** A receipt: one row for each amount, all at the right, and a line above each sum. */
const Sums = styled.dl`
  display: grid; grid-template-columns: 1fr auto; gap: 8px 16px; align-items: baseline; margin: 0 0 16px; font-variant-numeric: tabular-nums;
  dd { margin: 0; text-align: right; } strong { font: 600 28px/1.2 var(--w-font-heading); color: var(--w-primary-ink); }
`;
const After = styled.p`margin-bottom: 12px; font-size: 14px; color: var(--w-text-quiet);`;
/** How many steps are left and what each still needs, below the button; on a phone the first thing, on a line above the button. */
const Missing = styled.div`
  margin-top: 8px; font-size: 14px; > :first-child { font-weight: 600; }
  @media screen and (max-width: 767px) { order: -1; flex: 1 1 100%; display: flex; flex-wrap: wrap; gap: 0 8px; margin: 0; [role='listitem'] + [role='listitem'] { display: none; } }
`;
const Why = styled.p`margin-bottom: 12px; font-size: 14px; color: var(--w-text-quiet);`;
/** The pay button; on a phone it is in a bar at the bottom of the window, with the amount (9-checkout-phone). */
const Pay = styled.div`
  > p, button ~ [data-reason] { display: none; }
  @media screen and (max-width: 767px) {
    position: fixed; inset: auto 0 0; z-index: 10; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; background: var(--w-surface); border-top: 1px solid var(--w-line);
    padding: 8px max(16px, env(safe-area-inset-right)) calc(8px + env(safe-area-inset-bottom)) max(16px, env(safe-area-inset-left));
    > p { display: block; flex: none; font-size: 14px; color: var(--w-text-quiet); } > p + * { flex: 1; width: auto; }
    b { display: block; font: 600 20px/1.2 var(--w-font-heading); color: var(--w-text); }
  }
`;
/**
 * Keeps the end of the page, toasts and focused controls above the bar, which is higher with what is missing. Nothing is between the
 * form and the bar, so the links of the footer are hidden (9-checkout-phone).
 */
const RoomForBar = createGlobalStyle<{ $more: boolean }>`
  @media screen and (max-width: 767px) {
    :root { --w-bottom: calc(${(p) => (p.$more ? 140 : 65)}px + env(safe-area-inset-bottom)); }
    html { scroll-padding-bottom: 172px; }
    body { padding-bottom: var(--w-bottom); }
    :has(> #content) + footer { display: none; }
  }
`;
const Thumb = styled.div`
  > div { width: 72px; height: 72px; border-radius: var(--w-radius-control); } svg { width: 56px; height: 56px; }
  @media (max-width: 767px) { > div { width: 56px; height: 56px; } svg { width: 44px; height: 44px; } }
`;
const Line = styled.div<{ $sum?: boolean }>`
  display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: baseline; ${(p) => (p.$sum ? 'padding-top: 8px; border-top: 1px solid var(--w-line); font-weight: 600;' : 'font-size: 14px; dt { color: var(--w-text-quiet); }')}
  b { display: block; font-weight: 400; color: var(--w-text); }
  dd[data-wide] { grid-column: 1 / -1; color: var(--w-text-quiet); text-align: start; }
`;
const Numbered = styled.span<{ $done: boolean }>`
  display: flex; gap: 12px; align-items: center;
  i { display: grid; place-items: center; width: 32px; height: 32px; border-radius: 50%; background: ${(p) => (p.$done ? 'var(--w-primary); color: var(--w-on-primary)' : 'var(--w-tint-strong)')}; font-style: normal; font-size: 16px; flex: none; }
`;
