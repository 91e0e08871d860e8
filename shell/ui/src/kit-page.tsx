import type { ReactNode } from 'react';
import styled from 'styled-components';
import { KitForms } from './kit-forms';
import { Colors, Letters, Pictures } from './kit-looks';
import { Buttons, Cards, Messages, Opening, Overlays, Waiting, Ways } from './kit-parts';
import { type Say, useSay } from './kit-say';
import { KitTable } from './kit-table';
import { Stack } from './layout';
import { Page } from './page';

export interface KitPageProps {
  /** Sections before those of the kit, e.g. the gallery of components. */
  first?: ((say: Say) => KitShelf[]) | undefined;
  /** Sections of packages other than the kit, e.g. the charts. */
  more?: ((say: Say) => KitShelf[]) | undefined;
}

/** Every part of the kit in every state, in the colors of the current label. For developers: demo mode only, at /dev/kit. */
export default function KitPage({ first, more }: KitPageProps) {
  const say = useSay();
  const parts = [...(first?.(say) ?? []), ...shelves(say), ...(more?.(say) ?? [])];
  return (
    <Page
      width="wide"
      title={say('Bouwdoos', 'Kit')}
      sentence={say(
        'Alles waarmee een scherm wordt getekend, in alle toestanden en in de kleuren van dit label.',
        'All that a screen is drawn with, in every state and in the colours of this label.',
      )}
    >
      <Split>
        <Contents aria-label={say('Inhoud', 'Contents')}>
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

/** A group of parts with a heading. */
export interface KitShelf {
  id: string;
  title: string;
  note?: string;
  content: ReactNode;
}

const shelves = (say: Say): KitShelf[] => [
  {
    id: 'kleuren',
    title: say('Kleuren', 'Colours'),
    note: say(
      'De rollen van het label; de server rekent ze uit en schrijft ze in de pagina.',
      'The roles of the label; the server computes them and writes them into the page.',
    ),
    content: <Colors />,
  },
  { id: 'letters', title: say('Letters en getallen', 'Letters and numbers'), content: <Letters /> },
  {
    id: 'knoppen',
    title: say('Knoppen en links', 'Buttons and links'),
    note: say(
      'Eén hoofdknop per scherm. Wat nog niet kan, zegt eronder waarom.',
      'One primary button a screen. What cannot be done yet says why under it.',
    ),
    content: <Buttons />,
  },
  { id: 'velden', title: say('Velden', 'Fields'), content: <KitForms /> },
  { id: 'kaarten', title: say('Kaarten en feiten', 'Cards and facts'), content: <Cards /> },
  { id: 'lijsten', title: say('Lijsten', 'Lists'), content: <KitTable /> },
  { id: 'berichten', title: say('Berichten', 'Notices and toasts'), content: <Messages /> },
  { id: 'openen', title: say('Kiezen en openklappen', 'Choosing and opening'), content: <Opening /> },
  { id: 'vensters', title: say('Vensters', 'Overlays'), content: <Overlays /> },
  { id: 'toestanden', title: say('Laden, leeg, mislukt, klaar', 'Loading, empty, failed, done'), content: <Waiting /> },
  { id: 'wegen', title: say('Stappen', 'Steps'), content: <Ways /> },
  { id: 'beelden', title: say('Tekeningen en iconen', 'Drawings and icons'), content: <Pictures /> },
];

const Split = styled.div`
  display: grid; grid-template-columns: 200px minmax(0, 1fr); gap: 32px; align-items: start;
  @media (max-width: 1099px) { grid-template-columns: minmax(0, 1fr); }
`;
const Contents = styled.nav`
  position: sticky; top: 88px; display: flex; flex-direction: column;
  a { padding: 8px 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  a:hover { background: var(--w-tint); color: var(--w-primary-ink); }
  @media (max-width: 1099px) { position: static; flex-direction: row; flex-wrap: wrap; gap: 4px; a { background: var(--w-tint); } }
`;
const Shelf = styled.section`
  display: flex; flex-direction: column; gap: 16px; min-width: 0; > h2 { font-size: 20px; } > p { color: var(--w-text-quiet); margin-top: -12px; }
`;
