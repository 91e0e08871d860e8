import { Slot, useMay, useNavigate, useProblemText, useSettings, useToday } from '@wattle/sdk';
import {
  Alert,
  Button,
  Card,
  EmptyState,
  ErrorState,
  formatDay,
  formatEuros,
  LinkButton,
  LinkLook,
  Money,
  Page,
  Skeleton,
  TextLink,
  useToasts,
} from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Checkbox } from '@wattle/ui/forms';
import { type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { MarketAccess } from './access';
import { api, type Basket, changes, type MarketSettings, may, type Project } from './api';
import { basketCopy, useBasket, useStoreBasket } from './basket';
import { BasketLines } from './basket-lines';
import { checkTransferDate, firstDay, uncheckedBoxes } from './checkout.rules';
import { latest } from './offer.rules';

export default function CheckoutPage() {
  const basket = useBasket();
  return (
    <Page width="wide" title={<FormattedMessage id="marketplace.checkout.title" defaultMessage="Checkout" />}>
      <MarketAccess>
        {basket.isError ? (
          <ErrorState onRetry={() => void basket.refetch()} retrying={basket.isFetching} />
        ) : !basket.data ? (
          <Skeleton shape="card" count={3} />
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
          <Checkout basket={basket.data} />
        )}
      </MarketAccess>
    </Page>
  );
}

function Checkout({ basket }: { basket: Basket }) {
  const intl = useIntl();
  const text = useProblemText();
  const toasts = useToasts();
  const navigate = useNavigate();
  const today = useToday();
  const settings = useSettings<MarketSettings>();
  const allowed = useMay(may.placeOrder);
  const take = useStoreBasket();
  const days = settings.transfer?.earliest_days ?? 31;
  const earliest = firstDay(basket, today, days);
  const [picked, setPicked] = useState<string | null>();
  const day = picked === undefined ? earliest : picked;
  const [projects, setProjects] = useState<ReadonlySet<string>>(new Set());
  const [withdrawal, setWithdrawal] = useState(false);
  const codes = [...new Set(basket.items.map((i) => i.project_code))].sort();
  const known = api.useGet('/sustainable/projects', { query: { projectCodes: codes.join(',') } });
  const order = api.useWrite('post', '/sustainable/basket/order', { changes: changes.order, idempotent: true });

  const wrong = checkTransferDate(day ?? '', basket, today, days)[0];
  const left = uncheckedBoxes(basket.items, { projects, withdrawal });
  const nameOf = (code: string) => basket.items.find((i) => i.project_code === code)?.project_name ?? code;
  const missing: { name: string; text: string }[] = [
    ...(wrong
      ? [{ name: 'day', text: intl.formatMessage({ id: 'marketplace.checkout.date', defaultMessage: 'Transfer date' }) }]
      : []),
    ...left.projects.map((code) => ({
      name: code,
      text: `${intl.formatMessage({ id: 'marketplace.checkout.terms', defaultMessage: 'Terms' })}: ${nameOf(code)}`,
    })),
    ...(left.withdrawal
      ? [
          {
            name: 'withdrawal',
            text: intl.formatMessage({ id: 'marketplace.checkout.withdrawal', defaultMessage: 'Cooling-off period' }),
          },
        ]
      : []),
  ];
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
      { body: { waiveWithdrawalPeriod: true, basket: basketCopy(), start_date: day ?? '' } },
      {
        onSuccess: (answer) => {
          take(answer.basket);
          if (answer.status === 'SUCCESS') {
            toasts.show({
              kind: 'alert',
              tone: 'good',
              text: intl.formatMessage({
                id: 'marketplace.checkout.done',
                defaultMessage: 'Your order is placed. You can pay for it here.',
              }),
            });
            navigate('/my-orders');
          } else if (answer.basket.items.length === 0) {
            toasts.show({ kind: 'alert', tone: 'bad', text: `${answer.status}. ${sentence(answer.status)}` });
            navigate('/offers');
          }
        },
      },
    );
  return (
    <Columns>
      <div>
        <Block n={1} title={<FormattedMessage id="marketplace.checkout.what" defaultMessage="What you buy" />}>
          <BasketLines basket={basket} places />
        </Block>
        <Block n={2} title={<FormattedMessage id="marketplace.checkout.date" defaultMessage="Transfer date" />}>
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
            error={wrong && text({ code: wrong })}
          />
        </Block>
        <Block n={3} title={<FormattedMessage id="marketplace.checkout.terms" defaultMessage="Terms" />}>
          {known.isError && <ErrorState compact onRetry={() => void known.refetch()} retrying={known.isFetching} />}
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
        <Block n={4} title={<FormattedMessage id="marketplace.checkout.withdrawal" defaultMessage="Cooling-off period" />}>
          <Checkbox name="withdrawal" checked={withdrawal} onChange={setWithdrawal}>
            <FormattedMessage
              id="marketplace.checkout.waive"
              defaultMessage="Process my order now, before the cooling-off period ends. I can undo my purchase up to {days} days after paying, as long as the shares are not mine yet."
              values={{ days: settings.withdrawal_days ?? 14 }}
            />
          </Checkbox>
        </Block>
        <Slot name="checkout" props={{}} />
      </div>
      <Summary>
        <Card title={<FormattedMessage id="marketplace.checkout.summary" defaultMessage="Your order" />}>
          <Sums>
            <dt>
              <FormattedMessage id="marketplace.total" defaultMessage="Total" />
            </dt>
            <dd>
              <strong>{formatEuros(basket.total_amount)}</strong>
            </dd>
            <Costs projects={known.data ?? []} codes={codes} day={day ?? earliest} />
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
          <Button
            variant="primary"
            wide
            loading={order.isPending}
            why={
              allowed.ok
                ? missing.length > 0 && <FormattedMessage id="marketplace.checkout.missing" defaultMessage="Still missing:" />
                : allowed.why
            }
            onClick={place}
          >
            <FormattedMessage id="marketplace.checkout.place" defaultMessage="Order and pay" />
          </Button>
          {missing.length > 0 && (
            <Missing>
              {missing.map((m) => (
                <li key={m.name}>
                  <LinkLook onClick={() => document.getElementsByName(m.name)[0]?.focus()}>{m.text}</LinkLook>
                </li>
              ))}
            </Missing>
          )}
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

/** The terms of a project, with links to its documents. */
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

/** The administration costs of the projects in the basket on the transfer date. */
function Costs({ projects, codes, day }: { projects: readonly Project[]; codes: readonly string[]; day: string }) {
  return projects
    .filter((p) => codes.includes(p.project_code))
    .map((p) => {
      const cost = latest(p.administration_costs, day);
      return (
        cost && (
          <Line key={p.project_code}>
            <dt>
              <FormattedMessage
                id="marketplace.checkout.costs"
                defaultMessage="Administration costs {name} (not included)"
                values={{ name: p.project_name }}
              />
            </dt>
            <dd>
              <Money cents={Math.round(cost.amount * 100)} />
            </dd>
          </Line>
        )
      );
    });
}

function Block({ n, title, children }: { n: number; title: ReactNode; children: ReactNode }) {
  return (
    <Card
      title={
        <Numbered>
          <i aria-hidden="true">{n}</i> {title}
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
const Sums = styled.dl`
  display: grid; grid-template-columns: 1fr auto; gap: 8px 16px; align-items: baseline; margin: 0 0 16px; font-variant-numeric: tabular-nums;
  dd { margin: 0; text-align: right; } strong { font-size: 28px; font-weight: 600; line-height: 1.2; color: var(--w-primary-ink); }
`;
const Line = styled.div`display: contents; font-size: 14px; dt { color: var(--w-text-quiet); }`;
const Missing = styled.ul`list-style: none; margin: 4px 0 0; padding: 0; font-size: 14px; li { padding: 4px 0; } button { text-align: left; }`;
const Numbered = styled.span`
  display: flex; gap: 12px; align-items: center;
  i { display: grid; place-items: center; width: 32px; height: 32px; border-radius: 50%; background: var(--w-tint-strong); font-style: normal; font-size: 16px; flex: none; }
`;
