import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { picturesOf } from './pictures';
import type { Label } from './portal';

row(['9-brand-photos', '9-brand-illustrations'], 'each page has the pictures of its place', () => {
  const illustrations = { dashboard: '/hills.svg', empty: '/empty.svg' };
  const label = { illustrations, photos: { sign_in: '/s.webp', dashboard: '/d.webp', account: '/a.webp' } } as unknown as Label;
  for (const path of ['/dashboard', '/home'])
    expect(picturesOf(label, path)).toEqual({ illustrations, photo: '/d.webp', drawing: '/hills.svg' });
  const ofMembers = { ...label, kind: 'participant' } as Label;
  expect(picturesOf(ofMembers, '/home')).toEqual({ illustrations, photo: undefined, drawing: undefined });
  expect(picturesOf(ofMembers, '/account').photo).toBe('/a.webp');
  expect(picturesOf(label, '/account')).toEqual({ illustrations, photo: '/a.webp', drawing: undefined });
  for (const path of ['/invoices', '/account/sessions', '/'])
    expect(picturesOf(label, path)).toEqual({ illustrations, photo: undefined, drawing: undefined });
  expect(picturesOf({} as Label, '/dashboard')).toEqual({ illustrations: undefined, photo: undefined, drawing: undefined });
});
