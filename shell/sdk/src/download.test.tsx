import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DownloadOptions, fileName, setSaver, useDownload } from './download';
import { useProblemText } from './hooks';
import { type FakeApi, FakePortal, fakeApi, file, refuse } from './testing';

function Row({ at, ...o }: { at: string } & DownloadOptions) {
  const d = useDownload();
  const text = useProblemText();
  return (
    <p>
      <button type="button" onClick={() => void d.download(at, o)}>
        save
      </button>
      {d.busy && 'busy'}
      {d.problem && text(d.problem)}
    </p>
  );
}

const shown = (path: string, o: DownloadOptions = {}) =>
  render(
    <FakePortal messages={{ file_not_found: 'Not there', unexpected: 'Oops', network: 'Offline', unavailable: 'Later' }}>
      <Row at={path} {...o} />
    </FakePortal>,
  );
const names = (api: FakeApi) => api.saved.map((s) => ('name' in s ? s.name : s.path));

describe('behavior of the browser', () => {
  const clicked: { href: string; download: string }[] = [];
  beforeEach(() => {
    clicked.length = 0;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push({ href: this.getAttribute('href') ?? '', download: this.download });
    });
    URL.createObjectURL = () => 'blob:1';
    URL.revokeObjectURL = () => undefined;
  });
  afterEach(() => setSaver());

  row(
    '7-file-downloads',
    'a file is saved under the name that the answer supplies, the exact one before the plain one',
    async () => {
      fakeApi({
        'GET /invoices/{id}/file': () =>
          new Response('%PDF', {
            headers: {
              'Content-Type': 'application/pdf',
              'Content-Disposition': `attachment; filename="Factuur _ 1.pdf"; filename*=UTF-8''Factuur%20%E2%82%AC%201.pdf`,
            },
          }),
        'GET /tariffsheets/{id}/file': () =>
          new Response('%PDF', { headers: { 'Content-Disposition': 'attachment; filename="tarieven 2026.pdf"' } }),
        'GET /smartmeterreadings/csv/{ean}': ({ params }: { params: Record<string, string> }) =>
          new Response('a;b', { headers: { 'Content-Disposition': `attachment; filename=historical-data-${params.ean}.csv` } }),
      });
      setSaver();
      for (const [path, name] of [
        ['/api/v0/invoices/F1/file', 'Factuur € 1.pdf'],
        ['/tariffsheets/T1/file', 'tarieven 2026.pdf'],
        ['/smartmeterreadings/csv/871', 'historical-data-871.csv'],
      ] as const) {
        const page = shown(path);
        await userEvent.click(screen.getByText('save'));
        await vi.waitFor(() => expect(clicked.at(-1)).toEqual({ href: 'blob:1', download: name }));
        page.unmount();
      }
    },
  );

  test('a ticket is a URL that the browser saves under the name in the response', async () => {
    fakeApi({ 'POST /downloads': { url: '/api/v0/downloads/abc', expires_in: 60 } });
    setSaver();
    shown('/agreements/{id}/invoices/archive', { ticket: true, path: { id: 'A 1' }, query: { year: 2026 } });
    await userEvent.click(screen.getByText('save'));
    await vi.waitFor(() => expect(clicked).toEqual([{ href: '/api/v0/downloads/abc', download: '' }]));
  });
});

test('the path of a ticket has its values and its query', async () => {
  const api = fakeApi({});
  shown('/agreements/{id}/invoices/archive', { ticket: true, path: { id: 'A 1' }, query: { year: 2026 } });
  await userEvent.click(screen.getByText('save'));
  await vi.waitFor(() => expect(names(api)).toEqual(['/api/v0/agreements/A%201/invoices/archive?year=2026']));
});

test('a ticket with a foreign URL is not followed', async () => {
  const api = fakeApi({ 'POST /downloads': { url: 'https://evil.example/x' } });
  shown('/a', { ticket: true });
  await userEvent.click(screen.getByText('save'));
  await screen.findByText(/Oops/);
  expect(api.saved).toEqual([]);
});

test('a failed file shows its problem at the row, and can be retried', async () => {
  let exists = false;
  const api = fakeApi({ 'GET /a/file': () => (exists ? file('a.pdf', '%PDF') : refuse(404, 'file_not_found')) });
  shown('/api/v0/a/file');
  await userEvent.click(screen.getByText('save'));
  await screen.findByText(/Not there/);
  expect(api.saved).toEqual([]);
  exists = true;
  await userEvent.click(screen.getByText('save'));
  await vi.waitFor(() => expect(names(api)).toEqual(['a.pdf']));
  expect(screen.queryByText(/Not there/)).toBeNull();
});

test('an incomplete file is not saved', async () => {
  const api = fakeApi({
    'GET /a/file': () => {
      const half = file('a.pdf', '%PDF');
      half.clone = () => Object.assign(file('a.pdf', ''), { blob: () => Promise.reject(new TypeError('broken off')) });
      return half;
    },
  });
  shown('/a/file');
  await userEvent.click(screen.getByText('save'));
  await screen.findByText(/Offline/);
  expect(api.saved).toEqual([]);
});

test('a double click saves one file; the Bearer token goes to no other host', async () => {
  let go: (r: Response) => void = () => undefined;
  const api = fakeApi({ 'GET /a/file': () => new Promise((r) => (go = r as typeof go)) });
  const page = shown('/a/file');
  await userEvent.click(screen.getByText('save'));
  await screen.findByText(/busy/);
  await userEvent.click(screen.getByText('save'));
  go(file('a.pdf', '%PDF'));
  await vi.waitFor(() => expect(names(api)).toEqual(['a.pdf']));
  expect(api.calls).toHaveLength(1);
  page.unmount();
  for (const path of ['https://evil.example/a', '//evil.example/a', 'a']) {
    const other = shown(path);
    await userEvent.click(screen.getByText('save'));
    await screen.findByText(/Oops/);
    other.unmount();
  }
  expect(api.calls).toHaveLength(1);
});

test('a file that `worth` rejects is not saved', async () => {
  const api = fakeApi({ 'GET /a/file': () => file('a.csv', 'x', 'text/csv') });
  shown('/a/file', { worth: (f) => f.size >= 80 });
  await userEvent.click(screen.getByText('save'));
  await vi.waitFor(() => expect(api.calls).toHaveLength(1));
  expect(api.saved).toEqual([]);
});

test('names of downloads', () => {
  for (const [disposition, name] of [
    ['attachment; filename="factuur 1.pdf"', 'factuur 1.pdf'],
    ["attachment; filename=x.pdf; filename*=UTF-8''caf%C3%A9.pdf", 'café.pdf'],
    ["attachment; filename*=UTF-8'nl'caf%C3%A9.pdf; filename=x.pdf", 'café.pdf'],
    ["attachment; filename=x.pdf; filename*=UTF-8''%E9.pdf", 'x.pdf'], // not UTF-8
    ['attachment; filename="a \\"b\\"; filename=c.pdf"', 'a "b"; filename=c.pdf'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ["attachment; filename*=UTF-8''..%2F..%5Cx.pdf", 'x.pdf'],
    ['attachment', undefined],
    ['', undefined],
    [null, undefined],
  ] as const)
    expect(fileName(disposition)).toBe(name);
});
