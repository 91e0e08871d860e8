import { Button } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import {
  Checkbox,
  FieldError,
  Form,
  FormActions,
  FormErrors,
  MoneyField,
  NumberStepper,
  PasswordField,
  RadioGroup,
  Reasons,
  SaveButton,
  Select,
  SliderField,
  TextArea,
  TextField,
  useFields,
} from '@wattle/ui/forms';
import { IbanField } from '@wattle/ui/iban';
import { PhoneField } from '@wattle/ui/phone';
import { useState } from 'react';
import type { Example, Group } from './example';

export function FormExample({ say }: Example) {
  const fields = useFields({
    initial: { note: '' },
    check: (values) => ({ note: values.note ? undefined : say('Schrijf een notitie.', 'Write a note.') }),
  });
  return (
    <Form label={say('Notitie', 'Note')} {...fields.form(() => fields.reset())}>
      <TextField label={say('Notitie', 'Note')} {...fields.field('note')} />
      <FormActions>
        <SaveButton disabledReason={fields.disabledReason} />
      </FormActions>
    </Form>
  );
}

export function FormErrorsExample({ say }: Example) {
  return (
    <FormErrors errors={[{ text: say('De server kon je notitie niet bewaren.', 'The server could not save your note.') }]} />
  );
}

export function FormActionsExample({ say }: Example) {
  return (
    <FormActions>
      <Button variant="primary">{say('Versturen', 'Send')}</Button>
      <Button variant="quiet">{say('Terug', 'Back')}</Button>
    </FormActions>
  );
}

export function SaveButtonExample({ say }: Example) {
  return <SaveButton disabledReason={say('Er is nog niets gewijzigd.', 'Nothing has been changed yet.')} />;
}

export function ReasonsExample({ say }: Example) {
  return <Reasons fields={[{ field: 'gallery-town', text: say('Vul je woonplaats in', 'Fill in your town') }]} />;
}

export function FieldErrorExample({ say }: Example) {
  return <FieldError>{say('Kies minstens één dag.', 'Choose at least one day.')}</FieldError>;
}

export function TextFieldExample({ say }: Example) {
  const [town, setTown] = useState('');
  return (
    <TextField
      name="gallery-town"
      label={say('Woonplaats', 'Town')}
      hint={say('Zoals op je factuur', 'As on your invoice')}
      value={town}
      onChange={setTown}
      autoComplete="address-level2"
      width={320}
    />
  );
}

export function PasswordFieldExample({ say }: Example) {
  const [password, setPassword] = useState('');
  return (
    <PasswordField
      label={say('Nieuw wachtwoord', 'New password')}
      autoComplete="new-password"
      value={password}
      onChange={setPassword}
      width={320}
    />
  );
}

export function TextAreaExample({ say }: Example) {
  const [text, setText] = useState('');
  return <TextArea label={say('Wat is er aan de hand?', 'What is the matter?')} rows={3} value={text} onChange={setText} />;
}

export function SelectExample({ say }: Example) {
  const [kind, setKind] = useState('');
  return (
    <Select
      label={say('Soort storing', 'Kind of outage')}
      empty={say('Kies een soort', 'Choose a kind')}
      value={kind}
      onChange={setKind}
      options={[
        { value: 'power', text: say('Stroom', 'Electricity') },
        { value: 'gas', text: say('Gas', 'Gas') },
      ]}
      width={320}
    />
  );
}

export function CheckboxExample({ say }: Example) {
  const [isOn, setOn] = useState(false);
  return (
    <Checkbox checked={isOn} onChange={setOn}>
      {say('Mail me bij een storing', 'Mail me when there is an outage')}
    </Checkbox>
  );
}

export function RadioGroupExample({ say }: Example) {
  const [when, setWhen] = useState<string | null>(null);
  return (
    <RadioGroup
      label={say('Wanneer mogen we bellen?', 'When may we call?')}
      value={when}
      onChange={setWhen}
      options={[
        { value: 'morning', text: say('In de ochtend', 'In the morning') },
        { value: 'evening', text: say('In de avond', 'In the evening') },
      ]}
    />
  );
}

export function NumberStepperExample({ say }: Example) {
  const [people, setPeople] = useState<number | null>(2);
  return <NumberStepper label={say('Bewoners', 'Residents')} value={people} onChange={setPeople} min={1} max={12} />;
}

