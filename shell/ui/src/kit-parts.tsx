import { useState } from 'react';
import { Badge } from './badge';
import { Button, IconButton, LinkButton } from './button';
import { Card } from './card';
import { ConfirmDialog, Dialog } from './dialog';
import { Accordion, Disclosure } from './disclosure';
import { Facts } from './facts';
import { formatNumber } from './format';
import { useSay } from './kit-say';
import { KitSheet } from './kit-sheet';
import { Grid, Row, Stack } from './layout';
import { LinkLook, TextLink } from './link';
import { Menu } from './menu';
import { Alert, Notice } from './notice';
import { Big, CivilDate, Money } from './numbers';
import { Sheet } from './sheet';
import { Skeleton } from './skeleton';
import { EmptyState, ErrorState, Result } from './states';
import { ProgressBar, Stepper, Timeline } from './stepper';
import { Segmented, Tabs } from './tabs';
import { Tip } from './tip';
import { showToast } from './toasts';
import { Tooltip } from './tooltip';

export function NextDebit() {
  const say = useSay();
  return (
    <>
      {say('per maand · volgende afschrijving', 'a month · next collection')} <CivilDate day="2026-11-28" />
    </>
  );
}

export function Buttons() {
  const say = useSay();
  return (
    <Card>
      <Stack gap={24}>
        <Row align="start">
          <Button variant="primary">{say('Opslaan', 'Save')}</Button>
          <Button>{say('Wijzigen', 'Change')}</Button>
          <Button variant="quiet">{say('Annuleren', 'Cancel')}</Button>
          <Button variant="danger" icon="remove">
            {say('Verwijderen', 'Remove')}
          </Button>
          <LinkButton href="#knoppen" iconEnd="forward">
            {say('Alle facturen', 'All invoices')}
          </LinkButton>
        </Row>
        <Row align="start">
          <Button variant="primary" loading>
            {say('Opslaan', 'Save')}
          </Button>
          <Button variant="primary" why={say('Je hebt nog niets gewijzigd.', 'You have not changed anything yet.')}>
            {say('Opslaan', 'Save')}
          </Button>
          <Button why={say('Kies eerst een adres.', 'Choose an address first.')}>{say('In winkelmand', 'Add to basket')}</Button>
          <Button small icon="download">
            Download
          </Button>
        </Row>
        <Row>
          <IconButton icon="edit" label={say('Wijzig e-mailadres', 'Change email address')} />
          <IconButton
            icon="download"
            label={say('Download factuur', 'Download invoice')}
            why={say('De factuur wordt nog gemaakt.', 'The invoice is still being made.')}
          />
          <Menu
            label={say('Meer acties', 'More actions')}
            items={[
              {
                id: 'edit',
                text: say('Wijzigen', 'Change'),
                icon: 'edit',
                onSelect: () => showToast({ kind: 'alert', tone: 'info', text: say('Wijzigen gekozen', 'Change chosen') }),
              },
              {
                id: 'get',
                text: say('Downloaden', 'Download'),
                icon: 'download',
                why: say('De factuur wordt nog gemaakt.', 'The invoice is still being made.'),
              },
              { id: 'remove', text: say('Verwijderen', 'Remove'), icon: 'remove', tone: 'danger' },
            ]}
          />
          <Tip label={say('Over deze cijfers', 'About these figures')}>
            {say('Zoek je de kosten? Bekijk', 'Looking for the costs? See')}{' '}
            <TextLink href="#knoppen">{say('je facturen', 'your invoices')}</TextLink>
          </Tip>
          <Tooltip
            text={say('Het kengetal van je meter staat ook op je factuur.', 'The number of your meter is on your invoice too.')}
          >
            <Button small variant="quiet" icon="info">
              {say('Wat is dit?', 'What is this?')}
            </Button>
          </Tooltip>
          <TextLink href="#knoppen">{say('Bekijk je contract', 'See your contract')}</TextLink>
          <TextLink href="https://example.org" external>
            {say('Voorwaarden (PDF)', 'Terms (PDF)')}
          </TextLink>
          <LinkLook>{say('Toon als tabel', 'Show as table')}</LinkLook>
        </Row>
      </Stack>
    </Card>
  );
}

