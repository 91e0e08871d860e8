import { useState } from 'react';
import { Button } from './button';
import { Card } from './card';
import { Checkbox, RadioGroup, Select } from './choice';
import { DateField } from './date-field';
import { Form, FormActions, SaveButton } from './form';
import { IbanField } from './iban-field';
import { useSay } from './kit-say';
import { Grid, Stack } from './layout';
import { MoneyField, NumberStepper } from './number-fields';
import { PhoneField } from './phone-field';
import { SliderField } from './slider-field';
import { PasswordField, TextArea, TextField } from './text-field';
import { useFields } from './use-fields';

const noop = () => {};

/** The section of fields in /dev/kit. */
export function KitForms() {
  const say = useSay();
  return (
    <Stack gap={24}>
      <Working />
      <Values />
      <Card title={say('Toestanden', 'States')} level={3}>
        <Grid columns={2} min={280} gap={24}>
          <TextField
            label={say('Gewoon', 'Plain')}
            hint={say('Zoals op je factuur', 'As on your invoice')}
            value=""
            onChange={noop}
            placeholder={say('Bijv. 100234', 'E.g. 100234')}
          />
          <TextField
            label={say('Fout', 'Wrong')}
            value="sanne@"
            onChange={noop}
            error={say('Vul een geldig e-mailadres in.', 'Enter a valid email address.')}
          />
          <TextField
            label={say('Niet te wijzigen', 'Cannot be changed')}
            value="sannedewit"
            onChange={noop}
            why={say('Je wijziging wordt al verwerkt.', 'Your change is being processed already.')}
          />
          <TextField label={say('Verbruik', 'Usage')} optional value="2450" onChange={noop} inputMode="numeric" after="kWh" />
          <PasswordField label={say('Wachtwoord', 'Password')} autoComplete="current-password" value="geheim1A" onChange={noop} />
          <Select
            label={say('Onderwerp', 'Subject')}
            value=""
            onChange={noop}
            empty={say('Kies een onderwerp', 'Choose a subject')}
            options={[]}
            error={say('Kies een onderwerp.', 'Choose a subject.')}
          />
        </Grid>
      </Card>
    </Stack>
  );
}

