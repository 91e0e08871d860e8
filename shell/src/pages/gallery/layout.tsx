import {
  Attention,
  Badge,
  BelowTitle,
  Button,
  Card,
  Facts,
  Grid,
  IconButton,
  Money,
  Page,
  PageColumn,
  PageTitle,
  Row,
  Section,
  SkipLink,
  Small,
  Stack,
  SubHeading,
  TextLink,
  VisuallyHidden,
} from '@wattle/ui';
import type { Example, Group } from './example';

export function PageExample({ say }: Example) {
  return (
    <Page
      title={say('Jouw storingen', 'Your outages')}
      sentence={say('Storingen bij jou in de buurt.', 'Outages near you.')}
      actions={<Button>{say('Storing melden', 'Report an outage')}</Button>}
    >
      <Card>{say('Er zijn nu geen storingen.', 'There are no outages now.')}</Card>
    </Page>
  );
}

export function PageColumnExample({ say }: Example) {
  return (
    <PageColumn width="form">
      <p>{say('Inhoud van ten hoogste 560 px breed.', 'Content of at most 560 px wide.')}</p>
    </PageColumn>
  );
}

export function BelowTitleExample({ say }: Example) {
  return (
    <BelowTitle value={<p>{say('Op 1 december werken we aan de site.', 'We work on the site on 1 December.')}</p>}>
      <Page title={say('Jouw storingen', 'Your outages')}>
        <p>{say('Er zijn nu geen storingen.', 'There are no outages now.')}</p>
      </Page>
    </BelowTitle>
  );
}

export function PageTitleExample({ say }: Example) {
  return <PageTitle>{say('Controleer je gegevens', 'Check your details')}</PageTitle>;
}

export function SectionExample({ say }: Example) {
  return (
    <Section title={say('Contactpersonen', 'Contacts')} level={3} sentence={say('Wie we mogen bellen.', 'Whom we may call.')}>
      <p>{say('Nog niemand.', 'Nobody yet.')}</p>
    </Section>
  );
}

export function SubHeadingExample({ say }: Example) {
  return (
    <Card flush>
      <SubHeading end={<Money cents={24_700} />} level={4}>
        2025
      </SubHeading>
      <p style={{ padding: 16 }}>{say('De rijen van 2025.', 'The rows of 2025.')}</p>
    </Card>
  );
}

export function CardExample({ say }: Example) {
  return (
    <Card
      title={say('Jouw adres', 'Your address')}
      level={4}
      actions={<IconButton icon="edit" label={say('Wijzig je adres', 'Change your address')} />}
      footer={<TextLink href="/dashboard">{say('Verhuizing doorgeven', 'Tell us that you are moving')}</TextLink>}
    >
      Dorpsstraat 1, Utrecht
    </Card>
  );
}

export function StackExample({ say }: Example) {
  return (
    <Stack gap={8}>
      <span>{say('Onder', 'One below')}</span>
      <span>{say('elkaar', 'the other')}</span>
    </Stack>
  );
}

export function RowExample({ say }: Example) {
  return (
    <Row justify="between">
      <span>{say('Naast', 'Next to')}</span>
      <span>{say('elkaar', 'each other')}</span>
    </Row>
  );
}

export function GridExample({ say }: Example) {
  return (
    <Grid columns={2} min={160}>
      <Card>{say('Stroom', 'Electricity')}</Card>
      <Card>{say('Gas', 'Gas')}</Card>
    </Grid>
  );
}

export function SmallExample({ say }: Example) {
  return (
    <div>
      {say('Meterstand 4.512', 'Reading 4,512')}
      <Small>{say('Afgelezen op 20-11-2026', 'Read on 20-11-2026')}</Small>
    </div>
  );
}

export function FactsExample({ say }: Example) {
  return (
    <Facts
      items={[
        { label: say('Meternummer', 'Meter number'), value: 'E0047001234567817' },
        { label: say('Gebruiksdoel', 'Purpose'), value: say('Wonen', 'Living'), pending: say('Werken', 'Work') },
      ]}
    />
  );
}

