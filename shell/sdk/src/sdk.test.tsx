import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { createApi } from './api';
import { address } from './context';
import { useDraft, useMay, useProblemText } from './hooks';
import { manifestOf, overlayPath } from './manifest';
import { defineRemote } from './remote';
import { FakePortal, fakeApi, refuse } from './testing';
import { day, useToday } from './today';

interface Paths {
  '/notes/{id}': {
    get: { parameters: { path: { id: string } }; responses: { 200: { content: { 'application/json': { text: string } } } } };
    put: {
      parameters: { path: { id: string } };
      requestBody: { content: { 'application/json': { text: string } } };
      responses: { 204: object };
    };
  };
}
const api = createApi<Paths>();

function Note() {
  const note = api.useGet('/notes/{id}', { path: { id: 'a b' } }, { empty: [404] });
  const save = api.useWrite('put', '/notes/{id}', { changes: ['/notes/{id}'], idempotent: true });
  const text = useProblemText();
  return (
    <>
      <p>{note.isSuccess ? (note.data?.text ?? 'nothing') : note.isError ? `error ${note.error.code}` : 'waiting'}</p>
      <button type="button" onClick={() => save.mutate({ path: { id: 'a b' }, body: { text: 'new' } })}>
        save
      </button>
      <p>{save.error && text(save.error)}</p>
    </>
  );
}

describe('createApi', () => {
  test('fills templates, leaves out undefined query values, throws for missing path values', () => {
    expect(address('/a/{id}', { path: { id: 'x/y' }, query: { p: 1, q: undefined, r: ['s', 't'] } })).toBe(
      '/a/x%2Fy?p=1&r=s&r=t',
    );
    expect(() => address('/a/{id}', {})).toThrow('needs id');
  });

  test('a write invalidates its `changes`; the idempotency key stays while the same body is retried', async () => {
    let text = 'old';
    let refusals = 1;
    const fake = fakeApi({
      'GET /notes/{id}': () => ({ text }),
      'PUT /notes/{id}': ({ body }: { body: unknown }) => {
        if (refusals-- > 0) return refuse(503, 'unavailable');
        text = (body as { text: string }).text;
        return undefined;
      },
    });
    render(
      <FakePortal messages={{ unavailable: 'Later', unexpected: 'Oops' }}>
        <Note />
      </FakePortal>,
    );
    await screen.findByText('old');
    await userEvent.click(screen.getByText('save'));
    await screen.findByText('Later');
    await userEvent.click(screen.getByText('save'));
    await screen.findByText('new');
    const writes = fake.calls.filter((c) => c.method === 'PUT');
    expect(writes).toHaveLength(2);
    expect(writes[0]?.params).toEqual({ id: 'a b' });
    expect(writes[0]?.headers.get('idempotency-key')).toBe(writes[1]?.headers.get('idempotency-key'));
  });

  test('a search reads by a POST; the previous result stays until the next has loaded', async () => {
    interface Search {
      '/found': {
        post: {
          parameters: { query?: { page?: number } };
          requestBody: { content: { 'application/json': { q: string } } };
          responses: { 200: { content: { 'application/json': string[] } } };
        };
      };
    }
    const found = createApi<Search>();
    const fake = fakeApi({
      'POST /found': ({ query, body }: { query: { page: string }; body: unknown }) => [`${JSON.stringify(body)} ${query.page}`],
    });
    function Found() {
      const [page, setPage] = useState(0);
      const pages = found.useSearch('/found', { body: { q: 'x' }, query: { page } });
      return (
        <button type="button" onClick={() => setPage(1)}>
          {pages.data?.join() ?? 'waiting'}
        </button>
      );
    }
    render(
      <FakePortal>
        <Found />
      </FakePortal>,
    );
    await userEvent.click(await screen.findByText('{"q":"x"} 0'));
    expect(screen.queryByText('waiting')).toBeNull();
    await screen.findByText('{"q":"x"} 1');
    expect(fake.calls).toHaveLength(2);
  });

  test('a key of the caller is sent unchanged', async () => {
    const fake = fakeApi({ 'GET /notes/{id}': refuse(503, 'unavailable'), 'PUT /notes/{id}': undefined });
    function Own() {
      const note = api.useGet('/notes/{id}', { path: { id: 'a' } }, { retry: false });
      const save = api.useWrite('put', '/notes/{id}', { changes: [], idempotent: 'draft-1' });
      return (
        <button type="button" onClick={() => save.mutate({ path: { id: 'a' }, body: { text: 'new' } })}>
          {note.isError ? note.error.code : 'waiting'}
        </button>
      );
    }
    render(
      <FakePortal>
        <Own />
      </FakePortal>,
    );
    await userEvent.click(await screen.findByText('unavailable'));
    await waitFor(() => expect(fake.calls.map((c) => c.method)).toEqual(['GET', 'PUT']));
    expect(fake.calls[1]?.headers.get('idempotency-key')).toBe('draft-1');
  });

  test('a status in `empty` is no error', async () => {
    fakeApi({ 'GET /notes/{id}': () => refuse(404, 'not_found') });
    render(
      <FakePortal>
        <Note />
      </FakePortal>,
    );
    await screen.findByText('nothing');
  });
});

