import { type ReactNode, useState } from 'react';
import styled from 'styled-components';
import { Badge } from './badge';
import { Button, IconButton, LinkButton } from './button';
import { Card } from './card';
import { ConfirmDialog, Dialog } from './dialog';
import { Accordion, Disclosure } from './disclosure';
import { Facts } from './facts';
import { formatNumber } from './format';
import { Icon, type IconName } from './icon';
import { icons } from './icons';
import { first } from './icons-first';
import { Illustration, type IllustrationName } from './illustration';
import { KitForms } from './kit-forms';
import { KitSheet } from './kit-sheet';
import { KitTable } from './kit-table';
import { Grid, Row, Stack } from './layout';
import { LinkLook, TextLink } from './link';
import { Menu } from './menu';
import { Alert, Notice } from './notice';
import { Big, CivilDate, Energy, Money } from './numbers';
import { Page } from './page';
import { Sheet } from './sheet';
import { Skeleton } from './skeleton';
import { EmptyState, ErrorState, Result } from './states';
import { Stepper, Timeline } from './stepper';
import { Segmented, Tabs } from './tabs';
import { showToast } from './toasts';
import { Tooltip } from './tooltip';

/** Every part of the kit in every state, in the colours of the label that is open. For developers: demo mode only, at /dev/kit. */
export default function KitPage() {
  return (
    <Page
      width="wide"
      title="Bouwdoos"
      sentence="Alles waarmee een scherm wordt getekend, in alle toestanden en in de kleuren van dit label."
    >
      <Split>
        <Contents aria-label="Inhoud">
          {parts.map((part) => (
            <a key={part.id} href={`#${part.id}`}>
              {part.title}
            </a>
          ))}
        </Contents>
        <Stack gap={48}>
          {parts.map((part) => (
            <Shelf key={part.id} id={part.id} aria-labelledby={`${part.id}-title`}>
              <h2 id={`${part.id}-title`}>{part.title}</h2>
              {part.note && <p>{part.note}</p>}
              {part.content}
            </Shelf>
          ))}
        </Stack>
      </Split>
    </Page>
  );
}

const nextDebit = (
  <>
    per maand · volgende afschrijving <CivilDate day="2026-11-28" />
  </>
);

function Colours() {
  const roles =
    'header primary primary-hover primary-pressed primary-ink accent accent-2 page surface tint tint-strong text text-quiet line control-line positive positive-tint warning warning-tint negative negative-tint row-odd row-even chart-1 chart-2 chart-3 chart-4 chart-5 chart-6'.split(
      ' ',
    );
  return (
    <Grid columns={4} min={140} gap={12}>
      {roles.map((role) => (
        <Swatch key={role}>
          <i style={{ background: `var(--w-${role})` }} />
          {role}
        </Swatch>
      ))}
    </Grid>
  );
}

function Letters() {
  return (
    <Card>
      <Stack gap={12}>
        <Big caption={nextDebit}>
          <Money cents={12_350} />
        </Big>
        <span style={{ fontSize: 28, fontWeight: 600, lineHeight: 1.2 }}>Goedemorgen, mevrouw De Wit</span>
        <span style={{ fontSize: 20, fontWeight: 600 }}>Jouw laatste facturen</span>
        <p>We verwerken dit meestal binnen 2 werkdagen. Je krijgt een e-mail zodra het klaar is.</p>
        <small style={{ fontSize: 14, color: 'var(--w-text-quiet)' }}>
          Bijgewerkt <CivilDate day="2026-11-20" />, 09:15
        </small>
        <Row gap={24}>
          <Money cents={123_450} />
          <Money cents={-1250} credit />
          <Energy value={1234} unit="kWh" />
          <Energy value={56} unit="m³" />
          <Energy value={1.8} unit="MW" />
        </Row>
      </Stack>
    </Card>
  );
}

