import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakePortal, type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import type { Note, SavedNote } from './api';
import en from './messages/en.json';
import NotesPage from './page';
import StaffPage from './staff-page';
import Tile from './tile';

const show = (view: ReactElement) =>
  render(
    <FakePortal module="mykey" settings={{ max_notes: 3 }} locale="en" messages={{ ...kitEn, ...en }}>
      {view}
    </FakePortal>,
  );
const note: SavedNote = { id: 'a', day: '2026-11-20', text: 'Call me' };

/** Fakes the operations of the page; `add` is the response to a new note. */
function fake(items: SavedNote[], add?: Response) {
  return fakeApi({
    'GET /mykey': () => ({ items }),
    'PUT /mykey/{id}': ({ params, body }: FakeRequest) => {
      if (add) return add;
      items.push({ id: params.id ?? '', day: '2026-11-20', ...(body as Note) });
      return new Response(null, { status: 204 });
    },
    // {change}
    'GET /mykey/removal': { pending: false },
    // {/change}
  });
}

test('a customer adds a note', async () => {
  const api = fake([]);
  show(<NotesPage />);
  expect(await screen.findByText('There are no notes yet')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Note'), 'Call me');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('20-11-2026')).toBeVisible();
  expect(screen.getByText('Call me')).toBeVisible();
  expect(api.calls.find((c) => c.method === 'PUT')?.body).toMatchObject({ text: 'Call me' });
  // {setting}
  expect(screen.getByText('You can keep 3 notes.')).toBeVisible();
  // {/setting}
});

test('what the server refuses is said at its field', async () => {
  fake([note], refuse(400, 'invalid', [{ field: 'text', code: 'too_long' }]));
  show(<NotesPage />);
  await userEvent.type(await screen.findByLabelText('Note'), 'Long');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByRole('alert');
  expect(screen.getByLabelText('Note')).toBeInvalid();
});
// {change}

test('a customer asks to remove all notes', async () => {
  const api = fake([note]);
  api.answers['POST /mykey/removal'] = () => {
    api.answers['GET /mykey/removal'] = { pending: true };
    return { pending: true };
  };
  show(<NotesPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Ask to remove all notes' }));
  expect(await screen.findByText('We have received your request.')).toBeVisible();
});
// {/change}
// {staff}

test('staff see who wrote what', async () => {
  fakeApi({ 'GET /staff/mykey': { items: [{ ...note, customer: 'A. Klant' }] } });
  show(<StaffPage />);
  expect(await screen.findByRole('rowheader', { name: /A\. Klant/ })).toBeVisible();
  expect(screen.getByText('Call me')).toBeVisible();
});
// {/staff}
// {tile}

test('the tile counts the notes', async () => {
  fake([note]);
  show(<Tile />);
  expect(await screen.findByText('1 note.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See all' })).toHaveAttribute('href', '/mykey');
});
// {/tile}
