import {
  Alert,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  ErrorState,
  LinkButton,
  Notice,
  ProgressBar,
  Result,
  Row,
  Sheet,
  SheetFooter,
  Skeleton,
  Stepper,
  showToast,
  Timeline,
} from '@wattle/ui';
import { useState } from 'react';
import type { Example, Group } from './example';

export function NoticeExample({ say }: Example) {
  return (
    <Notice tone="warning" title={say('Werk aan het net', 'Work on the grid')}>
      {say('Op 28-11-2026 is er van 09:00 tot 11:00 geen stroom.', 'There is no power on 28-11-2026 from 09:00 to 11:00.')}
    </Notice>
  );
}

export function AlertExample({ say }: Example) {
  return (
    <Alert live={false} title={say('Je adres is niet opgeslagen', 'Your address was not saved')}>
      {say('Controleer je verbinding en probeer het opnieuw.', 'Check your connection, and try again.')}
    </Alert>
  );
}

export function ToastsExample({ say }: Example) {
  // the portal's frame contains <Toasts /> once
  return (
    <Button
      onClick={() => showToast({ kind: 'alert', tone: 'good', text: say('Je notitie is bewaard.', 'Your note has been saved.') })}
    >
      {say('Bewaar de notitie', 'Save the note')}
    </Button>
  );
}

export function SkeletonExample({ say }: Example) {
  return <Skeleton shape="row" count={2} label={say('De storingen worden geladen', 'The outages are loading')} />;
}

export function EmptyStateExample({ say }: Example) {
  return (
    <EmptyState
      title={say('Nog geen notities', 'No notes yet')}
      action={<Button>{say('Schrijf je eerste notitie', 'Write your first note')}</Button>}
    >
      {say('Alleen jij ziet je notities.', 'Only you see your notes.')}
    </EmptyState>
  );
}

export function ErrorStateExample({ say }: Example) {
  const [tries, setTries] = useState(0);
  return (
    <ErrorState
      compact
      title={say('De storingen zijn niet geladen', 'The outages could not be loaded')}
      onRetry={() => setTries(tries + 1)}
    />
  );
}

export function ResultExample({ say }: Example) {
  return (
    <Result
      level={2}
      title={say('Je verhuizing is doorgegeven', 'Your move has been received')}
      actions={<LinkButton href="/dashboard">{say('Naar je overzicht', 'To your overview')}</LinkButton>}
    >
      {say('Je krijgt binnen een dag een bevestiging.', 'You will get a confirmation within a day.')}
    </Result>
  );
}

export function StepperExample({ say }: Example) {
  return (
    <Stepper
      current={1}
      label={say('Verhuizen', 'Moving')}
      steps={[{ title: say('Adres', 'Address') }, { title: say('Datum', 'Date') }, { title: say('Controle', 'Check') }]}
    />
  );
}

export function TimelineExample({ say }: Example) {
  return (
    <Timeline
      items={[
        { title: say('Gemeld', 'Reported'), text: '09:12', state: 'done' },
        { title: say('Monteur onderweg', 'Engineer on the way'), state: 'now' },
        { title: say('Hersteld', 'Restored'), text: say('Naar verwachting 11:00', 'Expected at 11:00'), state: 'next' },
      ]}
    />
  );
}

export function ProgressBarExample({ say }: Example) {
  return (
    <ProgressBar
      value={3}
      max={12}
      label={say('Maanden opgehaald', 'Months fetched')}
      text={say('3 van 12 maanden', '3 of 12 months')}
    />
  );
}

export function SheetExample({ say }: Example) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('Wijzig je adres', 'Change your address')}</Button>
      <Sheet title={say('Adres wijzigen', 'Change address')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{say('Hier staat het formulier.', 'The form is here.')}</p>
      </Sheet>
    </>
  );
}

