import { useProblemText } from '@wattle/sdk';
import { Button, Icon, LinkLook, Notice, Stack, VisuallyHidden } from '@wattle/ui';
import { afterPress, Checkbox, Form, focusFirstError, SaveButton, Select, TextField, useFields } from '@wattle/ui/forms';
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { normalizeExtension, normalizeZip, splitNumber, streetLine, townLine, zipLine } from './address.rules';
import { commoditiesOf } from './agreement.rules';
import { Choices } from './choices';
import { OtherEnergy } from './other-energy';
import type { PageProps } from './page-props';
import { Energy, OfflineReason, Quiet, StepTitle, WizardActions } from './texts';
import { useSaveDraft } from './use-save-draft';
import { checkAddresses, type Draft, isLookedUp, type Lookup, othersOf, placesOf } from './wizard.rules';

type Values = Pick<Draft, 'zipCode' | 'houseNumber' | 'extension' | 'street' | 'city' | 'residential' | 'post'>;
/** The form field for each error of the validator; errors about the whole address are shown below the row. */
const fieldOf = {
  zipCode: 'new_address.zip_code',
  houseNumber: 'new_address.house_number',
  extension: 'new_address.house_number_extension',
  street: 'new_address.street',
  city: 'new_address.city',
} as const;

/** Page 1: the old and the new address (2.2-page1). */
export function AddressPage({ draft, keep, known, chosen, go, heading, refused }: PageProps) {
  const intl = useIntl();
  const text = useProblemText();
  const fields = useFields<Values>({
    initial: {
      zipCode: draft.zipCode,
      houseNumber: draft.houseNumber,
      extension: draft.extension,
      street: draft.street,
      city: draft.city,
      residential: draft.residential,
      post: draft.post,
    },
    changes: false,
    check: (v) => {
      const wrong = checkAddresses({ ...draft, ...v }, known);
      const say = (name: keyof typeof fieldOf, required: string) => {
        const code = wrong.find((w) => w.field === fieldOf[name])?.code;
        return code === 'move.required' ? required : code && text({ code });
      };
      return {
        zipCode: say(
          'zipCode',
          intl.formatMessage({ id: 'move.zip_required', defaultMessage: 'Fill in the postal code, for example 1234 AB.' }),
        ),
        houseNumber: say(
          'houseNumber',
          intl.formatMessage({ id: 'move.number_required', defaultMessage: 'Fill in the house number.' }),
        ),
        extension: say('extension', ''),
        street: say('street', intl.formatMessage({ id: 'move.street_required', defaultMessage: 'Fill in the street.' })),
        city: say('city', intl.formatMessage({ id: 'move.city_required', defaultMessage: 'Fill in the city.' })),
      };
    },
  });
  useSaveDraft(fields.values, keep);
  const { values } = fields;
  const group = useId();
  const { lookup } = known;
  const wrong = checkAddresses({ ...draft, ...values }, known);
  const whole = wrong.find((w) => w.field === 'new_address')?.code;
  const [place] = placesOf(chosen); // an agreement with several addresses cannot be moved online

  // The server's errors are set once, at their fields.
  const { refuse } = fields;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the server has refused the move
  useEffect(() => {
    if (!refused) return;
    const found = (Object.keys(fieldOf) as (keyof typeof fieldOf)[]).flatMap((name) => {
      const error = refused.errors?.find((e) => e.field === fieldOf[name]);
      return error ? [[name, text(error)] as const] : [];
    });
    refuse(Object.fromEntries(found));
  }, [refused]);

  /** A field was left, which has started a lookup. */
  const isLeft = useRef(false);
  /** 5.2-lookup-trigger: starts when postal code or number loses focus and both are filled in. */
  const startLookup = () => {
    const { number, extension } = splitNumber(values.houseNumber);
    const zipCode = normalizeZip(values.zipCode);
    if (zipCode !== '' && zipLine(zipCode) !== values.zipCode) fields.set('zipCode', zipLine(zipCode));
    if (zipCode === '' || number === '') return;
    const entered = { zipCode, houseNumber: number };
    const known = isLookedUp({ asked: draft.asked, ...entered });
    if (known && extension === null) return;
    fields.set('houseNumber', number);
    fields.set('extension', extension);
    isLeft.current = true;
    keep({ asked: entered, zipCode: zipLine(zipCode), houseNumber: number, extension });
  };
  const awaited =
    whole === 'move.address_awaited' && (lookup.state === 'idle' || lookup.state === 'loading' || lookup.state === 'busy');
  const [isWaiting, setWaiting] = useState(false);
  const retried = useRef(false);
  const top = useRef<HTMLDivElement>(null);
  /** 9-move-one-press: pressing Next waits for a lookup that it starts or that is in progress, and then continues. */
  const next = () => {
    if (!awaited) return go(2);
    startLookup();
    retried.current = lookup.state === 'busy';
    if (lookup.state === 'busy') lookup.retry();
    setWaiting(true);
  };
  const { onRefused: showErrors } = fields.form(next);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the lookup that Next waits for has ended
  useEffect(() => {
    const wasRetried = retried.current;
    if (lookup.state === 'loading') retried.current = false;
    if (!isWaiting || lookup.state === 'loading' || (lookup.state === 'busy' && wasRetried)) return;
    setWaiting(false);
    const form = top.current?.closest('form') ?? null;
    if (wrong.length === 0) go(2);
    else if (lookup.state === 'down') form?.querySelector<HTMLElement>('[name="street"]')?.focus();
    else if (whole === 'move.address_unknown' || lookup.state === 'choose') {
      showErrors();
      focusFirstError(form);
    }
  }, [isWaiting, lookup.state]);
  const zip = fields.field('zipCode');
  const number = fields.field('houseNumber');
  const extension = fields.field('extension');
  const choosing = lookup.state === 'choose'; // this error is shown even before a blur
  const alternatives = 'alternatives' in lookup ? lookup.alternatives : [];
  const list = useRef<HTMLSelectElement>(null);
  // 9-move-extension: the list appears before the control to which focus has moved from the house number, so Tab would skip it
  useEffect(() => {
    if (!choosing || !isLeft.current) return;
    isLeft.current = false;
    const at = document.activeElement;
    if (at === document.body || (at?.matches('button') && top.current?.closest('form')?.contains(at))) list.current?.focus();
  }, [choosing]);
  const problems = [
    zip.error,
    number.error,
    choosing ? text({ code: 'move.multiple_addresses' }) : extension.error,
    whole === 'move.address_unknown' && text({ code: whole }),
    lookup.state === 'busy' && text({ code: 'too_many_calls' }),
  ].filter(Boolean);
  const unknown = whole === 'move.address_unknown' ? text({ code: whole }) : undefined;
  const announcement = choosing
    ? text({ code: 'move.multiple_addresses' })
    : lookup.state === 'busy'
      ? text({ code: 'too_many_calls' })
      : unknown;
  const address = lookup.state === 'found' ? lookup.address : undefined;
  const byHand = lookup.state === 'down';
  // the errors are shown above; the button only refers to them
  const blocked =
    whole && offline.includes(whole)
      ? 'move.offline'
      : !byHand && !awaited && wrong.length > 0
        ? 'move.address_awaited'
        : undefined;
  const disabledReason = blocked ? text({ code: blocked }) : fields.disabledReason;
  return (
    <Form busy={isWaiting} {...fields.form(next)}>
      <StepTitle heading={heading}>
        <FormattedMessage id="move.address.title" defaultMessage="Where are you moving to?" />
      </StepTitle>
      {place && (
        <Old role="group" aria-labelledby={`${group}-old`}>
          <strong id={`${group}-old`}>
            <FormattedMessage id="move.old_address" defaultMessage="Old address" />
          </strong>{' '}
          <span>
            {streetLine(place)}, <span>{townLine(place)}</span> · <Energy commodities={commoditiesOf(place.connections)} />
          </span>
        </Old>
      )}
      <Group role="group" aria-labelledby={group} ref={top}>
        <strong id={group}>
          <FormattedMessage id="move.new_address" defaultMessage="New address" />
        </strong>
        <AddressRow>
          <TextField
            {...zip}
            error={zip.error ?? unknown}
            required
            autoComplete="shipping postal-code"
            maxLength={10}
            placeholder="1234 AB"
            onBlur={() => {
              zip.onBlur();
              afterPress(startLookup);
            }}
            label={<FormattedMessage id="move.zip" defaultMessage="Postal code" />}
          />
          <TextField
            {...number}
            error={number.error ?? unknown}
            required
            inputMode="numeric"
            autoComplete="off"
            maxLength={12}
            onBlur={() => {
              number.onBlur();
              afterPress(startLookup);
            }}
            label={<FormattedMessage id="move.number" defaultMessage="House number" />}
          />
          {alternatives.length > 0 ? (
            <Extension
              ref={list}
              value={values.extension}
              error={choosing ? text({ code: 'move.multiple_addresses' }) : extension.error}
              alternatives={alternatives}
              onChange={(value) => fields.set('extension', value)}
            />
          ) : (
            (byHand || extension.error || (unknown && values.extension)) && (
              <TypedExtension
                value={values.extension ?? ''}
                error={extension.error ?? unknown}
                isKeptAtOnce={byHand}
                onChange={(value) => fields.set('extension', value)}
              />
            )
          )}
        </AddressRow>
        {problems.length > 0 && (
          <Problems aria-hidden="true">
            {[...new Set(problems)].map((p) => (
              <div key={String(p)}>
                <Icon name="alert" size={16} />
                <span>{p}</span>
              </div>
            ))}
          </Problems>
        )}
        {lookup.state === 'idle' && (
          <Quiet>
            <FormattedMessage
              id="move.extension_later"
              defaultMessage="Does the house number have an extension? You choose it as soon as we have found the address."
            />
          </Quiet>
        )}
        <Status role="status">
          {lookup.state === 'loading' && (
            <Searching>
              <FormattedMessage id="move.looking" defaultMessage="We are looking up the address…" />
            </Searching>
          )}
          {announcement && <VisuallyHidden>{announcement}</VisuallyHidden>}
          {address && (
            <FoundCard data-found>
              <Icon name={whole ? 'pin' : 'check'} size={24} />
              <div>
                <strong>{streetLine(address)}</strong>
                <div>{townLine(address)}</div>
                {lookup.state === 'found' && (
                  <small>
                    <Energy
                      commodities={commoditiesOf(
                        (['ELECTRICITY', 'GAS'] as const).flatMap((commodity) =>
                          lookup.eans[commodity].map(() => ({ commodity })),
                        ),
                      )}
                    />
                  </small>
                )}
              </div>
            </FoundCard>
          )}
        </Status>
        <WholeProblem code={whole} />
        {!whole && <OtherEnergy others={othersOf(chosen, known)} live />}
        {byHand && <RegisterDown lookup={lookup} />}
        {byHand && (
          <>
            <TextField
              {...fields.field('street')}
              required
              maxLength={80}
              autoComplete="off"
              label={<FormattedMessage id="move.street" defaultMessage="Street" />}
            />
            <TextField
              {...fields.field('city')}
              required
              maxLength={80}
              autoComplete="shipping address-level2"
              label={<FormattedMessage id="move.city" defaultMessage="City" />}
            />
          </>
        )}
      </Group>
      {((address && !whole) || byHand) && (
        <Stack gap={4}>
          <Checkbox {...fields.box('post')}>
            <FormattedMessage id="move.post" defaultMessage="From then on, send invoices and post to your new address" />
          </Checkbox>
          <Checkbox
            {...fields.box('residential')}
            hint={
              <FormattedMessage
                id="move.residential_hint"
                defaultMessage="For a building in which people live or work you pay less energy tax."
              />
            }
          >
            <FormattedMessage id="move.residential" defaultMessage="People live or work at the new address" />
          </Checkbox>
        </Stack>
      )}
      <Choices draft={draft} known={known} chosen={chosen} />
      <WizardActions $says={blocked === 'move.offline'}>
        <Button icon="left" onClick={() => go(0)}>
          <FormattedMessage id="move.back" defaultMessage="Back" />
        </Button>
        <SaveButton iconEnd="forward" busy={isWaiting} disabledReason={disabledReason} fields={['zipCode']}>
          {intl.formatMessage({ id: 'move.next', defaultMessage: 'Next' })}
        </SaveButton>
      </WizardActions>
    </Form>
  );
}