function Buttons() {
  return (
    <Card>
      <Stack gap={24}>
        <Row align="start">
          <Button variant="primary">Opslaan</Button>
          <Button>Wijzigen</Button>
          <Button variant="quiet">Annuleren</Button>
          <Button variant="danger" icon="remove">
            Verwijderen
          </Button>
          <LinkButton href="#knoppen" iconEnd="forward">
            Alle facturen
          </LinkButton>
        </Row>
        <Row align="start">
          <Button variant="primary" loading>
            Opslaan
          </Button>
          <Button variant="primary" why="Je hebt nog niets gewijzigd.">
            Opslaan
          </Button>
          <Button why="Kies eerst een adres.">In winkelmand</Button>
          <Button small icon="download">
            Download
          </Button>
        </Row>
        <Row>
          <IconButton icon="edit" label="Wijzig e-mailadres" />
          <IconButton icon="download" label="Download factuur" why="De factuur wordt nog gemaakt." />
          <Menu
            label="Meer acties"
            items={[
              {
                id: 'edit',
                text: 'Wijzigen',
                icon: 'edit',
                onSelect: () => showToast({ kind: 'alert', tone: 'info', text: 'Wijzigen gekozen' }),
              },
              { id: 'get', text: 'Downloaden', icon: 'download', why: 'De factuur wordt nog gemaakt.' },
              { id: 'remove', text: 'Verwijderen', icon: 'remove', tone: 'danger' },
            ]}
          />
          <Tooltip text="Het kengetal van je meter staat ook op je factuur.">
            <Button small variant="quiet" icon="info">
              Wat is dit?
            </Button>
          </Tooltip>
          <TextLink href="#knoppen">Bekijk je contract</TextLink>
          <TextLink href="https://example.org" external>
            Voorwaarden (PDF)
          </TextLink>
          <LinkLook>Toon als tabel</LinkLook>
        </Row>
      </Stack>
    </Card>
  );
}

function Messages() {
  return (
    <Stack>
      <Notice title="Gepland onderhoud">Op 28-11-2026 tussen 06:00 en 07:00 is deze site even niet te bereiken.</Notice>
      <Notice tone="positive">Je e-mailadres is gewijzigd.</Notice>
      <Notice tone="warning" title="Je opzegtermijn loopt af" onClose={() => {}}>
        Verleng vóór 01-12-2026 om je tarief te houden.
      </Notice>
      <Alert live={false} title="Opslaan is niet gelukt" actions={<Button small>Probeer opnieuw</Button>}>
        Er is niets gewijzigd.
      </Alert>
      <Row>
        <Button small onClick={() => showToast({ kind: 'alert', tone: 'good', text: 'Je telefoonnummer is opgeslagen.' })}>
          Gelukt
        </Button>
        <Button
          small
          onClick={() =>
            showToast({ kind: 'alert', tone: 'bad', text: 'Er ging iets mis bij het opslaan van het telefoonnummer.' })
          }
        >
          Mislukt
        </Button>
        <Button
          small
          onClick={() =>
            showToast({ kind: 'notice', tone: 'info', text: 'Er staat een nieuwe factuur voor je klaar.', at: 'top' })
          }
        >
          Bericht bovenaan
        </Button>
      </Row>
      <Row gap={8}>
        <Badge>Concept</Badge>
        <Badge tone="tint">Jaarafrekening</Badge>
        <Badge tone="positive">Betaald</Badge>
        <Badge tone="warning">Open</Badge>
        <Badge tone="negative">Geweigerd</Badge>
      </Row>
    </Stack>
  );
}

function Cards() {
  return (
    <Grid columns={2} min={320}>
      <Card title="Contactgegevens" actions={<IconButton icon="edit" label="Wijzig contactgegevens" />}>
        <Facts
          items={[
            { label: 'Naam', value: 'S. de Wit' },
            { label: 'Debiteurnummer', value: '100234' },
            { label: 'E-mailadres', value: 'sanne@voorbeeld.nl', pending: 's.dewit@voorbeeld.nl' },
            { label: 'Telefoon', value: '0612345678', action: <IconButton icon="edit" label="Wijzig telefoon" /> },
          ]}
        />
      </Card>
      <Card title="Termijnbedrag" tone="tint" footer={<TextLink href="#kaarten">Wijzig je termijnbedrag</TextLink>}>
        <Big caption={nextDebit}>
          <Money cents={12_350} />
        </Big>
      </Card>
    </Grid>
  );
}

