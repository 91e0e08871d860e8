import {
  Accordion,
  Anchor,
  Button,
  Disclosure,
  IconButton,
  LinkButton,
  LinkLook,
  Menu,
  Money,
  PhoneLink,
  Reason,
  Row,
  Segmented,
  Stack,
  showToast,
  Tabs,
  TextLink,
  Tip,
  Tooltip,
} from '@wattle/ui';
import { useState } from 'react';
import type { Example, Group } from './example';

export function ButtonExample({ say }: Example) {
  return (
    <Row align="start">
      <Button
        variant="primary"
        icon="check"
        onClick={() => showToast({ kind: 'alert', tone: 'good', text: say('Opgeslagen', 'Saved') })}
      >
        {say('Opslaan', 'Save')}
      </Button>
      <Button disabledReason={say('Kies eerst een adres.', 'Choose an address first.')}>{say('Verder', 'Continue')}</Button>
      <Button variant="quiet">{say('Annuleren', 'Cancel')}</Button>
    </Row>
  );
}

export function LinkButtonExample({ say }: Example) {
  return (
    <LinkButton href="/dashboard" variant="primary" iconEnd="forward">
      {say('Naar je overzicht', 'To your overview')}
    </LinkButton>
  );
}

export function IconButtonExample({ say }: Example) {
  return <IconButton icon="download" label={say('Download de factuur van november', 'Download the invoice of November')} />;
}

export function TextLinkExample({ say }: Example) {
  return (
    <p>
      {say('Lees meer over', 'Read more about')} <TextLink href="/dashboard">{say('je contract', 'your contract')}</TextLink>{' '}
      {say('of bekijk de', 'or see the')}{' '}
      <TextLink href="https://example.org" external>
        {say('tarieven van de netbeheerder', 'rates of the grid operator')}
      </TextLink>
      .
    </p>
  );
}

export function PhoneLinkExample({ say }: Example) {
  return (
    <p>
      {say('Bel', 'Call')} <PhoneLink number="050 123 45 67" />.
    </p>
  );
}

export function LinkLookExample({ say }: Example) {
  const [count, setCount] = useState(3);
  return (
    <Row>
      <span>
        {say('Meters in beeld:', 'Meters shown:')} {count}
      </span>
      <LinkLook onClick={() => setCount(count + 3)}>{say('Toon er drie meer', 'Show three more')}</LinkLook>
    </Row>
  );
}

export function AnchorExample({ say }: Example) {
  return (
    <Anchor href="/dashboard" style={{ color: 'inherit' }}>
      {say('Een link zonder eigen opmaak', 'A link without a look of its own')}
    </Anchor>
  );
}

export function MenuExample({ say }: Example) {
  const [chosen, setChosen] = useState('');
  return (
    <Row>
      <Menu
        label={say('Acties voor deze meter', 'Actions for this meter')}
        items={[
          {
            id: 'rename',
            text: say('Andere naam', 'Rename'),
            icon: 'edit',
            onSelect: () => setChosen(say('Andere naam', 'Rename')),
          },
          {
            id: 'read',
            text: say('Stand doorgeven', 'Submit a reading'),
            icon: 'meter',
            disabledReason: say('Dat kan weer vanaf 1 december.', 'You can do that again from 1 December.'),
          },
          {
            id: 'remove',
            text: say('Verwijderen', 'Remove'),
            icon: 'remove',
            tone: 'danger',
            onSelect: () => setChosen(say('Verwijderen', 'Remove')),
          },
        ]}
      />
      <span>{chosen}</span>
    </Row>
  );
}

export function TooltipExample({ say }: Example) {
  return (
    <Tooltip text={say('De EAN staat ook op je factuur.', 'The EAN is on your invoice too.')}>
      <LinkLook>{say('Wat is een EAN?', 'What is an EAN?')}</LinkLook>
    </Tooltip>
  );
}

export function TipExample({ say }: Example) {
  return (
    <Row gap={4}>
      {say('Verwacht jaarverbruik', 'Expected usage a year')}
      <Tip label={say('Over je verwachte jaarverbruik', 'About your expected usage')}>
        {say('Dit berekenen we uit', 'We compute this from')}{' '}
        <TextLink href="/dashboard">{say('je verbruik van vorig jaar', 'what you used last year')}</TextLink>.
      </Tip>
    </Row>
  );
}

export function SegmentedExample({ say }: Example) {
  const [unit, setUnit] = useState<'month' | 'year'>('month');
  return (
    <Segmented
      label={say('Toon per', 'Show by')}
      value={unit}
      onChange={setUnit}
      options={[
        { value: 'month', text: say('Maand', 'Month') },
        { value: 'year', text: say('Jaar', 'Year') },
      ]}
    />
  );
}