describe('hooks', () => {
  function May() {
    const may = useMay('m.save');
    return <p>{may.ok ? 'yes' : may.reason}</p>;
  }
  const write = { 'm.save': { access: 'customer', effect: 'write', impersonation: false } } as const;
  const impersonated = { session: { id: 'c', role: 'customer', name: 'J', impersonator: { name: 'S', until: '' } } } as const;
  test.each([
    ['a customer', {}, write, 'yes'],
    ['an impersonator', impersonated, write, 'You are only viewing this portal, so you cannot change anything.'],
    ['an impersonator whom the label lets', impersonated, { 'm.save': { ...write['m.save'], impersonation: true } }, 'yes'],
    ['an impersonator who reads', impersonated, { 'm.save': { ...write['m.save'], effect: 'read' } } as const, 'yes'],
    ['staff', { session: { id: 's', role: 'staff', name: 'S' } } as const, write, 'Only a customer can do this.'],
    ['nobody', { session: null }, write, 'Sign in first to do this.'],
    ['a label without it', {}, {}, 'This is not available here.'],
  ])('useMay: %s', async (_, portal, operations, text) => {
    render(
      <FakePortal portal={portal} operations={operations} locale="en">
        <May />
      </FakePortal>,
    );
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  test('a draft is kept in the tab under its module', async () => {
    function Draft() {
      const [value, set, clear] = useDraft('d', 'empty');
      return (
        <>
          <output>{value}</output>
          <button type="button" onClick={() => set('kept')}>
            keep
          </button>
          <button type="button" onClick={clear}>
            clear
          </button>
        </>
      );
    }
    const first = render(
      <FakePortal module="m">
        <Draft />
      </FakePortal>,
    );
    await userEvent.click(await screen.findByText('keep'));
    first.unmount();
    const second = render(
      <FakePortal module="m">
        <Draft />
      </FakePortal>,
    );
    expect(await screen.findByText('kept')).toBeInTheDocument();
    second.unmount();
    render(
      <FakePortal module="other">
        <Draft />
      </FakePortal>,
    );
    expect(await screen.findByText('empty')).toBeInTheDocument();
  });

  row('face-clock', 'today by the server’s clock in the label’s zone', async () => {
    expect(day(Date.parse('2026-11-20T22:59:00Z'), 'Europe/Amsterdam')).toBe('2026-11-20');
    expect(day(Date.parse('2026-11-20T23:00:00Z'), 'Europe/Amsterdam')).toBe('2026-11-21');
    function Today() {
      return <p>{useToday()}</p>;
    }
    render(
      <FakePortal now="2030-01-01T12:00:00Z">
        <Today />
      </FakePortal>,
    );
    expect(await screen.findByText('2030-01-01')).toBeInTheDocument();
  });
});

describe('manifest', () => {
  const t = { id: 'm.t', defaultMessage: 'T' };
  const texts = { nl: { 'm.t': 'Tnl' }, en: { 'm.t': 'T' } };
  const page = async () => ({ default: () => null });
  const remote = (o: object) => defineRemote({ key: 'm', contract: 1, messages: async () => ({ default: {} }), ...o });
  test('drops the functions and contains the texts of titles', () => {
    const m = manifestOf(
      remote({
        routes: [{ path: '/x', title: t, page }],
        overlays: [{ name: 'o', parent: '/x', title: t, view: page }],
        slots: { home: [{ id: 's', order: 1, view: page, summary: page }] },
      }),
      '1.2.3',
      texts,
    );
    expect(JSON.parse(JSON.stringify(m))).toEqual(m);
    expect(m).toMatchObject({
      key: 'm',
      version: '1.2.3',
      routes: [{ path: '/x', title: t }],
      slots: { home: [{ id: 's', order: 1, summary: true }] },
      titles: { nl: { 'm.t': 'Tnl' } },
    });
  });
  row('10-module-one-version', 'a remote needs no version: that of a plugin is in its Go half', () => {
    expect(manifestOf(remote({}), undefined, texts)).not.toHaveProperty('version');
  });
  test('throws for conflicting declarations', () => {
    const twice = [
      { path: '/x', title: t, page },
      { path: '/x', title: t, page },
    ];
    expect(() => manifestOf(remote({ routes: twice }), '1', texts)).toThrow('path /x is declared twice');
    expect(() =>
      manifestOf(remote({ routes: [{ path: '/x', title: { id: 'other.t', defaultMessage: 'T' }, page }] }), '1', texts),
    ).toThrow('does not begin with m.');
    expect(() => manifestOf(remote({ routes: [{ path: '/x', title: t, page }] }), '1', { nl: {}, en: texts.en })).toThrow(
      'missing in nl.json',
    );
  });
  test('overlay paths', () => {
    expect(overlayPath('v', { name: 'o', params: ['b', 'a'] }, { a: '1', b: '2/3' })).toBe('/v/o/2%2F3/1');
    expect(() => overlayPath('v', { name: 'o', params: ['a'] })).toThrow('needs a');
  });
});