/** A working form: press the button to see the summary of errors and the reason under Save. */
function Working() {
  const say = useSay();
  const [busy, setBusy] = useState(false);
  const fields = useFields({
    initial: { email: 'sanne@voorbeeld.nl', subject: 'usage', text: '' },
    check: (v) => ({
      email: /^\S+@\S+\.\S+$/.test(v.email) ? undefined : say('Vul een geldig e-mailadres in.', 'Enter a valid email address.'),
      text: v.text.length >= 10 ? undefined : say('Schrijf minstens 10 tekens.', 'Write at least 10 characters.'),
    }),
  });
  return (
    <Card title={say('Een werkend formulier', 'A working form')} level={3}>
      <Form
        label={say('Voorbeeld', 'Example')}
        busy={busy}
        {...fields.form(() => {
          setBusy(true);
          setTimeout(() => {
            setBusy(false);
            fields.reset();
          }, 1500);
        })}
      >
        <TextField
          label={say('E-mailadres', 'Email address')}
          type="email"
          autoComplete="email"
          width={400}
          {...fields.field('email')}
        />
        <Select
          label={say('Onderwerp', 'Subject')}
          width={400}
          options={[
            { value: 'payments', text: say('Betalingen', 'Payments') },
            { value: 'usage', text: say('Verbruik', 'Usage') },
            { value: 'other', text: say('Anders', 'Other') },
          ]}
          {...fields.field('subject')}
        />
        <TextArea label={say('Je bericht', 'Your message')} rows={3} {...fields.field('text')} />
        <FormActions>
          <SaveButton busy={busy} why={fields.why}>
            {say('Versturen', 'Send')}
          </SaveButton>
          <Button variant="quiet" disabled={busy} onClick={() => fields.reset()}>
            {say('Annuleren', 'Cancel')}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function Values() {
  const say = useSay();
  const [phone, setPhone] = useState('+31612345678');
  const [day, setDay] = useState<string | null>('2026-11-22');
  const [cents, setCents] = useState<number | null>(123_450);
  const [iban, setIban] = useState('NL91ABNA0417164300');
  const [shares, setShares] = useState<number | null>(24);
  const [amount, setAmount] = useState<number | null>(13_500);
  const [way, setWay] = useState<string>('mail');
  const [agreed, setAgreed] = useState(true);
  return (
    <Card title={say('Waarden', 'Values')} level={3}>
      <Grid columns={2} min={280} gap={24}>
        <PhoneField label={say('Telefoonnummer', 'Phone number')} value={phone} onChange={setPhone} />
        <DateField
          label={say('Verhuisdatum', 'Moving date')}
          hint={say('Dag, maand en jaar, bijv. 20-11-2026', 'Day, month and year, e.g. 20-11-2026')}
          value={day}
          onChange={setDay}
          today="2026-11-20"
          min="2026-11-20"
          chips={[{ text: say('zo snel mogelijk: 22-11-2026', 'as soon as possible: 22-11-2026'), day: '2026-11-22' }]}
        />
        <MoneyField label={say('Bedrag', 'Amount')} value={cents} onChange={setCents} />
        <IbanField label={say('Nieuw IBAN', 'New IBAN')} value={iban} onChange={setIban} />
        <NumberStepper label={say('Aantal delen', 'Number of shares')} value={shares} onChange={setShares} min={1} max={100} />
        <div style={{ gridColumn: '1 / -1' }}>
          <SliderField
            label={say('Termijnbedrag', 'Monthly amount')}
            money
            stepper
            value={amount}
            onChange={setAmount}
            min={9_200}
            max={21_450}
            marker={{ value: 12_780, text: say('Ons advies: € 127,80', 'Our advice: € 127,80') }}
            error={
              amount !== null && amount >= 9_200 && amount <= 21_450
                ? undefined
                : say('Kies een bedrag van € 92 tot en met € 214,50.', 'Choose an amount from € 92 to € 214,50.')
            }
          />
        </div>
        <RadioGroup
          label={say('Hoe wil je het horen?', 'How would you like to hear it?')}
          look="card"
          value={way}
          onChange={setWay}
          options={[
            {
              value: 'mail',
              text: say('Per e-mail', 'By email'),
              hint: say('Meestal binnen 5 minuten', 'Usually within 5 minutes'),
            },
            { value: 'post', text: say('Per post', 'By post'), hint: say('Binnen 3 werkdagen', 'Within 3 working days') },
            {
              value: 'app',
              text: say('Per sms', 'By text message'),
              why: say('Vul eerst een mobiel nummer in.', 'Enter a mobile number first.'),
            },
          ]}
        />
        <Stack gap={4}>
          <RadioGroup
            label={say('Aanhef', 'Salutation')}
            value={way}
            onChange={setWay}
            options={[
              { value: 'mail', text: say('Mevrouw', 'Ms') },
              { value: 'post', text: say('De heer', 'Mr') },
            ]}
          />
          <Checkbox checked={agreed} onChange={setAgreed}>
            {say('Ik ga akkoord met de', 'I agree to the')} <a href="#velden">{say('voorwaarden (PDF)', 'terms (PDF)')}</a>
          </Checkbox>
          <Checkbox
            checked={false}
            onChange={noop}
            error={say('Geef toestemming om verder te gaan.', 'Give your consent to go on.')}
          >
            {say('Ik geef toestemming voor meetgegevens', 'I consent to the use of meter data')}
          </Checkbox>
          <Checkbox checked onChange={noop} why={say('Dit hoort bij je contract.', 'This is part of your contract.')}>
            {say('Papieren jaarafrekening', 'Annual statement on paper')}
          </Checkbox>
        </Stack>
      </Grid>
    </Card>
  );
}