export function SheetFooterExample({ say }: Example) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('Open een venster met een balk', 'Open a sheet with a bar')}</Button>
      <Sheet title={say('Notitie', 'Note')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{say('De balk blijft onderaan staan.', 'The bar stays at the bottom.')}</p>
        <SheetFooter>
          <Button variant="primary" onClick={() => setOpen(false)}>
            {say('Bewaren', 'Save')}
          </Button>
        </SheetFooter>
      </Sheet>
    </>
  );
}

export function DialogExample({ say }: Example) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('Bekijk de uitleg', 'See the explanation')}</Button>
      <Dialog
        title={say('Wat is een storing?', 'What is an outage?')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={<Button onClick={() => setOpen(false)}>{say('Duidelijk', 'Clear')}</Button>}
      >
        {say('Een storing is een onderbreking die niet gepland was.', 'An outage is an interruption that was not planned.')}
      </Dialog>
    </>
  );
}

export function ConfirmDialogExample({ say }: Example) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Row>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {say('Verwijder de notitie', 'Delete the note')}
      </Button>
      <ConfirmDialog
        title={say('Notitie verwijderen?', 'Delete the note?')}
        isOpen={isOpen}
        confirm={say('Verwijderen', 'Delete')}
        tone="danger"
        onConfirm={() => setOpen(false)}
        onClose={() => setOpen(false)}
      >
        {say('Je kunt dit niet ongedaan maken.', 'This cannot be undone.')}
      </ConfirmDialog>
    </Row>
  );
}

export const states: Group = {
  id: 'states',
  title: ['Meldingen, toestanden en vensters', 'Notices, states and overlays'],
  entries: {
    Notice: {
      use: ['Voor een melding die op de pagina blijft staan.', 'For a message that stays on the page.'],
      view: NoticeExample,
    },
    Alert: {
      use: [
        'Voor een fout op de pagina; een schermlezer leest hem voor.',
        'For an error on the page; a screen reader reads it out.',
      ],
      view: AlertExample,
    },
    Toasts: {
      use: [
        'Voor de uitkomst van een actie: roep showToast aan. De schil tekent de plaats één keer.',
        'For the result of an action: call showToast. The shell draws the place once.',
      ],
      view: ToastsExample,
    },
    Skeleton: {
      use: ['Zolang inhoud laadt; houdt haar plaats vrij.', 'While content loads; keeps its place.'],
      view: SkeletonExample,
    },
    EmptyState: {
      use: [
        'Als er nog niets is: zeg wat er komt en wat de klant kan doen.',
        'When there is nothing yet: say what comes, and what the customer can do.',
      ],
      view: EmptyStateExample,
    },
    ErrorState: {
      use: ['In plaats van inhoud die niet geladen kon worden.', 'In place of content that could not be loaded.'],
      view: ErrorStateExample,
    },
    Result: { use: ['Als einde van een wizard of bestelling.', 'As the end of a wizard or an order.'], view: ResultExample },
    Stepper: { use: ['Voor de stappen van een wizard.', 'For the steps of a wizard.'], view: StepperExample },
    Timeline: {
      use: ['Voor wat er gebeurd is en nog gaat gebeuren.', 'For what has happened, and what is still to come.'],
      view: TimelineExample,
    },
    ProgressBar: {
      use: ['Voor iets wat duurt en waarvan het einde bekend is.', 'For what takes a while and has a known end.'],
      view: ProgressBarExample,
    },
    Sheet: {
      use: ['Voor een formulier of details boven de pagina.', 'For a form or details above the page.'],
      view: SheetExample,
    },
    SheetFooter: { use: ['Voor de knoppen van een Sheet.', 'For the buttons of a Sheet.'], view: SheetFooterExample },
    Dialog: {
      use: ['Voor een korte tekst die eerst gelezen moet worden.', 'For a short text that must be read first.'],
      view: DialogExample,
    },
    ConfirmDialog: {
      use: ['Voor een vraag vóór iets wat niet terug kan.', 'For a question before something that cannot be undone.'],
      view: ConfirmDialogExample,
    },
  },
};