function Opening() {
  const [period, setPeriod] = useState<'dag' | 'week' | 'maand' | 'jaar'>('maand');
  return (
    <Stack gap={24}>
      <Segmented
        label="Periode"
        value={period}
        onChange={setPeriod}
        options={[
          { value: 'dag', text: 'Dag' },
          { value: 'week', text: 'Week' },
          { value: 'maand', text: 'Maand' },
          { value: 'jaar', text: 'Jaar' },
        ]}
      />
      <Tabs
        label="Soort"
        tabs={[
          {
            id: 'use',
            title: 'Verbruik',
            content: (
              <Big unit="kWh" caption="12% minder dan november 2025">
                {formatNumber(312)}
              </Big>
            ),
          },
          { id: 'feed', title: 'Teruglevering', content: <Big unit="kWh">{formatNumber(1046)}</Big> },
          { id: 'gas', title: 'Gas', content: <Big unit="m³">{formatNumber(56)}</Big> },
        ]}
      />
      <Accordion single>
        <Disclosure title="Stroom en gas, Dorpsstraat 1" summary={<Money cents={12_350} />} defaultOpen>
          Vast contract tot 31-12-2027. Normaal en dal.
        </Disclosure>
        <Disclosure title="Stroom, Molenweg 12" summary={<Money cents={4_200} />}>
          Variabel contract.
        </Disclosure>
        <Disclosure title="Teruglevering, Molenweg 12">Je zonnepanelen leveren terug op deze aansluiting.</Disclosure>
      </Accordion>
    </Stack>
  );
}

function Overlays() {
  const [open, setOpen] = useState<'sheet' | 'below' | 'dialog' | 'ask' | null>(null);
  const close = () => setOpen(null);
  return (
    <Row>
      <Button onClick={() => setOpen('sheet')}>Zijvenster met wijziging</Button>
      <Button onClick={() => setOpen('below')}>Van onderen</Button>
      <Button onClick={() => setOpen('dialog')}>Venster</Button>
      <Button onClick={() => setOpen('ask')}>Vraag</Button>
      {open === 'sheet' && <KitSheet onClose={close} />}
      <Sheet title="Menu" from="bottom" isOpen={open === 'below'} onClose={close}>
        <p>Rijen van 56 px.</p>
      </Sheet>
      <Dialog
        title="Uitnodiging verstuurd"
        isOpen={open === 'dialog'}
        onClose={close}
        actions={
          <Button variant="primary" onClick={close}>
            Verder
          </Button>
        }
      >
        De e-mail is binnen enkele minuten bij je.
      </Dialog>
      <ConfirmDialog
        title="Aanbod intrekken?"
        isOpen={open === 'ask'}
        confirm="Intrekken"
        tone="danger"
        onConfirm={close}
        onClose={close}
      >
        Je 24 delen komen weer bij jou te staan.
      </ConfirmDialog>
    </Row>
  );
}

function Waiting() {
  return (
    <Stack gap={24}>
      <Grid columns={2} min={320}>
        <Card title="Laden">
          <Stack>
            <Skeleton shape="number" />
            <Skeleton count={3} />
          </Stack>
        </Card>
        <Card title="Mislukt">
          <ErrorState compact onRetry={() => {}} />
        </Card>
      </Grid>
      <Card>
        <EmptyState title="Nog geen facturen" action={<LinkButton href="#toestanden">Naar je contract</LinkButton>}>
          Je eerste factuur komt rond 28-11-2026. Je krijgt dan een e-mail.
        </EmptyState>
      </Card>
      <Card>
        <ErrorState onRetry={() => {}} />
      </Card>
      <Card>
        <Result
          title="Bestelling ontvangen"
          actions={
            <LinkButton variant="primary" href="#toestanden">
              Betaal € 1.176,00
            </LinkButton>
          }
        >
          Bestelnummer 2026-00412. Betaal vóór 27-11-2026.
        </Result>
      </Card>
    </Stack>
  );
}

