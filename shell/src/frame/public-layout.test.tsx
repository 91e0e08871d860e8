import { cleanup } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { drawShell } from '../test-shell';
import { PublicLayout } from './public-layout';

row('9-brand-photos', 'next to the form instead of the illustration, and not fetched on a phone', () => {
  const page = (
    <PublicLayout logo={null} foot={null}>
      <form />
    </PublicLayout>
  );
  const shown = (label: object) => {
    const { container } = drawShell(page, { label, session: null });
    const out = [...container.querySelectorAll('source, img')].map((e) => [
      e.getAttribute('media'),
      e.getAttribute('srcset') ?? e.getAttribute('src'),
      e.getAttribute('alt'),
    ]);
    cleanup();
    return out;
  };
  const photo = ['(min-width: 960px)', '/team.webp', null];
  const illustration = '/hills.svg';
  expect(shown({ illustration, photos: { sign_in: '/team.webp', account: '/desk.webp' } })).toEqual([
    photo,
    [null, '/hills.svg', ''],
  ]);
  expect(shown({ photos: { sign_in: '/team.webp' } })).toEqual([photo, [null, null, '']]);
  expect(shown({ illustration, photos: {} })).toEqual([[null, '/hills.svg', '']]);
});
