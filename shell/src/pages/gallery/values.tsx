import { Badge, Big, CivilDate, Energy, Icon, Illustration, Money, Num, PicturesContext, Row } from '@wattle/ui';
import { Html } from '@wattle/ui/html';
import { useState } from 'react';
import type { Example, Group } from './example';

export function MoneyExample() {
  return (
    <Row>
      <Money cents={123_450} />
      <Money cents={-1_250} credit />
      <Money cents={300} sign />
    </Row>
  );
}

export function EnergyExample() {
  return (
    <Row>
      <Energy value={2450} unit="kWh" />
      <Energy value={56} unit="m³" />
      <Energy value={1.8} unit="MW" />
    </Row>
  );
}

export function NumExample() {
  return <Num value={12.345} decimals={2} />;
}

export function CivilDateExample() {
  return <CivilDate day="2026-11-20" />;
}

export function BigExample({ say }: Example) {
  return (
    <Big unit="kWh" caption={say('deze maand tot nu toe', 'this month so far')}>
      <Num value={187} />
    </Big>
  );
}

export function BadgeExample({ say }: Example) {
  return (
    <Row gap={8}>
      <Badge tone="positive">{say('Hersteld', 'Restored')}</Badge>
      <Badge tone="warning">{say('Gepland', 'Planned')}</Badge>
      <Badge icon="edit">{say('Concept', 'Draft')}</Badge>
    </Row>
  );
}

export function IconExample({ say }: Example) {
  return (
    <Row gap={8}>
      <Icon name="invoice" size={24} /> {say('Facturen', 'Invoices')}
    </Row>
  );
}

export function IllustrationExample() {
  return <Illustration name="sun" size={120} />;
}

export function PicturesContextExample() {
  return (
    <PicturesContext value={{ illustrations: {} }}>
      <Illustration name="mill" size={120} />
    </PicturesContext>
  );
}

export function HtmlExample() {
  const [path, setPath] = useState('');
  return (
    <>
      <Html
        html={'<p>Op <strong>28 november</strong> werken we aan het net. <a href="/dashboard">Je overzicht</a></p>'}
        onLink={setPath}
      />
      <span aria-live="polite">{path}</span>
    </>
  );
}

export const values: Group = {
  id: 'values',
  title: ['Tekst, getallen en beeld', 'Text, numbers and pictures'],
  entries: {
    Money: { use: ['Voor elk bedrag, in hele centen.', 'For every amount, in whole cents.'], view: MoneyExample },
    Energy: {
      use: ['Voor energie en vermogen, met de juiste decimalen.', 'For energy and power, with the right decimals.'],
      view: EnergyExample,
    },
    Num: { use: ['Voor een getal zonder eenheid.', 'For a number without a unit.'], view: NumExample },
    CivilDate: {
      use: ['Voor een dag, JJJJ-MM-DD van de server.', 'For a day, YYYY-MM-DD as the server sends it.'],
      view: CivilDateExample,
    },
    Big: {
      use: ['Voor het ene getal waar een pagina of tegel om draait.', 'For the one number that a page or tile is about.'],
      view: BigExample,
    },
    Badge: { use: ['Voor een status van één woord.', 'For a status of one word.'], view: BadgeExample },
    Icon: {
      use: [
        'Naast tekst met dezelfde betekenis; een pictogram alleen zegt niets.',
        'Next to a text of the same meaning; an icon alone says nothing.',
      ],
      view: IconExample,
    },
    Illustration: {
      use: [
        'Voor een lege of voltooide toestand. Een label kan een eigen tekening hebben.',
        'For an empty or finished state. A label may have a drawing of its own.',
      ],
      view: IllustrationExample,
    },
    PicturesContext: {
      use: [
        'In tests en voorbeelden: geeft Illustration en Page de beelden van een label. In het portaal doet de schil dat.',
        'In tests and previews: gives Illustration and Page the pictures of a label. In the portal the shell does that.',
      ],
      view: PicturesContextExample,
    },
    Html: {
      use: [
        'Voor opgemaakte tekst die een mens schreef, zoals een bericht.',
        'For formatted text that a person wrote, such as a message.',
      ],
      view: HtmlExample,
    },
  },
};
