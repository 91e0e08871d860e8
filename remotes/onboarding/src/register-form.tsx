import { type Problem, useNavigate, usePortal, useProblemText, useSettings, useToday, useUnsaved } from '@wattle/sdk';
import { Alert, Section, type SectionProps, TextLink, VisuallyHidden } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, FormActions, RadioGroup, SaveButton, TextField, useFields, type Wrong } from '@wattle/ui/forms';
import { IbanField } from '@wattle/ui/iban';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type LookupAddress, unknownAddressFields, useAddressCheck, useLookUp } from './address-check';
import { AddressFields } from './address-fields';
import { api, type OnboardingSettings } from './api';
import { useProof } from './proof';
import { checkRegistration, empty, type Field, type Gender, gendersOf, normalize, type Registration } from './registration.rules';
import { useFieldText } from './use-field-text';

/** Returns whether the proof of work must be renewed after a problem. */
const needsNewProof = (problem: Problem) => ['onboarding.proof_invalid', 'onboarding.proof_needed'].includes(problem.code);

/** 2.4-register-fields. After submission, the pending page is shown (2.4-register-success). */
export function RegisterForm() {
  const intl = useIntl();
  const textAt = useFieldText();
  const today = useToday();
  const navigate = useNavigate();
  const { label } = usePortal();
  const { gender_other: hasOther } = useSettings<OnboardingSettings>();
  const proof = useProof();
  const [form] = useState(() => crypto.randomUUID());
  // a form is one registration, even if the response was lost; the server treats a corrected form as a different one
  const save = api.useWrite('post', '/account/request', { changes: [], idempotent: form });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [sent, setSent] = useState(false);
  const [trap, setTrap] = useState('');
  // The address for which the server itself returned 404, which may be newer than the check in the form.
  const [refused, setRefused] = useState<LookupAddress>();

  const address = useAddressCheck();
  const byHand = (values: LookupAddress) => address.of(values).state === 'down';
  const unknown = (values: LookupAddress) =>
    address.of(values).state === 'unknown' || (refused && sameAddress(refused, values)) ? unknownAddressFields(values) : [];
  const fields = useFields<Registration>({
    changes: false, // the form starts empty
    initial: empty,
    check: (values) => {
      const given = normalize(values);
      const codes = checkRegistration(given, today, hasOther);
      if (byHand(values)) for (const name of ['street', 'city'] as const) if (given[name] === '') codes[name] = 'required';
      for (const name of unknown(values)) codes[name] ??= 'onboarding.address_unknown';
      return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, textAt(name, code)])) as Wrong<Registration>;
    },
  });
  useLookUp(address, fields.values);
  useUnsaved(fields.dirty && !sent);
  const { start } = proof;
  useEffect(() => {
    if (fields.dirty) start(); // starts early, so that it has finished when the last field has been filled in
  }, [fields.dirty, start]);
  useEffect(() => {
    // after the mark of unsaved changes has been cleared
    if (sent) navigate('/pending-page', { replace: true, state: { asked: 'account' } });
  }, [sent, navigate]);

  const send = async (values: Registration, again: boolean): Promise<void> => {
    const { street, city, gender, ...given } = normalize(values);
    try {
      await save.mutateAsync({
        body: {
          ...given,
          gender: gender as Gender,
          ...(byHand(values) ? { street, city } : {}),
          label_key: label.key,
          website: trap,
          ...(await proof.done()),
        },
      });
      setSent(true);
    } catch (cause) {
      const failed = cause as Problem;
      if (needsNewProof(failed)) {
        proof.renew();
        if (again) return send(values, false);
      }
      setProblem(failed);
      if (failed.status === 404) setRefused(values);
      else
        fields.refuse(
          Object.fromEntries(
            (failed.errors ?? []).filter((e) => e.field in empty).map((e) => [e.field, textAt(e.field, e.code)]),
          ) as Wrong<Registration>,
        );
    }
  };
  const submit = (values: Registration) => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    void send(values, true).finally(() => setBusy(false));
  };

  const plain = (name: Field) => fields.field(name) as ReturnType<typeof fields.field<Field>> & { value: string };
  const gender: Record<Gender, string> = {
    FEMALE: intl.formatMessage({ id: 'onboarding.gender.female', defaultMessage: 'Female' }),
    MALE: intl.formatMessage({ id: 'onboarding.gender.male', defaultMessage: 'Male' }),
    OTHER: intl.formatMessage({ id: 'onboarding.gender.other', defaultMessage: 'Other, or prefer not to say' }),
  };
  return (
    <Form busy={busy} {...fields.form(submit)}>
      {problem && <Failed problem={problem} />}
      <Part title={<FormattedMessage id="onboarding.register.you" defaultMessage="Who you are" />}>
        <RadioGroup
          {...plain('gender')}
          required
          label={<FormattedMessage id="onboarding.gender" defaultMessage="Gender" />}
          options={gendersOf(hasOther).map((value) => ({ value, text: gender[value] }))}
        />
        <Pair>
          <TextField
            {...plain('initials')}
            required
            spellCheck={false}
            autoComplete="off"
            label={<FormattedMessage id="onboarding.initials" defaultMessage="Initials" />}
          />
          <TextField
            {...plain('preferred_name')}
            required
            spellCheck={false}
            autoComplete="given-name"
            label={<FormattedMessage id="onboarding.preferred_name" defaultMessage="Preferred name" />}
          />
        </Pair>
        <Pair>
          <TextField
            {...plain('prefix')}
            optional
            spellCheck={false}
            autoComplete="off"
            label={<FormattedMessage id="onboarding.prefix" defaultMessage="Prefix" />}
          />
          <TextField
            {...plain('last_name')}
            required
            spellCheck={false}
            autoComplete="family-name"
            label={<FormattedMessage id="onboarding.last_name" defaultMessage="Last name" />}
          />
        </Pair>
        <DateField
          {...plain('birth_date')}
          value={fields.values.birth_date || null}
          onChange={(day, typed) => fields.set('birth_date', day ?? typed)}
          required
          today={today}
          min="1900-01-01"
          max={today}
          autoComplete="bday"
          label={<FormattedMessage id="onboarding.birth_date" defaultMessage="Date of birth" />}
        />
      </Part>
      <Part title={<FormattedMessage id="onboarding.register.reach" defaultMessage="How we reach you" />}>
        <TextField
          {...plain('email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          label={<FormattedMessage id="onboarding.email" defaultMessage="Email address" />}
          hint={
            <FormattedMessage
              id="onboarding.email.hint"
              defaultMessage="We first send a link to it, to check that it is yours."
            />
          }
        />
        <TextField
          {...plain('phone_number')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={20}
          width={320}
          required
          label={<FormattedMessage id="onboarding.phone_number" defaultMessage="Phone number" />}
        />
      </Part>
      <Part title={<FormattedMessage id="onboarding.register.address" defaultMessage="Where you live" />}>
        <AddressFields fields={fields} values={fields.values} check={address} unknown={unknown(fields.values)} />
        {byHand(fields.values) && (
          <>
            <TextField
              {...plain('street')}
              required
              autoComplete="off"
              label={<FormattedMessage id="onboarding.street" defaultMessage="Street" />}
            />
            <TextField
              {...plain('city')}
              required
              autoComplete="address-level2"
              label={<FormattedMessage id="onboarding.city" defaultMessage="Town" />}
            />
          </>
        )}
      </Part>
      <Part title={<FormattedMessage id="onboarding.register.bank" defaultMessage="What you pay from" />}>
        <IbanField
          {...plain('bank_account_number')}
          required
          label={<FormattedMessage id="onboarding.iban" defaultMessage="Account number (IBAN)" />}
        />
        <TextField
          {...plain('bank_account_name')}
          required
          autoComplete="name"
          label={<FormattedMessage id="onboarding.bank_account_name" defaultMessage="Name on the account" />}
          hint={<FormattedMessage id="onboarding.bank_account_name.hint" defaultMessage="As it stands on your bank card." />}
        />
      </Part>
      {/* A honeypot for bots: people cannot see, focus or hear this field. */}
      <VisuallyHidden aria-hidden="true">
        <input name="website" tabIndex={-1} autoComplete="off" value={trap} onChange={(e) => setTrap(e.target.value)} />
      </VisuallyHidden>
      <Quiet>
        <FormattedMessage
          id="onboarding.register.next"
          defaultMessage="We use what you fill in here only to judge your request and to make your account."
        />{' '}
        {label.privacyUrl && (
          <TextLink href={label.privacyUrl} external>
            <FormattedMessage id="onboarding.privacy" defaultMessage="How we treat your data" />
          </TextLink>
        )}
      </Quiet>
      <Actions>
        <SaveButton busy={busy} disabledReason={fields.disabledReason}>
          <FormattedMessage id="onboarding.register.save" defaultMessage="Send request" />
        </SaveButton>
      </Actions>
    </Form>
  );
}

const sameAddress = (a: LookupAddress, b: LookupAddress): boolean =>
  (['zip_code', 'house_number', 'house_number_extension'] as const).every((name) => a[name] === b[name]);

/** The summary of a failed registration; the errors are shown at their fields. */
function Failed({ problem }: { problem: Problem }) {
  const text = useProblemText();
  return (
    <Alert title={<FormattedMessage id="onboarding.register.failed" defaultMessage="Your request has not been sent" />}>
      {problem.errors?.length || problem.status === 404 ? (
        <FormattedMessage
          id="onboarding.register.refused"
          defaultMessage="What you filled in is still here. Look at the fields that are marked."
        />
      ) : (
        text(problem)
      )}
    </Alert>
  );
}

/** A group of fields with a heading. */
function Part({ title, children }: Pick<SectionProps, 'title' | 'children'>) {
  return (
    <Section title={title}>
      <Fields>{children}</Fields>
    </Section>
  );
}

const Fields = styled.div`display: flex; flex-direction: column; gap: 24px; margin-bottom: 16px;`;
const Pair = styled.div`
  display: grid; grid-template-columns: 240px minmax(0, 1fr); gap: 24px 16px; align-items: start;
  @media (max-width: 767px) { grid-template-columns: minmax(0, 1fr); }
`;
/** A new form does not say yet what is missing (9-register-quiet). */
const Actions = styled(FormActions)`form:not(:has([aria-invalid='true'])) & [data-reason] { display: none; }`;
const Quiet = styled.p`color: var(--w-text-quiet); font-size: 14px;`;
