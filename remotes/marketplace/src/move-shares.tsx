import { type OverlayProps, useMay, useNotify, useProblemText, useSearchParams, useToday } from '@wattle/sdk';
import { Button, ErrorState, formatDay, Notice, SheetFooter, Skeleton, useSheetClose } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, NumberStepper, RadioGroup, SaveButton, Select, TextField, useFields } from '@wattle/ui/forms';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, changes, may, type Project } from './api';
import { checkMoveShares, type MoveForm, moveItem } from './move-shares.rules';
import { latest } from './offer.rules';
import { ownOf, startOf, useWrong } from './own';
import { placeLine } from './place.rules';

/** 2.3-overlay-move-shares */
export default function MoveShares(props: OverlayProps) {
  const projects = api.useGet('/sustainable/projects');
  const [first, setFirst] = useState<Project[]>();
  if (projects.data && !first) setFirst(projects.data);
  if (projects.isError) return <ErrorState onRetry={() => void projects.refetch()} retrying={projects.isFetching} />;
  if (!first) return <Skeleton shape="field" count={5} />;
  if (ownOf(first).length === 0)
    return <Notice title={<FormattedMessage id="marketplace.move.none" defaultMessage="You have no shares to move" />} />;
  return <SharesForm {...props} projects={first} />;
}

type Values = Omit<MoveForm, 'date'> & { date: string | null } & Record<string, unknown>;

function SharesForm({ projects, close, setDirty }: OverlayProps & { projects: readonly Project[] }) {
  const intl = useIntl();
  const text = useProblemText();
  const wrong = useWrong();
  const notify = useNotify();
  const cancel = useSheetClose();
  const today = useToday();
  const [search] = useSearchParams();
  const asked = useMay(may.moveShares);
  const save = api.useWrite('post', '/sustainable/participations/move', { changes: changes.move, idempotent: true });
  const own = ownOf(projects);
  const chosen = (id: string) => own.find(({ participation: p }) => p.participation_identifier === id);
  const form = (v: Values): MoveForm => ({ ...v, date: v.date ?? '' });
  const fields = useFields<Values>({
    changes: false, // it begins empty
    initial: {
      participation_identifier: startOf(own, search),
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
    check: (v) =>
      wrong(
        checkMoveShares(form(v), {
          share: chosen(v.participation_identifier)?.participation.share ?? Number.MAX_SAFE_INTEGER,
          today,
        }),
      ),
  });
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const { values } = fields;
  const of = chosen(values.participation_identifier);
  // of the same project only: shares of one project do not become those of another
  const others = own.filter((o) => o !== of && o.project === of?.project);
  const selling = !of || latest(of.project.member_offer_settings, today)?.allow_selling === true;
  const why = selling
    ? undefined
    : intl.formatMessage({ id: 'marketplace.move.closed', defaultMessage: 'Shares of this project cannot be moved now.' });
  const submit = (v: Values) =>
    save.mutate(
      { body: { date: v.date ?? '', items: [moveItem(form(v))] } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              {
                id: 'marketplace.move.done',
                defaultMessage: '{now, select, true {Your shares have been moved.} other {Your shares will move on {day}.}}',
              },
              { now: v.date === today, day: formatDay(v.date ?? today) },
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
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      <Select
        {...fields.field('participation_identifier')}
        onChange={(v) => {
          fields.set('participation_identifier', v);
          fields.set('address_key', '');
        }}
        required
        label={<FormattedMessage id="marketplace.move.which" defaultMessage="Which shares do you want to move?" />}
        empty={own.length > 1 ? intl.formatMessage({ id: 'marketplace.choose', defaultMessage: 'Choose' }) : undefined}
        options={own.map(({ participation: p, project }) => ({
          value: p.participation_identifier,
          text: `${project.project_name}, ${placeLine(p.address)}`,
        }))}
      />
      <NumberStepper
        {...fields.field('number_of_shares')}
        required
        why={why}
        min={1}
        max={of?.participation.share ?? 1}
        label={intl.formatMessage({ id: 'marketplace.number', defaultMessage: 'Shares' })}
        hint={
          of && (
            <FormattedMessage
              id="marketplace.move.have"
              defaultMessage="You have {share, plural, one {# share} other {# shares}} here; {offered, plural, =0 {none is on offer} one {# of them is on offer and stays} other {# of them are on offer and stay}}."
              values={{ share: of.participation.share, offered: of.participation.offered_share }}
            />
          )
        }
      />
      <DateField
        {...fields.field('date')}
        required
        why={why}
        today={today}
        min={today}
        label={<FormattedMessage id="marketplace.move.date" defaultMessage="From when" />}
        chips={[
          {
            text: intl.formatMessage({ id: 'marketplace.today', defaultMessage: 'today: {day}' }, { day: formatDay(today) }),
            day: today,
          },
        ]}
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
            why:
              of && others.length === 0 ? (
                <FormattedMessage
                  id="marketplace.move.no_other"
                  defaultMessage="You have shares of this project at one address only."
                />
              ) : undefined,
          },
          { value: 'new', text: <FormattedMessage id="marketplace.move.new" defaultMessage="A new address" /> },
        ]}
      />
      {values.address_type === 'existing' && (
        <Select
          {...fields.field('address_key')}
          required
          label={<FormattedMessage id="marketplace.move.address" defaultMessage="Address" />}
          empty={intl.formatMessage({ id: 'marketplace.choose', defaultMessage: 'Choose' })}
          options={others.map(({ participation: p }) => ({
            value: p.participation_identifier,
            text: placeLine(p.address),
          }))}
        />
      )}
      {values.address_type === 'new' && (
        <>
          <Line>
            <TextField
              {...fields.field('postal_code')}
              required
              autoComplete="postal-code"
              label={<FormattedMessage id="marketplace.move.zip" defaultMessage="Postal code" />}
              width={120}
            />
            <TextField
              {...fields.field('house_number')}
              required
              inputMode="numeric"
              label={<FormattedMessage id="marketplace.move.number" defaultMessage="Number" />}
              width={96}
            />
            <TextField
              {...fields.field('house_postfix')}
              label={<FormattedMessage id="marketplace.move.postfix" defaultMessage="Extension" />}
              width={120}
            />
          </Line>
          <TextField
            {...fields.field('street_name')}
            required
            autoComplete="address-line1"
            label={<FormattedMessage id="marketplace.move.street" defaultMessage="Street" />}
          />
          <TextField
            {...fields.field('city')}
            required
            autoComplete="address-level2"
            label={<FormattedMessage id="marketplace.move.city" defaultMessage="Town or city" />}
          />
        </>
      )}
      <SheetFooter>
        <SaveButton busy={save.isPending} why={asked.ok ? (why ?? fields.why) : asked.why}>
          <FormattedMessage id="marketplace.move.save" defaultMessage="Move shares" />
        </SaveButton>
        <Button variant="quiet" disabled={save.isPending} onClick={cancel}>
          <FormattedMessage id="marketplace.cancel" defaultMessage="Cancel" />
        </Button>
      </SheetFooter>
    </Form>
  );
}

const Line = styled.div`display: flex; flex-wrap: wrap; gap: 12px; > * { width: auto; }`;