function Ways() {
  return (
    <Stack gap={32}>
      <Stepper
        current={1}
        steps={[
          { title: 'Huidig adres', onSelect: () => {} },
          { title: 'Nieuw adres' },
          { title: 'Datum' },
          { title: 'Controleren' },
        ]}
      />
      <Timeline
        items={[
          { title: 'Besteld', text: '20-11-2026', state: 'done' },
          { title: 'Betaald', text: 'Betaal vóór 27-11-2026', state: 'now' },
          { title: 'Overgedragen', text: 'Op 21-12-2026', state: 'next' },
        ]}
      />
    </Stack>
  );
}

function Pictures() {
  const drawings: IllustrationName[] = ['empty', 'error', 'sent', 'mill', 'sun', 'house'];
  const all = [...Object.keys(first), ...Object.keys(icons)].sort() as IconName[];
  return (
    <Stack gap={24}>
      <Grid columns={3} min={180}>
        {drawings.map((name) => (
          <Card key={name} style={{ alignItems: 'center', color: 'var(--w-text-quiet)' }}>
            <Illustration name={name} />
          </Card>
        ))}
      </Grid>
      <Grid columns={4} min={120} gap={8}>
        {all.map((name) => (
          <Row key={name} gap={8} wrap={false}>
            <Icon name={name} size={24} />
            <small style={{ fontSize: 14 }}>{name}</small>
          </Row>
        ))}
      </Grid>
    </Stack>
  );
}

const parts: { id: string; title: string; note?: string; content: ReactNode }[] = [
  {
    id: 'kleuren',
    title: 'Kleuren',
    note: 'De rollen van het label; de server rekent ze uit en schrijft ze in de pagina.',
    content: <Colours />,
  },
  { id: 'letters', title: 'Letters en getallen', content: <Letters /> },
  {
    id: 'knoppen',
    title: 'Knoppen en links',
    note: 'Eén hoofdknop per scherm. Wat nog niet kan, zegt eronder waarom.',
    content: <Buttons />,
  },
  { id: 'velden', title: 'Velden', content: <KitForms /> },
  { id: 'kaarten', title: 'Kaarten en feiten', content: <Cards /> },
  { id: 'lijsten', title: 'Lijsten', content: <KitTable /> },
  { id: 'berichten', title: 'Berichten', content: <Messages /> },
  { id: 'openen', title: 'Kiezen en openklappen', content: <Opening /> },
  { id: 'vensters', title: 'Vensters', content: <Overlays /> },
  { id: 'toestanden', title: 'Laden, leeg, mislukt, klaar', content: <Waiting /> },
  { id: 'wegen', title: 'Stappen', content: <Ways /> },
  { id: 'beelden', title: 'Tekeningen en iconen', content: <Pictures /> },
];

const Split = styled.div`
  display: grid; grid-template-columns: 200px minmax(0, 1fr); gap: 32px; align-items: start;
  @media (max-width: 1099px) { grid-template-columns: minmax(0, 1fr); }
`;
const Contents = styled.nav`
  position: sticky; top: 88px; display: flex; flex-direction: column;
  a { padding: 8px 12px; border-radius: 8px; color: var(--w-text); text-decoration: none; }
  a:hover { background: var(--w-tint); color: var(--w-primary-ink); }
  @media (max-width: 1099px) { position: static; flex-direction: row; flex-wrap: wrap; gap: 4px; a { background: var(--w-tint); } }
`;
const Shelf = styled.section`
  display: flex; flex-direction: column; gap: 16px; min-width: 0; > h2 { font-size: 20px; } > p { color: var(--w-text-quiet); margin-top: -12px; }
`;
const Swatch = styled.div`
  display: flex; align-items: center; gap: 8px; font-size: 14px;
  i { width: 40px; height: 40px; flex: none; border-radius: 8px; box-shadow: inset 0 0 0 1px var(--w-line); }
`;
