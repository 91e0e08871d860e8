import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakePortal, type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import type { Note } from './api';
import en from './messages/en.json';
import NotesPage from './notes-page';
import Tile from './tile';

const note = (id: string, text: string): Note => ({ id, text, mailed: false });
const show = (view: ReactElement) =>
  render(
    <FakePortal module="acme" settings={{ max_notes: 10 }} locale="en" messages={{ ...kitEn, ...en }}>
      {view}
    </FakePortal>,
  );

test('the tile shows the newest note', async () => {
  fakeApi({ 'GET /acme/notes': [note('a', 'one'), note('b', 'two')] });
  show(<Tile />);
  expect(await screen.findByText('two')).toBeVisible();
  expect(screen.queryByText('one')).toBeNull();
});

test('the tile without notes', async () => {
  fakeApi({ 'GET /acme/notes': [] });
  show(<Tile />);
  expect(await screen.findByText('You have no notes yet.')).toBeVisible();
});

test('a note is saved and appears in the list', async () => {
  const notes = [note('a', 'one')];
  const api = fakeApi({
    'GET /acme/notes': () => [...notes],
    'PUT /acme/notes/{id}': ({ params, body }: FakeRequest) => {
      notes.push(note(params.id ?? '', (body as { text: string }).text));
      return notes.at(-1);
    },
  });
  show(<NotesPage />);
  await userEvent.type(await screen.findByRole('textbox', { name: /Note/ }), ' two ');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('two')).toBeVisible();
  expect(api.calls.find((c) => c.method === 'PUT')?.body).toEqual({ text: 'two' });
});

test('the refusal of a note above the limit is shown in words', async () => {
  fakeApi({ 'GET /acme/notes': [], 'PUT /acme/notes/{id}': refuse(409, 'acme.notes_full') });
  show(<NotesPage />);
  await userEvent.type(await screen.findByRole('textbox', { name: /Note/ }), 'three');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('You have as many notes as you can have. Change one instead.')).toBeVisible();
});
