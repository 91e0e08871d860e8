import {
  type OverlayProps,
  type Problem,
  useLocation,
  useMay,
  useNavigate,
  useNotify,
  useProblemText,
  useSearchParams,
  useSettings,
  useToday,
} from '@wattle/sdk';
import { Button, ErrorState, formatDay, formatEuros, Notice, SheetFooter, Skeleton, useSheetClose } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, MoneyField, NumberStepper, RadioGroup, SaveButton, Select, TextField, useFields } from '@wattle/ui/forms';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, type MarketSettings, may, type Project } from './api';
import { addDays, checkOffer, floorPrice, latest, type OfferKind } from './offer.rules';
import { Failed, freeOf, ownOf, startOf, useWrong } from './own';
import { placeLine } from './place.rules';

/** 2.3-overlay-create-offer */
export default function CreateOffer(props: OverlayProps) {
  const projects = api.useGet('/sustainable/projects');
  // What the form itself asks for does not take it off the screen.
  const [first, setFirst] = useState<Project[]>();
  if (projects.data && !first) setFirst(projects.data);
  if (projects.isError) return <ErrorState onRetry={() => void projects.refetch()} retrying={projects.isFetching} />;
  if (!first) return <Skeleton shape="field" count={5} />;
  if (ownOf(first).length === 0)
    return (
      <Notice title={<FormattedMessage id="marketplace.create.none" defaultMessage="You have no shares to offer" />}>
        <FormattedMessage
          id="marketplace.create.none_text"
          defaultMessage="Once you have bought shares you can offer them here."
        />
      </Notice>
    );
  return <OfferForm {...props} projects={first} />;
}

interface Values extends Record<string, unknown> {
  participation_identifier: string;
  offer_type: OfferKind | '';
  buyer_email_address: string;
  number_of_shares: number | null;
  /** Cents. */
  price: number | null;
  date: string | null;
}