export function AttentionExample({ say }: Example) {
  // a list item: the slot renders the list around it
  return (
    <ul style={{ listStyle: 'none' }}>
      <Attention icon="invoice" href="/dashboard" hint={say('Betaal vóór 28-11-2026', 'Pay before 28-11-2026')}>
        {say('Er staat een factuur van € 123,50 open.', 'An invoice of € 123,50 is open.')}
      </Attention>
    </ul>
  );
}

export function VisuallyHiddenExample({ say }: Example) {
  return (
    <Badge>
      2 <VisuallyHidden>{say('nieuwe berichten', 'new messages')}</VisuallyHidden>
    </Badge>
  );
}

export function SkipLinkExample({ say }: Example) {
  return <SkipLink>{say('Naar de inhoud van het voorbeeld', 'To the content of the example')}</SkipLink>;
}

export const layout: Group = {
  id: 'layout',
  title: ['Pagina en indeling', 'Page and layout'],
  entries: {
    Page: {
      use: ['Voor elke pagina: titel, zin, acties en inhoud.', 'For every page: title, sentence, actions and content.'],
      view: PageExample,
    },
    BelowTitle: {
      use: [
        'In tests en voorbeelden: wat Page tussen titel en inhoud zet, zoals mededelingen. In het portaal doet de schil dat.',
        'In tests and previews: what Page has between title and content, such as notices. In the portal the shell does that.',
      ],
      view: BelowTitleExample,
    },
    PageColumn: {
      use: [
        'Voor een pagina die haar titel zelf tekent; anders Page.',
        'For a page that draws its title itself; otherwise use Page.',
      ],
      view: PageColumnExample,
    },
    PageTitle: {
      use: [
        'Voor de titel van een scherm binnen een PageColumn, zoals de stap van een wizard.',
        'For the title of a screen in a PageColumn, such as the step of a wizard.',
      ],
      view: PageTitleExample,
    },
    Section: {
      use: ['Voor een deel van een pagina met een eigen kop.', 'For a part of a page with a heading of its own.'],
      view: SectionExample,
    },
    SubHeading: {
      use: ['Voor de kop van een groep rijen, zoals een jaar.', 'For the heading of a group of rows, such as a year.'],
      view: SubHeadingExample,
    },
    Card: { use: ['Voor wat bij elkaar hoort, in een kader.', 'For what belongs together, in a box.'], view: CardExample },
    Stack: { use: ['Om onderdelen onder elkaar te zetten.', 'To put parts below each other.'], view: StackExample },
    Row: { use: ['Om onderdelen naast elkaar te zetten.', 'To put parts next to each other.'], view: RowExample },
    Grid: {
      use: ['Voor gelijke kolommen, op een telefoon één.', 'For equal columns, one on a phone.'],
      view: GridExample,
    },
    Small: { use: ['Voor uitleg onder een tekst of getal.', 'For an explanation under a text or number.'], view: SmallExample },
    Facts: { use: ['Voor gegevens met een naam.', 'For data with a name.'], view: FactsExample },
    Attention: {
      use: [
        'In het slot attention: één ding waar de klant iets aan moet doen.',
        'In slot attention: one thing that the customer should see to.',
      ],
      view: AttentionExample,
    },
    VisuallyHidden: {
      use: ['Voor woorden die alleen een schermlezer nodig heeft.', 'For words that only a screen reader needs.'],
      view: VisuallyHiddenExample,
    },
    SkipLink: {
      use: [
        'De eerste stop van Tab op een pagina zonder het kader van het portaal; je ziet hem pas met de focus erop.',
        'The first stop of Tab on a page without the frame of the portal; it is seen only with focus on it.',
      ],
      view: SkipLinkExample,
    },
  },
};
