import { useState } from 'react';
import { Button } from './button';
import { DateField } from './date-field';
import { Facts } from './facts';
import { Form, SaveButton } from './form';
import { useSay } from './kit-say';
import { LinkLook } from './link';
import { Sheet, SheetFooter, useSheetClose } from './sheet';
import { TextField } from './text-field';
import { showToast } from './toasts';
import { Tooltip } from './tooltip';
import { useFields } from './use-fields';

/** A complete change form in a sheet: current value, fields, what happens next, save. */
export function KitSheet({ onClose }: { onClose(): void }) {
  const say = useSay();
  const [busy, setBusy] = useState(false);
  const fields = useFields({
    initial: { email: '', from: null as string | null },
    check: (v) => ({
      email: /^\S+@\S+\.\S+$/.test(v.email) ? undefined : say('Vul een geldig e-mailadres in.', 'Enter a valid email address.'),
      from: v.from ? undefined : say('Kies een datum, bijv. 22-11-2026.', 'Choose a date, e.g. 22-11-2026.'),
    }),
  });
  const save = () => {
    setBusy(true);
    setTimeout(() => {
      showToast({ kind: 'alert', tone: 'good', text: say('Je wijziging is ontvangen.', 'Your change has been received.') });
      onClose();
    }, 800);
  };
  return (
    <Sheet title={say('E-mailadres wijzigen', 'Change email address')} dirty={fields.dirty} busy={busy} onClose={onClose}>
      <Form {...fields.form(save)} busy={busy}>
        <Facts stacked items={[{ label: say('Huidig e-mailadres', 'Current email address'), value: 'sanne@voorbeeld.nl' }]} />
        <TextField
          label={say('Nieuw e-mailadres', 'New email address')}
          type="email"
          autoComplete="email"
          {...fields.field('email')}
        />
        <DateField label={say('Vanaf', 'From')} today="2026-11-20" min="2026-11-20" {...fields.field('from')} />
        <p>
          {say(
            'We sturen je een e-mail om het nieuwe adres te bevestigen.',
            'We will send you an email to confirm the new address.',
          )}{' '}
          <Tooltip text={say('Zo weten we zeker dat het adres van jou is.', 'This way we know that the address is yours.')}>
            <LinkLook>{say('Waarom?', 'Why?')}</LinkLook>
          </Tooltip>
        </p>
        <SheetFooter>
          <SaveButton why={fields.why} busy={busy} />
          <Cancel busy={busy} />
        </SheetFooter>
      </Form>
    </Sheet>
  );
}

function Cancel({ busy }: { busy: boolean }) {
  const say = useSay();
  const close = useSheetClose();
  return (
    <Button variant="quiet" disabled={busy} onClick={close}>
      {say('Annuleren', 'Cancel')}
    </Button>
  );
}
