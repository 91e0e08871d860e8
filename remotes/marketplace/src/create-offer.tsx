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
import { formatDay, formatEuros, formatNumber, Notice } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, MoneyField, NumberStepper, RadioGroup, TextField, useFields } from '@wattle/ui/forms';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, type MarketSettings, may } from './api';
import { addDays, checkOffer, floorPrice, latest, type OfferForm } from './offer.rules';
import {
  FailedAction,
  Footer,
  freeSharesOf,
  idOf,
  initialParticipation,
  number,
  type OwnParticipation,
  OwnShares,
  ParticipationSelect,
  todayChip,
  useErrorTexts,
} from './own';

/** 2.3-overlay-create-offer */
export default function CreateOffer(props: OverlayProps) {
  return <OwnShares>{(own) => <CreateForm {...props} own={own} />}</OwnShares>;
}

/** The form values; the price is in cents. */
type Values = Omit<OfferForm, 'date'> & { date: string | null } & Record<string, unknown>;

function CreateForm({ own, close, setDirty }: OverlayProps & { own: readonly OwnParticipation[] }) {
  const intl = useIntl();
  const text = useProblemText();
  const wrong = useErrorTexts();
  const notify = useNotify();
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const below = (state as { background?: { pathname: string } } | null)?.background?.pathname ?? pathname;
  const [search] = useSearchParams();
  const today = useToday();
  const days = useSettings<MarketSettings>().offer.max_days_ahead;
  const last = addDays(today, days);
  const create = api.useWrite('post', '/sustainable/offers', { changes: changes.offer, idempotent: true });
  const transfer = api.useWrite('post', '/sustainable/transfers', { changes: changes.offer, idempotent: true });
  const chosen = (v: Values) => own.find((o) => idOf(o) === v.participation_identifier);
  const bounds = (of: OwnParticipation | undefined) => ({
    free: of ? freeSharesOf(of.participation) : Number.MAX_SAFE_INTEGER,
    setting: of && latest(of.project.member_offer_settings, today),
  });
  const form = (v: Values): OfferForm => ({ ...v, date: v.date ?? '', price: v.price === null ? null : v.price / 100 });
  const fields = useFields<Values>({
    changes: false, // the form starts empty
    initial: {
      participation_identifier: initialParticipation(own, search),
      offer_type: search.get('kind') === 'transfer' ? 'transfer' : '',
      buyer_email_address: '',
      number_of_shares: null,
      price: null,
      date: null,
    },
    check: (v) => wrong(checkOffer(form(v), { ...bounds(chosen(v)), today, days }), v),
  });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);

  const { values } = fields;
  const kind = values.offer_type;
  const given = kind === 'transfer';
  const save = given ? transfer : create;
  const of = chosen(values);
  const { free, setting } = bounds(of);
  const price = values.price === null ? null : floorPrice(values.price / 100);
  const allowed = useMay(given ? may.transferShares : may.createOffer);
  const disabledReason =
    of && !setting?.allow_selling
      ? text({ code: 'marketplace.selling_not_allowed' })
      : of && free === 0
        ? intl.formatMessage({
            id: 'marketplace.create.none_free',
            defaultMessage: 'All your shares here are already offered, sold or about to move.',
          })
        : undefined;

  const submit = (v: Values) => {
    const { participation_identifier, number_of_shares, date, offer_type } = v;
    const body = { participation_identifier, number_of_shares: number_of_shares ?? 0, date: date ?? '' };
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
                'We have received your {kind, select, transfer {transfer} other {offer}} and usually approve it within 2 working days. You will get an email.',
            },
            { kind: offer_type },
          ),
        });
        // 4-offer-created-navigation: closing also clears the mark of unsaved changes
        close();
        if (!below.startsWith('/my-offers')) navigate('/my-offers');
      },
      onError: (p: Problem) => fields.refuse(wrong(p.errors ?? [])),
    };
    if (offer_type === 'transfer') transfer.mutate({ body: { ...body, buyer_email_address } }, then);
    else
      create.mutate(
        {
          body: {
            ...body,
            project_code: chosen(v)?.project.project_code ?? '',
            price: floorPrice((v.price ?? 0) / 100),
            ...(offer_type === 'personal' ? { buyer_email_address } : {}),
          },
        },
        then,
      );
  };

  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      <FailedAction of={save} title="error" retry={() => submit(values)} />
      <ParticipationSelect
        {...fields.field('participation_identifier')}
        own={own}
        hint={
          of && (
            <FormattedMessage
              id="marketplace.create.free"
              defaultMessage="You can offer {free} of {share}."
              values={{ free: formatNumber(free), share: formatNumber(of.participation.share) }}
            />
          )
        }
      />
      {disabledReason && <Notice tone="warning">{disabledReason}</Notice>}
      <RadioGroup
        {...fields.field('offer_type')}
        onChange={(v) => fields.set('offer_type', v as OfferForm['offer_type'])}
        variant="card"
        required
        label={<FormattedMessage id="marketplace.create.kind" defaultMessage="Who are they for?" />}
        options={(['public', 'personal', 'transfer'] as const).map((value) => ({
          value,
          text: kindText(value),
          hint: (
            <FormattedMessage
              id="marketplace.create.hints"
              defaultMessage="{value, select, public {Every member can buy them.} personal {Only who gets the code from you can buy them.} other {Another member gets them from you.}}"
              values={{ value }}
            />
          ),
        }))}
      />
      {given && (
        <Notice>
          <FormattedMessage
            id="marketplace.transfer_contract"
            defaultMessage="The other member needs an active electricity contract with us."
          />
        </Notice>
      )}
      {(given || kind === 'personal') && (
        <TextField
          {...fields.field('buyer_email_address')}
          required
          type="email"
          disabledReason={disabledReason}
          label={<FormattedMessage id="marketplace.create.email" defaultMessage="Email address of the other member" />}
        />
      )}
      <NumberStepper
        {...fields.field('number_of_shares')}
        required
        disabledReason={disabledReason}
        min={1}
        max={of ? Math.max(1, free) : undefined}
        label={number(intl)}
      />
      {!given && (
        <MoneyField
          {...fields.field('price')}
          required
          disabledReason={disabledReason}
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
        disabledReason={disabledReason}
        today={today}
        min={today}
        max={last}
        label={
          <FormattedMessage
            id="marketplace.create.date"
            defaultMessage="{kind, select, transfer {Transfer on} other {Offer them from}}"
            values={{ kind }}
          />
        }
        hint={
          <FormattedMessage
            id="marketplace.create.until"
            defaultMessage="From today until {day}."
            values={{ day: formatDay(last) }}
          />
        }
        chips={[todayChip(intl, today)]}
      />
      {!given && price !== null && values.number_of_shares !== null && (
        <strong role="status">
          {values.number_of_shares} × {formatEuros(price)} = {formatEuros(price * values.number_of_shares)}
        </strong>
      )}
      <Footer
        busy={save.isPending}
        disabledReason={allowed.ok ? (disabledReason ?? fields.disabledReason) : allowed.reason}
        {...(allowed.ok && { fields: ['participation_identifier'] })}
      >
        {given ? kindText('transfer') : <FormattedMessage id="marketplace.create.title" defaultMessage="Create offer" />}
      </Footer>
    </Form>
  );
}

const kindText = (value: string) => (
  <FormattedMessage
    id="marketplace.create.kinds"
    defaultMessage="{value, select, public {Public offer} personal {Personal offer} other {Transfer for free}}"
    values={{ value }}
  />
);