export function MoneyFieldExample({ say }: Example) {
  const [cents, setCents] = useState<number | null>(null);
  return <MoneyField label={say('Extra aflossing', 'Extra payment')} value={cents} onChange={setCents} />;
}

export function SliderFieldExample({ say }: Example) {
  const [cents, setCents] = useState<number | null>(12_000);
  return (
    <SliderField
      label={say('Nieuw bedrag per maand', 'New amount a month')}
      money
      stepper
      value={cents}
      onChange={setCents}
      min={8_000}
      max={20_000}
    />
  );
}

export function DateFieldExample({ say }: Example) {
  const [day, setDay] = useState<string | null>(null);
  return (
    <DateField label={say('Datum van je verhuizing', 'Day of your move')} value={day} onChange={setDay} today="2026-11-20" />
  );
}

export function PhoneFieldExample({ say }: Example) {
  const [phone, setPhone] = useState('');
  return <PhoneField label={say('Mobiel nummer', 'Mobile number')} value={phone} onChange={setPhone} />;
}

export function IbanFieldExample({ say }: Example) {
  const [iban, setIban] = useState('');
  return <IbanField label={say('Rekeningnummer', 'Account number')} value={iban} onChange={setIban} />;
}

export const forms: Group = {
  id: 'forms',
  title: ['Formulieren', 'Forms'],
  entries: {
    Form: {
      use: [
        'Voor elk formulier, met useFields voor waarden, fouten en de reden onder de knop.',
        'For every form, with useFields for values, errors and the reason under the button.',
      ],
      view: FormExample,
    },
    FormErrors: {
      use: [
        'Voor fouten van een formulier zonder Form; Form toont ze zelf.',
        'For errors of a form without Form; Form shows them itself.',
      ],
      view: FormErrorsExample,
    },
    FormActions: { use: ['Voor de knoppen onder een formulier.', 'For the buttons under a form.'], view: FormActionsExample },
    SaveButton: {
      use: ['Voor de verzendknop: zegt waarom het nog niet kan.', 'For the button that sends: says why it cannot be used yet.'],
      view: SaveButtonExample,
    },
    Reasons: {
      use: [
        'Voor links naar de velden die nog niet goed zijn, buiten een Form.',
        'For links to the fields that are not right yet, outside a Form.',
      ],
      view: ReasonsExample,
    },
    FieldError: {
      use: [
        'Voor de fout onder een eigen veld; velden van de kit hebben error.',
        'For the error under a field of your own; fields of the kit have error.',
      ],
      view: FieldErrorExample,
    },
    TextField: { use: ['Voor een regel tekst.', 'For one line of text.'], view: TextFieldExample },
    PasswordField: { use: ['Voor een wachtwoord.', 'For a password.'], view: PasswordFieldExample },
    TextArea: { use: ['Voor tekst van meer regels.', 'For text of several lines.'], view: TextAreaExample },
    Select: {
      use: [
        'Voor een keuze uit meer dan vijf, of uit een bekende lijst.',
        'For a choice of more than five, or from a known list.',
      ],
      view: SelectExample,
    },
    Checkbox: {
      use: ['Voor ja of nee, dat pas geldt na verzenden.', 'For yes or no that applies once it is sent.'],
      view: CheckboxExample,
    },
    RadioGroup: { use: ['Voor een keuze uit twee tot vijf.', 'For a choice of two to five.'], view: RadioGroupExample },
    NumberStepper: { use: ['Voor een klein geheel getal.', 'For a small whole number.'], view: NumberStepperExample },
    MoneyField: {
      use: ['Voor een bedrag; de waarde is in centen.', 'For an amount; its value is in cents.'],
      view: MoneyFieldExample,
    },
    SliderField: {
      use: ['Voor een bedrag of getal tussen grenzen.', 'For an amount or number between bounds.'],
      view: SliderFieldExample,
    },
    DateField: {
      use: [
        'Voor een dag, getypt of gekozen; today komt van useToday.',
        'For a day, typed or picked; today is that of useToday.',
      ],
      view: DateFieldExample,
    },
    PhoneField: { use: ['Voor een telefoonnummer.', 'For a phone number.'], view: PhoneFieldExample },
    IbanField: {
      use: ['Voor een rekeningnummer; controleer het met isIban.', 'For an account number; check it with isIban.'],
      view: IbanFieldExample,
    },
  },
};
