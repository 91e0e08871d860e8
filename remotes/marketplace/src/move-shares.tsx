import { type OverlayProps, useMay, useNotify, useProblemText, useSearchParams, useToday } from '@wattle/sdk';
import { formatDay, Row } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, NumberStepper, RadioGroup, Select, TextField, useFields } from '@wattle/ui/forms';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, may } from './api';
import { checkMoveShares, type MoveForm, moveItem } from './move-shares.rules';
import { latest } from './offer.rules';
import {
  choose,
  Footer,
  idOf,
  initialParticipation,
  number,
  type OwnParticipation,
  OwnShares,
  ParticipationSelect,
  todayChip,
  useErrorTexts,
} from './own';
import { placeLine } from './place.rules';

/** 2.3-overlay-move-shares */
export default function MoveShares(props: OverlayProps) {
  return <OwnShares>{(own) => <SharesForm {...props} own={own} />}</OwnShares>;
}

type Values = Omit<MoveForm, 'date'> & { date: string | null } & Record<string, unknown>;
const form = (v: Values): MoveForm => ({ ...v, date: v.date ?? '' });

function SharesForm({ own, close, setDirty }: OverlayProps & { own: readonly OwnParticipation[] }) {
  const intl = useIntl();
  const text = useProblemText();
  const wrong = useErrorTexts();
  const notify = useNotify();
  const [search] = useSearchParams();
  const today = useToday();
  const allowed = useMay(may.moveShares);
  const save = api.useWrite('post', '/sustainable/participations/move', { changes: changes.move, idempotent: true });
  const chosen = (v: Values) => own.find((o) => idOf(o) === v.participation_identifier);
  const fields = useFields<Values>({
    changes: false, // the form starts empty
    initial: {
      participation_identifier: initialParticipation(own, search),
      number_of_shares: null,
      date: null,
      address_type: '',
      address_key: '',
      city: '',
      house_number: '',
      house_postfix: '',
      postal_code: '',
      street_name: '',
    },
    check: (v) => wrong(checkMoveShares(form(v), { share: chosen(v)?.participation.share ?? Number.MAX_SAFE_INTEGER, today })),
  });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const { values } = fields;
  const of = chosen(values);
  // shares can only move within a project
  const others = own.filter((o) => o !== of && o.project === of?.project);
  const disabledReason =
    of && !latest(of.project.member_offer_settings, today)?.allow_selling
      ? intl.formatMessage({
          id: 'marketplace.move.closed',
          defaultMessage: 'Shares of this project cannot be moved now.',
        })
      : undefined;
  const submit = (v: Values) => {
    const day = v.date ?? today;
    save.mutate(
      { body: { date: day, items: [moveItem(form(v))] } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              { id: 'marketplace.move.done', defaultMessage: 'Your shares move on {day}.' },
              { day: formatDay(day) },
            ),
          });
          close();
        },
        // 8-move-shares-failed
        onError: (p) => {
          const reasons = new Set([{ code: 'unexpected' }, ...(p.errors ?? [p])].map(text));
          notify({ kind: 'alert', tone: 'bad', text: [...reasons].join(' ') });
          close();
        },
      },
    );
  };
  const typed = (
    name: 'postal_code' | 'house_number' | 'house_postfix' | 'street_name' | 'city',
    autoComplete: string,
    width?: number,
  ) => (
    <TextField
      {...fields.field(name)}
      required={name !== 'house_postfix'}
      autoComplete={autoComplete}
      width={width}
      label={
        <FormattedMessage
          id="marketplace.move.part"
          defaultMessage="{name, select, postal_code {Postal code} house_number {Number} house_postfix {Extension} street_name {Street} other {Town or city}}"
          values={{ name }}
        />
      }
    />
  );
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      <ParticipationSelect
        {...fields.field('participation_identifier')}
        own={own}
        onChange={(v) => {
          fields.set('participation_identifier', v);
          fields.set('address_key', '');
        }}
      />
      <NumberStepper
        {...fields.field('number_of_shares')}
        required
        disabledReason={disabledReason}
        min={1}
        max={of?.participation.share}
        label={number(intl)}
        hint={
          of && (
            <FormattedMessage
              id="marketplace.move.have"
              defaultMessage="You have {share} here; {offered} of them are on offer and stay."
              values={{ share: of.participation.share, offered: of.participation.offered_share }}
            />
          )
        }
      />
      <DateField
        {...fields.field('date')}
        required
        disabledReason={disabledReason}
        today={today}
        min={today}
        label={<FormattedMessage id="marketplace.move.date" defaultMessage="From when" />}
        chips={[todayChip(intl, today)]}
      />
      <RadioGroup
        {...fields.field('address_type')}
        onChange={(v) => fields.set('address_type', v as MoveForm['address_type'])}
        required
        label={<FormattedMessage id="marketplace.move.where" defaultMessage="To which address?" />}
        options={[
          {
            value: 'existing',
            text: <FormattedMessage id="marketplace.move.existing" defaultMessage="An address where you have shares" />,
            disabledReason: of && others.length === 0 && (
              <FormattedMessage
                id="marketplace.move.no_other"
                defaultMessage="You have shares of this project at one address only."
              />
            ),
          },
          { value: 'new', text: <FormattedMessage id="marketplace.move.new" defaultMessage="A new address" /> },
        ]}
      />
      {values.address_type === 'existing' && (
        <Select
          {...fields.field('address_key')}
          required
          label={<FormattedMessage id="marketplace.address.empty" defaultMessage="Choose an address" />}
          empty={choose(intl)}
          options={others.map((o) => ({ value: idOf(o), text: placeLine(o.participation.address) }))}
        />
      )}
      {values.address_type === 'new' && (
        <>
          <Row gap={12} align="start">
            {typed('postal_code', 'postal-code', 120)}
            {typed('house_number', 'off', 96)}
            {typed('house_postfix', 'off', 120)}
          </Row>
          {typed('street_name', 'address-line1')}
          {typed('city', 'address-level2')}
        </>
      )}
      <Footer
        busy={save.isPending}
        disabledReason={allowed.ok ? (disabledReason ?? fields.disabledReason) : allowed.reason}
        {...(allowed.ok && { fields: ['participation_identifier'] })}
      >
        <FormattedMessage id="marketplace.move.title" defaultMessage="Move shares" />
      </Footer>
    </Form>
  );
}