/** A choice from the extensions at this house number (4-lookup-states). */
function Extension(p: {
  ref: Ref<HTMLSelectElement>;
  value: string | null;
  error: string | undefined;
  alternatives: readonly string[];
  onChange(value: string | null): void;
}) {
  const intl = useIntl();
  const chosen =
    p.value === null ? undefined : p.alternatives.find((a) => normalizeExtension(a) === normalizeExtension(p.value ?? ''));
  return (
    <Select
      ref={p.ref}
      label={<FormattedMessage id="move.extension" defaultMessage="Extension" />}
      name="extension"
      error={p.error}
      value={chosen === undefined ? '' : `=${chosen}`}
      empty={intl.formatMessage({ id: 'move.extension_choose', defaultMessage: 'Choose' })}
      options={p.alternatives.map((a) => ({
        value: `=${a}`,
        text: a || intl.formatMessage({ id: 'move.extension_none', defaultMessage: 'none' }),
      }))}
      onChange={(value) => p.onChange(value === '' ? null : value.slice(1))}
    />
  );
}

/**
 * An extension that the register does not know, or any while it is unavailable. `isKeptAtOnce` keeps every letter; otherwise each
 * would be looked up, so it is kept when the field loses focus.
 */
function TypedExtension(p: {
  value: string;
  error: string | undefined;
  isKeptAtOnce: boolean;
  onChange(value: string | null): void;
}) {
  const [typed, setTyped] = useState(p.value);
  return (
    <TextField
      name="extension"
      value={typed}
      error={p.error}
      maxLength={20}
      autoComplete="off"
      onChange={(value) => {
        setTyped(value);
        if (p.isKeptAtOnce) p.onChange(value);
      }}
      onBlur={() => {
        if (!p.isKeptAtOnce) afterPress(() => p.onChange(typed.trim() || null));
      }}
      label={<FormattedMessage id="move.extension" defaultMessage="Extension" />}
    />
  );
}

