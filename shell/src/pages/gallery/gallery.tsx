import { Button, Card, Disclosure, LinkLook, Page, Row, Section, Small, Stack, showToast } from '@wattle/ui';
import { TextField } from '@wattle/ui/forms';
import { DataTable } from '@wattle/ui/table';
import { Suspense, useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { actions } from './actions';
import { charts } from './charts';
import type { Documented, Entry, Group, Prop, Say } from './example';
import { forms } from './forms';
import { kit } from './kit.gen';
import { layout } from './layout';
import { lists } from './lists';
import { setup } from './setup';
import { states } from './states';
import { values } from './values';
import { variants } from './variants';

export const groups: readonly Group[] = [actions, layout, values, states, forms, lists, charts, setup];

/** Returns the component in the address, such as /dev/kit#Button. */
function named(): string | undefined {
  const name = location.hash.slice(1);
  return groups.some((group) => Object.hasOwn(group.entries, name)) ? name : undefined;
}

/**
 * Every component of the kit and the charts in the colors of the current label: when to use it, a live example, its other states,
 * its props and the source of the example. It shows one group at a time, or search results. For developers: only in demo mode, at
 * /dev/kit.
 */
export default function Gallery() {
  const { locale } = useIntl();
  const say: Say = (nl, en) => (locale.startsWith('en') ? en : nl);
  const [target, setTarget] = useState(named);
  const [chosen, setChosen] = useState<string>();
  const [query, setQuery] = useState('');
  useEffect(() => {
    const follow = () => {
      setTarget(named());
      setChosen(undefined);
      setQuery('');
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (target) document.getElementById(target)?.scrollIntoView();
  }, [target]);
  const group = groups.find(({ id, entries }) => (chosen ? id === chosen : target && Object.hasOwn(entries, target))) ?? actions;
  const words = query.trim().toLowerCase();
  const shown = words
    ? groups
        .flatMap(({ entries }) => Object.entries(entries))
        .filter(([name, { use }]) => `${name} ${use.join(' ')}`.toLowerCase().includes(words))
    : Object.entries(group.entries);
  return (
    <Page
      width="wide"
      title={say('Componenten', 'Components')}
      sentence={say(
        'Wanneer je elk gebruikt, met een werkend voorbeeld, de eigenschappen en broncode om te kopiëren.',
        'When to use each, with a live example, its props and source to copy.',
      )}
    >
      <TextField
        type="search"
        label={say('Zoek een component', 'Find a component')}
        value={query}
        onChange={setQuery}
        width={360}
        autoComplete="off"
      />
      <Row gap={8} role="group" aria-label={say('Groep', 'Group')}>
        {groups.map(({ id, title }) => (
          <Button
            key={id}
            small
            variant={id === group.id && !words ? 'primary' : 'secondary'}
            aria-pressed={id === group.id && !words}
            onClick={() => {
              setChosen(id);
              setQuery('');
            }}
          >
            {say(...title)}
          </Button>
        ))}
      </Row>
      <Section title={words ? say('Gevonden', 'Found') : say(...group.title)}>
        <p role="status">
          {shown.length === 1 ? say('1 component', '1 component') : `${shown.length} ${say('componenten', 'components')}`}
        </p>
        {shown.map(([name, entry]) => {
          const documented = kit[name];
          return documented && <Shown key={name} name={name} entry={entry} documented={documented} say={say} />;
        })}
      </Section>
    </Page>
  );
}

function Shown({ name, entry, documented, say }: { name: string; entry: Entry; documented: Documented; say: Say }) {
  const { props, inherits, source } = documented;
  const View = entry.view;
  const Variants = variants[name];
  return (
    <Article id={name} aria-labelledby={`${name}-name`} data-component={name}>
      <h3 id={`${name}-name`}>{name}</h3>
      <p>{say(...entry.use)}</p>
      <Small as="p">
        <code>{`import { ${name} } from '${documented.entry}';`}</code>
      </Small>
      <Card data-example>
        <Suspense>
          <View say={say} />
        </Suspense>
      </Card>
      {Variants && (
        <Card data-variants>
          <Suspense>
            <Variants say={say} />
          </Suspense>
        </Card>
      )}
      <Card flush>
        <Disclosure title={say('Eigenschappen', 'Props')} summary={props.length} level={4}>
          <Stack>
            {props.length > 0 && <Props of={name} props={props} say={say} />}
            {props.length === 0 && !inherits && <p>{say('Geen.', 'None.')}</p>}
            {inherits && (
              <Small as="p">
                {inherits === 'element'
                  ? say('Ook de attributen van een HTML-element.', 'Also the attributes of an HTML element.')
                  : `${say('Ook de attributen van', 'Also the attributes of')} <${tagOf(inherits)}>.`}
              </Small>
            )}
          </Stack>
        </Disclosure>
        <Disclosure title={say('Broncode van het voorbeeld', 'Source of the example')} level={4}>
          <Stack gap={8}>
            <Row justify="end">
              <LinkLook
                onClick={() => copy(source, say)}
                aria-label={`${say('Kopieer de broncode van', 'Copy the source of')} ${name}`}
              >
                {say('Kopieer', 'Copy')}
              </LinkLook>
            </Row>
            <Source lang="en">{source}</Source>
          </Stack>
        </Disclosure>
      </Card>
    </Article>
  );
}

const tagOf = (inherits: string) => (inherits === 'anchor' ? 'a' : inherits);

function Props({ of, props, say }: { of: string; props: readonly Prop[]; say: Say }) {
  return (
    <DataTable
      label={`${say('Eigenschappen van', 'Props of')} ${of}`}
      rows={props}
      rowKey={(prop) => prop.name}
      columns={[
        {
          id: 'name',
          title: say('Naam', 'Name'),
          head: true,
          card: 'title',
          width: 120,
          cell: (prop) => <code>{prop.optional ? `${prop.name}?` : prop.name}</code>,
        },
        { id: 'type', title: 'Type', cell: (prop) => <Code lang="en">{prop.type}</Code> },
        {
          id: 'default',
          title: say('Standaard', 'Default'),
          width: 100,
          cell: (prop) => (prop.default ? <Code lang="en">{prop.default}</Code> : '–'),
        },
        {
          id: 'description',
          title: say('Uitleg (Engels)', 'About'),
          cell: (prop) => <span lang="en">{prop.description || '–'}</span>,
        },
      ]}
    />
  );
}

async function copy(text: string, say: Say) {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: 'alert', tone: 'good', text: say('De broncode is gekopieerd.', 'The source has been copied.') });
  } catch {
    showToast({
      kind: 'alert',
      tone: 'bad',
      text: say('Kopiëren mag hier niet. Selecteer de tekst.', 'Copying is not allowed here. Select the text.'),
    });
  }
}

const Article = styled.article`
  display: flex; flex-direction: column; gap: 12px; min-width: 0; scroll-margin-top: 88px; padding-top: 24px; border-top: 1px solid var(--w-line);
  > h3 { font-size: 18px; }
`;
const Code = styled.code`font-size: 14px; overflow-wrap: anywhere;`;
const Source = styled.pre`
  margin: 0; padding: 16px; border-radius: var(--w-radius-control); background: var(--w-tint); font-size: 14px; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere;
`;
