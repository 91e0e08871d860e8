import { useState } from 'react';
import { Button } from './button';
import { DateField } from './date-field';
import { Facts } from './facts';
import { Form, SaveButton } from './form';
import { LinkLook } from './link';
import { Sheet, SheetFooter, useSheetClose } from './sheet';
import { TextField } from './text-field';
import { showToast } from './toasts';
import { Tooltip } from './tooltip';
import { useFields } from './use-fields';

/** A whole change in a sheet, as pages make them: current value, fields, what happens next, save. */
export function KitSheet({ onClose }: { onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const fields = useFields({
    initial: { email: '', from: null as string | null },
    check: (v) => ({
      email: /^\S+@\S+\.\S+$/.test(v.email) ? undefined : 'Vul een geldig e-mailadres in.',
      from: v.from ? undefined : 'Kies een datum, bijv. 22-11-2026.',
    }),
  });
  const save = () => {
    setBusy(true);
    setTimeout(() => {
      showToast({ kind: 'alert', tone: 'good', text: 'Je wijziging is ontvangen.' });
      onClose();
    }, 800);
  };
  return (
    <Sheet title="E-mailadres wijzigen" dirty={fields.dirty} busy={busy} onClose={onClose}>
      <Form {...fields.form(save)} busy={busy}>
        <Facts stacked items={[{ label: 'Huidig e-mailadres', value: 'sanne@voorbeeld.nl' }]} />
        <TextField label="Nieuw e-mailadres" type="email" autoComplete="email" {...fields.field('email')} />
        <DateField label="Vanaf" today="2026-11-20" min="2026-11-20" {...fields.field('from')} />
        <p>
          We sturen je een e-mail om het nieuwe adres te bevestigen.{' '}
          <Tooltip text="Zo weten we zeker dat het adres van jou is.">
            <LinkLook>Waarom?</LinkLook>
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
  const close = useSheetClose();
  return (
    <Button variant="quiet" disabled={busy} onClick={close}>
      Annuleren
    </Button>
  );
}