export function Messages() {
  const say = useSay();
  return (
    <Stack>
      <Notice title={say('Gepland onderhoud', 'Planned maintenance')}>
        {say(
          'Op 28-11-2026 tussen 06:00 en 07:00 is deze site even niet te bereiken.',
          'This site cannot be reached on 28-11-2026 between 06:00 and 07:00.',
        )}
      </Notice>
      <Notice tone="positive">{say('Je e-mailadres is gewijzigd.', 'Your email address has been changed.')}</Notice>
      <Notice tone="warning" title={say('Je opzegtermijn loopt af', 'Your notice period is ending')} onClose={() => {}}>
        {say('Verleng vóór 01-12-2026 om je tarief te houden.', 'Renew before 01-12-2026 to keep your rate.')}
      </Notice>
      <Alert
        live={false}
        title={say('Opslaan is niet gelukt', 'Saving failed')}
        actions={<Button small>{say('Probeer opnieuw', 'Try again')}</Button>}
      >
        {say('Er is niets gewijzigd.', 'Nothing has been changed.')}
      </Alert>
      <Row>
        <Button
          small
          onClick={() =>
            showToast({
              kind: 'alert',
              tone: 'good',
              text: say('Je telefoonnummer is opgeslagen.', 'Your phone number has been saved.'),
            })
          }
        >
          {say('Gelukt', 'It worked')}
        </Button>
        <Button
          small
          onClick={() =>
            showToast({
              kind: 'alert',
              tone: 'bad',
              text: say(
                'Er ging iets mis bij het opslaan van het telefoonnummer.',
                'Something went wrong while saving the phone number.',
              ),
            })
          }
        >
          {say('Mislukt', 'Failed')}
        </Button>
        <Button
          small
          onClick={() =>
            showToast({
              kind: 'notice',
              tone: 'info',
              text: say('Er staat een nieuwe factuur voor je klaar.', 'A new invoice is waiting for you.'),
              at: 'top',
            })
          }
        >
          {say('Bericht bovenaan', 'Message on top')}
        </Button>
      </Row>
      <Row gap={8}>
        <Badge icon="edit">{say('Concept', 'Draft')}</Badge>
        <Badge tone="tint" icon="invoice">
          {say('Jaarafrekening', 'Annual statement')}
        </Badge>
        <Badge tone="positive">{say('Betaald', 'Paid')}</Badge>
        <Badge tone="warning">Open</Badge>
        <Badge tone="negative">{say('Geweigerd', 'Refused')}</Badge>
      </Row>
    </Stack>
  );
}

export function Cards() {
  const say = useSay();
  return (
    <Grid columns={2} min={320}>
      <Card
        title={say('Contactgegevens', 'Contact details')}
        actions={<IconButton icon="edit" label={say('Wijzig contactgegevens', 'Change contact details')} />}
      >
        <Facts
          items={[
            { label: say('Naam', 'Name'), value: 'S. de Wit' },
            { label: say('Debiteurnummer', 'Customer number'), value: '100234' },
            { label: say('E-mailadres', 'Email address'), value: 'sanne@voorbeeld.nl', pending: 's.dewit@voorbeeld.nl' },
            {
              label: say('Telefoon', 'Phone'),
              value: '0612345678',
              action: <IconButton icon="edit" label={say('Wijzig telefoon', 'Change phone')} />,
            },
          ]}
        />
      </Card>
      <Card
        title={say('Termijnbedrag', 'Monthly amount')}
        tone="tint"
        footer={<TextLink href="#kaarten">{say('Wijzig je termijnbedrag', 'Change your monthly amount')}</TextLink>}
      >
        <Big caption={<NextDebit />}>
          <Money cents={12_350} />
        </Big>
      </Card>
    </Grid>
  );
}

export function Opening() {
  const say = useSay();
  const [period, setPeriod] = useState<'dag' | 'week' | 'maand' | 'jaar'>('maand');
  return (
    <Stack gap={24}>
      <Segmented
        label={say('Periode', 'Period')}
        value={period}
        onChange={setPeriod}
        options={[
          { value: 'dag', text: say('Dag', 'Day') },
          { value: 'week', text: 'Week' },
          { value: 'maand', text: say('Maand', 'Month') },
          { value: 'jaar', text: say('Jaar', 'Year') },
        ]}
      />
      <Tabs
        label={say('Soort', 'Kind')}
        tabs={[
          {
            id: 'use',
            title: say('Verbruik', 'Usage'),
            content: (
              <Big unit="kWh" caption={say('12% minder dan november 2025', '12% less than November 2025')}>
                {formatNumber(312)}
              </Big>
            ),
          },
          { id: 'feed', title: say('Teruglevering', 'Feed-in'), content: <Big unit="kWh">{formatNumber(1046)}</Big> },
          { id: 'gas', title: 'Gas', content: <Big unit="m³">{formatNumber(56)}</Big> },
        ]}
      />
      <Accordion single>
        <Disclosure
          title={say('Stroom en gas, Dorpsstraat 1', 'Electricity and gas, Dorpsstraat 1')}
          summary={<Money cents={12_350} />}
          defaultOpen
        >
          {say('Vast contract tot 31-12-2027. Normaal en dal.', 'Fixed contract until 31-12-2027. Normal and off-peak.')}
        </Disclosure>
        <Disclosure title={say('Stroom, Molenweg 12', 'Electricity, Molenweg 12')} summary={<Money cents={4_200} />}>
          {say('Variabel contract.', 'Variable contract.')}
        </Disclosure>
        <Disclosure title={say('Teruglevering, Molenweg 12', 'Feed-in, Molenweg 12')}>
          {say('Je zonnepanelen leveren terug op deze aansluiting.', 'Your solar panels feed in on this connection.')}
        </Disclosure>
      </Accordion>
    </Stack>
  );
}

