import { fireEvent } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { Illustration } from './illustration';
import { Page } from './page';
import { type IllustrationName, PicturesContext } from './pictures';
import { EmptyState, ErrorState, Result } from './states';
import { draw, styles } from './test-render';

const names: IllustrationName[] = ['empty', 'error', 'sent', 'mill', 'sun', 'house'];
const box = (e: Element | null | undefined) => [e?.getAttribute('width'), e?.getAttribute('height')];

row('9-brand-illustrations', 'the label draws what it has, in the box of ours', () => {
  for (const name of names) {
    const ours = draw(<Illustration name={name} size={120} />).container;
    expect(box(ours.querySelector('svg'))).toEqual(['120', '90']);
    const label = draw(
      <PicturesContext value={{ illustrations: { [name]: `/${name}.svg` } }}>
        <Illustration name={name} size={120} />
        <Illustration name={names.find((other) => other !== name) ?? name} />
      </PicturesContext>,
    ).container;
    const own = label.querySelector('img');
    expect([own?.getAttribute('src'), own?.getAttribute('alt'), ...box(own)]).toEqual([`/${name}.svg`, '', '120', '90']);
    expect(label.querySelectorAll('img, svg')).toHaveLength(2);
    expect(label.querySelectorAll('svg')).toHaveLength(1);
  }
  const { container } = draw(
    <PicturesContext value={{ illustrations: Object.fromEntries(names.map((name) => [name, `/${name}.svg`])) }}>
      <EmptyState title="Niets" />
      <EmptyState title="Geen molens" illustration="mill" />
      <ErrorState />
      <Result title="Verzonden" level={2} />
      <Result title="Niet gelukt" level={2} tone="bad" />
    </PicturesContext>,
  );
  const sources = [...container.querySelectorAll('img')].map((img) => img.getAttribute('src'));
  expect(sources).toEqual(['/empty.svg', '/mill.svg', '/error.svg', '/sent.svg', '/error.svg']);
});

row('9-offline', 'ours is drawn when the picture of the label cannot be fetched', () => {
  const { container } = draw(
    <PicturesContext value={{ illustrations: { error: '/error.svg' } }}>
      <Illustration name="error" />
    </PicturesContext>,
  );
  fireEvent.error(container.querySelector('img') as Element);
  expect(container.querySelector('img'), '9-offline').toBeNull();
  expect(container.querySelector('svg')).toBeVisible();
});

row(['9-brand-photos', '9-brand-illustrations'], 'a page draws the pictures that it is given, and none otherwise', () => {
  const page = (
    <Page title="Goedemorgen" actions={<a href="/x">Meer</a>}>
      Inhoud
    </Page>
  );
  expect(draw(page).container.querySelector('img')).toBeNull();
  const { container } = draw(<PicturesContext value={{ photo: '/roof.webp', drawing: '/hills.svg' }}>{page}</PicturesContext>);
  const [photo, drawing] = container.querySelectorAll('img');
  const title = container.querySelector('h1') as Element;
  expect([photo?.previousElementSibling?.getAttribute('srcset'), photo?.alt, drawing?.getAttribute('src'), drawing?.alt]).toEqual(
    ['/roof.webp', '', '/hills.svg', ''],
  );
  expect(photo?.previousElementSibling?.getAttribute('media'), 'not fetched on a phone').toBe('(min-width: 768px)');
  expect(styles(photo?.parentElement, 'display'), 'nor drawn').toEqual([
    ['', 'none'],
    ['(min-width: 768px)', 'block'],
  ]);
  expect(styles(photo?.parentElement, 'height', ' img'), 'known before it loads').toEqual([['', '160px']]);
  expect(styles(drawing, 'display'), 'not next to a photo, nor on a small phone').toEqual([
    ['(min-width: 768px)', 'none'],
    ['(max-width: 374px)', 'none'],
  ]);
  const alone = draw(<PicturesContext value={{ drawing: '/hills.svg' }}>{page}</PicturesContext>).container;
  expect(styles(alone.querySelector('img'), 'display')).toEqual([['(max-width: 374px)', 'none']]);
  expect(photo?.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(drawing?.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
});