function OfferForm({ projects, close, setDirty }: OverlayProps & { projects: readonly Project[] }) {
  const intl = useIntl();
  const text = useProblemText();
  const wrong = useWrong();
  const notify = useNotify();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const cancel = useSheetClose();
  const today = useToday();
  const days = useSettings<MarketSettings>().offer.max_days_ahead;
  const last = addDays(today, days);
  const create = api.useWrite('post', '/sustainable/offers', { changes: changes.offer, idempotent: true });
  const transfer = api.useWrite('post', '/sustainable/transfers', { changes: changes.offer, idempotent: true });
  const own = ownOf(projects);
  const chosen = (id: string) => own.find(({ participation: p }) => p.participation_identifier === id);
  const bounds = (v: Values) => {
    const of = chosen(v.participation_identifier);
    return {
      free: of ? freeOf(of.participation) : Number.MAX_SAFE_INTEGER,
      setting: of && latest(of.project.member_offer_settings, today),
      today,
      days,
    };
  };
  const fields = useFields<Values>({
    changes: false, // it begins empty
    initial: {
      participation_identifier: startOf(own, search),
      offer_type: search.get('kind') === 'transfer' ? 'transfer' : '',
      buyer_email_address: '',
      number_of_shares: null,
      price: null,
      date: null,
    },
    check: (v) => wrong(checkOffer({ ...v, price: v.price === null ? null : v.price / 100, date: v.date ?? '' }, bounds(v))),
  });
  const [made, setMade] = useState(false);
  useEffect(() => setDirty(fields.dirty && !made), [fields.dirty, made, setDirty]);
  // 4-offer-created-navigation: once nothing is unsaved any more, or the portal would ask whether to leave
  useEffect(() => {
    if (!made) return;
    if (pathname.startsWith('/my-offers/')) close();
    else navigate('/my-offers', { replace: true });
  }, [made, pathname, close, navigate]);

  const { values } = fields;
  const { free, setting } = bounds(values);
  const of = chosen(values.participation_identifier);
  const kind = values.offer_type;
  const shares = values.number_of_shares;
  const price = values.price === null ? null : floorPrice(values.price / 100);
  const asked = useMay(kind === 'transfer' ? may.transferShares : may.createOffer);
  const why =
    of && !setting?.allow_selling
      ? text({ code: 'marketplace.selling_not_allowed' })
      : of && free === 0
        ? intl.formatMessage({
            id: 'marketplace.create.none_free',
            defaultMessage: 'All your shares here are already offered, sold or about to move.',
          })
        : undefined;
  const saving = create.isPending || transfer.isPending;
  const problem = kind === 'transfer' ? transfer.error : create.error;

  const submit = (v: Values) => {
    const body = {
      participation_identifier: v.participation_identifier,
      number_of_shares: v.number_of_shares ?? 0,
      date: v.date ?? '',
    };
    const buyer_email_address = v.buyer_email_address.trim();
    const then = {
      onSuccess: () => {
        notify({
          kind: 'notice',
          tone: 'good',
          text: intl.formatMessage(
            {
              id: 'marketplace.create.done',
              defaultMessage:
                '{kind, select, transfer {We have received your transfer.} other {We have received your offer.}} We usually approve it within 2 working days; you will get an email.',
            },
            { kind: v.offer_type },
          ),
        });
        setMade(true);
      },
      onError: (p: Problem) => fields.refuse(wrong(p.errors ?? [])),
    };
    if (v.offer_type === 'transfer') transfer.mutate({ body: { ...body, buyer_email_address } }, then);
    else
      create.mutate(
        {
          body: {
            ...body,
            project_code: chosen(v.participation_identifier)?.project.project_code ?? '',
            price: floorPrice((v.price ?? 0) / 100),
            ...(v.offer_type === 'personal' ? { buyer_email_address } : {}),
          },
        },
        then,
      );
  };

  return (
    <Form busy={saving} {...fields.form(submit)}>
      <Failed problem={problem} title="error" retry={() => submit(values)} busy={saving} />
      <Select
        {...fields.field('participation_identifier')}
        required
        label={<FormattedMessage id="marketplace.create.which" defaultMessage="Which shares?" />}
        empty={own.length > 1 ? intl.formatMessage({ id: 'marketplace.choose', defaultMessage: 'Choose' }) : undefined}
        options={own.map(({ participation: p, project }) => ({
          value: p.participation_identifier,
          text: `${project.project_name}, ${placeLine(p.address)}`,
        }))}
        hint={
          of && (
            <FormattedMessage
              id="marketplace.create.free"
              defaultMessage="{free} of your {share, plural, one {# share} other {# shares}} can be offered."
              values={{ free, share: of.participation.share }}
            />
          )
        }
      />
      {why && <Notice tone="warning">{why}</Notice>}
      <RadioGroup
        {...fields.field('offer_type')}
        onChange={(v) => fields.set('offer_type', v as OfferKind)}
        look="card"
        required
        label={<FormattedMessage id="marketplace.create.kind" defaultMessage="Who are they for?" />}
        options={[
          {
            value: 'public',
            text: <FormattedMessage id="marketplace.create.public" defaultMessage="Public offer" />,
            hint: <FormattedMessage id="marketplace.create.public_hint" defaultMessage="Every member can buy them." />,
          },
          {
            value: 'personal',
            text: <FormattedMessage id="marketplace.create.personal" defaultMessage="Personal offer" />,
            hint: (
              <FormattedMessage
                id="marketplace.create.personal_hint"
                defaultMessage="Only who has your code can buy them. You get the code to share."
              />
            ),
          },
          {
            value: 'transfer',
            text: <FormattedMessage id="marketplace.create.transfer" defaultMessage="Give away" />,
            hint: (
              <FormattedMessage
                id="marketplace.create.transfer_hint"
                defaultMessage="You hand them over to another member, for nothing."
              />
            ),
          },
        ]}
      />
      {kind === 'transfer' && (
        <Notice>
          <FormattedMessage
            id="marketplace.transfer_contract"
            defaultMessage="The other member needs an active electricity contract with us."
          />
        </Notice>
      )}
      {(kind === 'personal' || kind === 'transfer') && (
        <TextField
          {...fields.field('buyer_email_address')}
          required
          type="email"
          why={why}
          label={<FormattedMessage id="marketplace.create.email" defaultMessage="Email address of the other member" />}
        />
      )}
      <NumberStepper
        {...fields.field('number_of_shares')}
        required
        why={why}
        min={1}
        max={Math.max(1, of ? free : 1)}
        label={intl.formatMessage({ id: 'marketplace.number', defaultMessage: 'Shares' })}
      />
      {kind !== 'transfer' && (
        <MoneyField
          {...fields.field('price')}
          required
          why={why}
          label={<FormattedMessage id="marketplace.create.price" defaultMessage="Price per share" />}
          hint={
            setting && (
              <FormattedMessage
                id="marketplace.create.range"
                defaultMessage="{kind, select, personal {At most {max}} other {From {min} to {max}}}, in whole euros."
                values={{ kind, min: formatEuros(setting.min_price), max: formatEuros(setting.max_price) }}
              />
            )
          }
        />
      )}
      <DateField
        {...fields.field('date')}
        required
        why={why}
        today={today}
        min={today}
        max={last}
        hint={
          <FormattedMessage
            id="marketplace.create.until"
            defaultMessage="From today until {day}."
            values={{ day: formatDay(last) }}
          />
        }
        label={
          <FormattedMessage
            id="marketplace.create.date"
            defaultMessage="{kind, select, transfer {When do they change hands?} other {Offer them from}}"
            values={{ kind }}
          />
        }
        chips={[
          {
            text: intl.formatMessage({ id: 'marketplace.today', defaultMessage: 'today: {day}' }, { day: formatDay(today) }),
            day: today,
          },
        ]}
      />
      {kind !== 'transfer' && price !== null && shares !== null && (
        <div role="status">
          <FormattedMessage
            id="marketplace.create.total"
            defaultMessage="You offer {shares, plural, one {# share} other {# shares}} at {price}: {total} in all."
            values={{ shares, price: formatEuros(price), total: <strong>{formatEuros(price * shares)}</strong> }}
          />
        </div>
      )}
      <SheetFooter>
        <SaveButton busy={saving} why={asked.ok ? (why ?? fields.why) : asked.why}>
          <FormattedMessage
            id="marketplace.create.save"
            defaultMessage="{kind, select, transfer {Give away} other {Create offer}}"
            values={{ kind }}
          />
        </SaveButton>
        <Button variant="quiet" disabled={saving} onClick={cancel}>
          <FormattedMessage id="marketplace.cancel" defaultMessage="Cancel" />
        </Button>
      </SheetFooter>
    </Form>
  );
}