export function Overlays() {
  const say = useSay();
  const [open, setOpen] = useState<'sheet' | 'below' | 'dialog' | 'ask' | null>(null);
  const close = () => setOpen(null);
  return (
    <Row>
      <Button onClick={() => setOpen('sheet')}>{say('Zijvenster met wijziging', 'Sheet with a change')}</Button>
      <Button onClick={() => setOpen('below')}>{say('Van onderen', 'From below')}</Button>
      <Button onClick={() => setOpen('dialog')}>{say('Venster', 'Dialog')}</Button>
      <Button onClick={() => setOpen('ask')}>{say('Vraag', 'Question')}</Button>
      {open === 'sheet' && <KitSheet onClose={close} />}
      <Sheet title="Menu" from="bottom" isOpen={open === 'below'} onClose={close}>
        <p>{say('Rijen van 56 px.', 'Rows of 56 px.')}</p>
      </Sheet>
      <Dialog
        title={say('Uitnodiging verstuurd', 'Invitation sent')}
        isOpen={open === 'dialog'}
        onClose={close}
        actions={
          <Button variant="primary" onClick={close}>
            {say('Verder', 'Continue')}
          </Button>
        }
      >
        {say('De e-mail is binnen enkele minuten bij je.', 'The email will be with you in a few minutes.')}
      </Dialog>
      <ConfirmDialog
        title={say('Aanbod intrekken?', 'Withdraw the offer?')}
        isOpen={open === 'ask'}
        confirm={say('Intrekken', 'Withdraw')}
        tone="danger"
        onConfirm={close}
        onClose={close}
      >
        {say('Je 24 delen komen weer bij jou te staan.', 'Your 24 shares will be yours again.')}
      </ConfirmDialog>
    </Row>
  );
}

export function Waiting() {
  const say = useSay();
  return (
    <Stack gap={24}>
      <Grid columns={2} min={320}>
        <Card title={say('Laden', 'Loading')}>
          <Stack>
            <Skeleton shape="number" />
            <Skeleton count={3} />
          </Stack>
        </Card>
        <Card title={say('Mislukt', 'Failed')}>
          <ErrorState compact onRetry={() => {}} />
        </Card>
      </Grid>
      <Card>
        <EmptyState
          title={say('Nog geen facturen', 'No invoices yet')}
          action={<LinkButton href="#toestanden">{say('Naar je contract', 'To your contract')}</LinkButton>}
        >
          {say(
            'Je eerste factuur komt rond 28-11-2026. Je krijgt dan een e-mail.',
            'Your first invoice will come around 28-11-2026. You will get an email then.',
          )}
        </EmptyState>
      </Card>
      <Card>
        <ErrorState onRetry={() => {}} />
      </Card>
      <Card>
        <Result
          level={2}
          title={say('Bestelling ontvangen', 'Order received')}
          actions={
            <LinkButton variant="primary" href="#toestanden">
              {say('Betaal € 1.176,00', 'Pay € 1.176,00')}
            </LinkButton>
          }
        >
          {say('Bestelnummer 2026-00412. Betaal vóór 27-11-2026.', 'Order number 2026-00412. Pay before 27-11-2026.')}
        </Result>
      </Card>
    </Stack>
  );
}

export function Ways() {
  const say = useSay();
  return (
    <Stack gap={32}>
      <Stepper
        current={1}
        steps={[
          { title: say('Huidig adres', 'Current address'), onSelect: () => {} },
          { title: say('Nieuw adres', 'New address') },
          { title: say('Datum', 'Date') },
          { title: say('Controleren', 'Check') },
        ]}
      />
      <Timeline
        items={[
          { title: say('Besteld', 'Ordered'), text: '20-11-2026', state: 'done' },
          { title: say('Betaald', 'Paid'), text: say('Betaal vóór 27-11-2026', 'Pay before 27-11-2026'), state: 'now' },
          { title: say('Overgedragen', 'Transferred'), text: say('Op 21-12-2026', 'On 21-12-2026'), state: 'next' },
        ]}
      />
      <ProgressBar
        value={40}
        max={100}
        label={say('Gegevens ophalen', 'Fetching data')}
        text={say('We halen je meetgegevens op', 'We are fetching your meter data')}
      />
    </Stack>
  );
}