export function TabsExample({ say }: Example) {
  return (
    <Tabs
      label={say('Aansluiting', 'Connection')}
      tabs={[
        {
          id: 'power',
          title: say('Stroom', 'Electricity'),
          content: <p>{say('Slimme meter sinds 2021.', 'A smart meter since 2021.')}</p>,
        },
        {
          id: 'gas',
          title: say('Aardgas', 'Natural gas'),
          content: <p>{say('De meter is van 2019.', 'The meter is from 2019.')}</p>,
        },
      ]}
    />
  );
}

export function DisclosureExample({ say }: Example) {
  return (
    <Disclosure
      title={say('Zo is je bedrag opgebouwd', 'What your amount is made of')}
      summary={<Money cents={12_350} />}
      level={4}
    >
      {say('Levering, netbeheer en belasting.', 'Supply, grid and taxes.')}
    </Disclosure>
  );
}

export function AccordionExample({ say }: Example) {
  return (
    <Accordion single>
      <Disclosure title={say('Hoe lees ik mijn meter af?', 'How do I read my meter?')} level={4}>
        {say('Noteer alleen de cijfers voor de komma.', 'Write down only the digits before the comma.')}
      </Disclosure>
      <Disclosure title={say('Wanneer krijg ik mijn jaarafrekening?', 'When do I get my annual statement?')} level={4}>
        {say('Binnen zes weken na het einde van je leveringsjaar.', 'Within six weeks after the end of your supply year.')}
      </Disclosure>
    </Accordion>
  );
}

export function ReasonExample({ say }: Example) {
  return (
    <Stack gap={4}>
      <LinkLook aria-disabled aria-describedby="gallery-reason">
        {say('Termijnbedrag verlagen', 'Lower the monthly amount')}
      </LinkLook>
      <Reason id="gallery-reason">{say('Dat kan weer vanaf 1 december.', 'You can do that again from 1 December.')}</Reason>
    </Stack>
  );
}

export const actions: Group = {
  id: 'actions',
  title: ['Acties en links', 'Actions and links'],
  entries: {
    Button: {
      use: [
        'Voor iets wat op deze pagina gebeurt. Eén hoofdknop per scherm; wat nog niet kan, zegt met disabledReason waarom.',
        'For what happens on this page. One primary button a screen; a button that cannot be used yet gives the reason, `disabledReason`.',
      ],
      view: ButtonExample,
    },
    LinkButton: {
      use: ['Voor de volgende stap op een andere pagina.', 'For the next step, on another page.'],
      view: LinkButtonExample,
    },
    IconButton: {
      use: [
        'Voor een actie in een rij of kop, waar een knop met tekst niet past. De naam zegt wat er gebeurt en waarmee.',
        'For an action in a row or heading, where a button with text does not fit. Its name says what happens, and to what.',
      ],
      view: IconButtonExample,
    },
    TextLink: { use: ['Voor een link in een zin.', 'For a link in a sentence.'], view: TextLinkExample },
    PhoneLink: {
      use: ['Voor een telefoonnummer dat je kunt bellen.', 'For a phone number that can be called.'],
      view: PhoneLinkExample,
    },
    LinkLook: {
      use: ['Voor een bijzaak op deze pagina, zoals meer tonen.', 'For a side matter on this page, such as showing more.'],
      view: LinkLookExample,
    },
    Anchor: {
      use: [
        'Als je een link zelf opmaakt: de router van het portaal opent een pagina zonder opnieuw te laden.',
        'For a link that you draw yourself: the router of the portal opens pages without loading a document.',
      ],
      view: AnchorExample,
    },
    Menu: {
      use: ['Voor drie of meer acties op één ding, zoals een rij.', 'For three or more actions on one thing, such as a row.'],
      view: MenuExample,
    },
    Tooltip: {
      use: [
        'Voor een korte uitleg zonder link bij iets wat je kunt aanwijzen.',
        'For a short explanation without a link, at something that can have focus.',
      ],
      view: TooltipExample,
    },
    Tip: {
      use: ['Voor een uitleg met een link, achter een i.', 'For an explanation with a link, behind an i.'],
      view: TipExample,
    },
    Segmented: {
      use: ['Voor een keuze uit twee tot vijf, die meteen werkt.', 'For a choice of two to five that applies at once.'],
      view: SegmentedExample,
    },
    Tabs: {
      use: [
        'Voor delen van één onderwerp die niemand naast elkaar legt.',
        'For parts of one subject that nobody compares with each other.',
      ],
      view: TabsExample,
    },
    Disclosure: {
      use: ['Voor details die de meeste klanten niet nodig hebben.', 'For details that most customers do not need.'],
      view: DisclosureExample,
    },
    Accordion: {
      use: [
        'Voor meerdere uitklapbare details bij elkaar, zoals veelgestelde vragen.',
        'For several details that open, next to each other, such as frequently asked questions.',
      ],
      view: AccordionExample,
    },
    Reason: {
      use: [
        'Voor de reden onder een eigen bedieningselement. De knoppen en velden van de kit hebben er disabledReason voor.',
        'For the reason under a control of your own. Buttons and fields of the kit have disabledReason for it.',
      ],
      view: ReasonExample,
    },
  },
};
