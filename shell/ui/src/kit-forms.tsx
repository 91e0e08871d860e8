import { useState } from 'react';
import { Button } from './button';
import { Card } from './card';
import { Checkbox, RadioGroup, Select } from './choice';
import { DateField } from './date-field';
import { Form, FormActions, SaveButton } from './form';
import { Grid, Stack } from './layout';
import { MoneyField, NumberStepper } from './number-fields';
import { PhoneField } from './phone-field';
import { SliderField } from './slider-field';
import { PasswordField, TextArea, TextField } from './text-field';
import { useFields } from './use-fields';

const noop = () => {};

/** The fields' shelf of /dev/kit. */
export function KitForms() {
  return (
    <Stack gap={24}>
      <Working />
      <Values />
      <Card title="Toestanden" level={3}>
        <Grid columns={2} min={280} gap={24}>
          <TextField label="Gewoon" hint="Zoals op je factuur" value="" onChange={noop} placeholder="Bijv. 100234" />
          <TextField label="Fout" value="sanne@" onChange={noop} error="Vul een geldig e-mailadres in." />
          <TextField label="Niet te wijzigen" value="sannedewit" onChange={noop} why="Je wijziging wordt al verwerkt." />
          <TextField label="Verbruik" optional value="2450" onChange={noop} inputMode="numeric" after="kWh" />
          <PasswordField label="Wachtwoord" autoComplete="current-password" value="geheim1A" onChange={noop} />
          <Select
            label="Onderwerp"
            value=""
            onChange={noop}
            empty="Kies een onderwerp"
            options={[]}
            error="Kies een onderwerp."
          />
        </Grid>
      </Card>
    </Stack>
  );
}

/** Refuses, sums up, says why it cannot be saved: press the button to see. */
function Working() {
  const [busy, setBusy] = useState(false);
  const fields = useFields({
    initial: { email: 'sanne@voorbeeld.nl', subject: 'usage', text: '' },
    check: (v) => ({
      email: /^\S+@\S+\.\S+$/.test(v.email) ? undefined : 'Vul een geldig e-mailadres in.',
      text: v.text.length >= 10 ? undefined : 'Schrijf minstens 10 tekens.',
    }),
  });
  return (
    <Card title="Een werkend formulier" level={3}>
      <Form
        label="Voorbeeld"
        busy={busy}
        {...fields.form(() => {
          setBusy(true);
          setTimeout(() => {
            setBusy(false);
            fields.reset();
          }, 1500);
        })}
      >
        <TextField label="E-mailadres" type="email" autoComplete="email" width={400} {...fields.field('email')} />
        <Select
          label="Onderwerp"
          width={400}
          options={[
            { value: 'payments', text: 'Betalingen' },
            { value: 'usage', text: 'Verbruik' },
            { value: 'other', text: 'Anders' },
          ]}
          {...fields.field('subject')}
        />
        <TextArea label="Je bericht" rows={3} {...fields.field('text')} />
        <FormActions>
          <SaveButton busy={busy} why={fields.why}>
            Versturen
          </SaveButton>
          <Button variant="quiet" disabled={busy} onClick={() => fields.reset()}>
            Annuleren
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function Values() {
  const [phone, setPhone] = useState('+31612345678');
  const [day, setDay] = useState<string | null>('2026-11-22');
  const [cents, setCents] = useState<number | null>(123_450);
  const [shares, setShares] = useState<number | null>(24);
  const [amount, setAmount] = useState<number | null>(13_500);
  const [way, setWay] = useState<string>('mail');
  const [agreed, setAgreed] = useState(true);
  return (
    <Card title="Waarden" level={3}>
      <Grid columns={2} min={280} gap={24}>
        <PhoneField label="Telefoonnummer" value={phone} onChange={setPhone} />
        <DateField
          label="Verhuisdatum"
          hint="Dag, maand en jaar, bijv. 20-11-2026"
          value={day}
          onChange={setDay}
          today="2026-11-20"
          min="2026-11-20"
          chips={[{ text: 'zo snel mogelijk: 22-11-2026', day: '2026-11-22' }]}
        />
        <MoneyField label="Bedrag" value={cents} onChange={setCents} />
        <NumberStepper label="Aantal delen" value={shares} onChange={setShares} min={1} max={100} />
        <div style={{ gridColumn: '1 / -1' }}>
          <SliderField
            label="Termijnbedrag"
            money
            stepper
            value={amount}
            onChange={setAmount}
            min={9_200}
            max={21_450}
            marker={{ value: 12_780, text: 'Ons advies: € 127,80' }}
            error={
              amount !== null && amount >= 9_200 && amount <= 21_450 ? undefined : 'Kies een bedrag van € 92 tot en met € 214,50.'
            }
          />
        </div>
        <RadioGroup
          label="Hoe wil je het horen?"
          look="card"
          value={way}
          onChange={setWay}
          options={[
            { value: 'mail', text: 'Per e-mail', hint: 'Meestal binnen 5 minuten' },
            { value: 'post', text: 'Per post', hint: 'Binnen 3 werkdagen' },
            { value: 'app', text: 'Per sms', why: 'Vul eerst een mobiel nummer in.' },
          ]}
        />
        <Stack gap={4}>
          <RadioGroup
            label="Aanhef"
            value={way}
            onChange={setWay}
            options={[
              { value: 'mail', text: 'Mevrouw' },
              { value: 'post', text: 'De heer' },
            ]}
          />
          <Checkbox checked={agreed} onChange={setAgreed}>
            Ik ga akkoord met de <a href="#velden">voorwaarden (PDF)</a>
          </Checkbox>
          <Checkbox checked={false} onChange={noop} error="Geef toestemming om verder te gaan.">
            Ik geef toestemming voor meetgegevens
          </Checkbox>
          <Checkbox checked onChange={noop} why="Dit hoort bij je contract.">
            Papieren jaarafrekening
          </Checkbox>
        </Stack>
      </Grid>
    </Card>
  );
}