/** Errors that the customer cannot correct online. */
const offline = ['move.multiple_connections', 'move.different_connections', 'move.existing_agreement'];

/** Why a move to this address is impossible online: two connections, different connections, or an agreement at that address. */
function WholeProblem({ code }: { code: string | undefined }): ReactNode {
  const text = useProblemText();
  return code && offline.includes(code) ? <OfflineReason title={text({ code })} /> : null;
}

/** 4-addr-lookup-down */
function RegisterDown({ lookup }: { lookup: Extract<Lookup, { state: 'down' }> }) {
  const text = useProblemText();
  return (
    <Notice tone="warning" live title={text({ code: 'move.register_down' })}>
      <FormattedMessage
        id="move.down_text"
        defaultMessage="Nothing of what you typed is lost. Our colleagues check the address before they process your move."
      />{' '}
      <LinkLook onClick={lookup.retry} aria-disabled={lookup.retrying || undefined}>
        <FormattedMessage id="move.look_again" defaultMessage="Look it up again" />
      </LinkLook>
    </Notice>
  );
}

/** The names of both groups are quieter than the labels of the fields. */
const Old = styled.div`> strong { display: block; font-size: 14px; font-weight: 400; color: var(--w-text-quiet); } span span { white-space: nowrap; }`;
const Group = styled.div`display: flex; flex-direction: column; gap: 16px; min-width: 0; > strong { margin-bottom: -8px; font-size: 14px; font-weight: 400; color: var(--w-text-quiet); }`;
const Status = styled.div`&:empty { margin-top: -16px; }`;
/** Postal code, number and extension in one row; their errors are below it, because the columns are too narrow. */
const AddressRow = styled.div`
  display: grid; grid-template-columns: 120px 128px 136px; gap: 12px; align-items: end;
  [id$='-error'] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  > * { position: relative; }
  @media (max-width: 400px) { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px; }
`;
const Problems = styled.div`
  display: flex; flex-direction: column; gap: 4px; margin-top: -8px; font-size: 14px; color: var(--w-negative);
  > div { display: flex; gap: 6px; } svg { margin-top: 3px; flex: none; }
`;
const Searching = styled.p`color: var(--w-text-quiet); font-size: 14px;`;
const FoundCard = styled.div`
  display: flex; gap: 12px; padding: 16px; border-radius: var(--w-radius); background: var(--w-tint);
  > svg { flex: none; color: var(--w-primary-ink); } strong { font-weight: 600; } small { font-size: 14px; color: var(--w-text-quiet); }
`;
