import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakePortal, type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import type { ReactElement } from 'react';
import { describe, expect, test, vi } from 'vitest';
import type { Outage, Reported } from './api';
import Banner from './banner';
import en from './messages/en.json';
import NearPage from './near-page';
import { checkReport, momentAt, readAreas, type Typed } from './report.rules';
import ReportPage from './report-page';
import StaffPage from './staff-page';
import Tile from './tile';

const home = { street: 'Laan', house_number: '1A', zip_code: '2555BX', city: 'Den Haag' };
const outage = (more: Partial<Outage> = {}): Outage => ({
  id: 'a',
  commodity: 'electricity',
  planned: false,
  state: 'active',
  starts_at: '2026-11-20T08:30:00Z',
  expected_end: null,
  ended_at: null,
  operator: 'Net',
  text: { nl: 'Een kabel is kapot.', en: 'A cable is broken.' },
  addresses: [home],
  ...more,
});
const near = (items: Outage[], subscribed = false) => ({ items, addresses: [home], subscribed });
const reported = (more: Partial<Reported> = {}): Reported => ({
  id: 'a',
  state: 'active',
  commodity: 'gas',
  planned: false,
  areas: ['2555', '3511CD'],
  starts_at: '2026-11-20T08:30:00Z',
  text: { nl: '', en: '' },
  changed_at: '2026-11-20T08:31:00Z',
  mails: 1234,
  ...more,
});
const show = (view: ReactElement, more: { onNotify?: () => void; at?: string } = {}) =>
  render(
    <FakePortal
      module="outages"
      settings={{ fault_number: '0800 9009' }}
      locale="en"
      messages={{ ...kitEn, ...en }}
      now="2026-11-20T10:00:00Z"
      {...more}
    >
      {view}
    </FakePortal>,
  );

describe('customers', () => {
  test('see what is the matter, where, since when and until when', async () => {
    fakeApi({
      'GET /outages': near([
        outage(),
        outage({
          id: 'b',
          commodity: 'gas',
          planned: true,
          state: 'planned',
          starts_at: '2026-11-25T08:00:00Z',
          expected_end: '2026-11-25T12:00:00Z',
        }),
      ]),
    });
    show(<NearPage />);
    expect(await screen.findByRole('heading', { name: 'Power outage' })).toBeVisible();
    expect(screen.getByText('20-11-2026 09:30')).toBeVisible(); // in the label's zone
    expect(screen.getByText('Not known yet')).toBeVisible();
    expect(screen.getAllByText('A cable is broken.')).toHaveLength(2);
    expect(screen.getAllByText('Laan 1A, Den Haag')).toHaveLength(2);
    expect(screen.getByRole('heading', { name: 'Planned work on gas' })).toBeVisible();
    expect(screen.getByText('25-11-2026 13:00')).toBeVisible();
    expect(screen.getByRole('link', { name: '0800 9009' })).toHaveAttribute('href', 'tel:08009009');
  });

  test('see that there is none', async () => {
    fakeApi({ 'GET /outages': near([]) });
    show(<NearPage />);
    expect(await screen.findByText('There are no outages near you')).toBeVisible();
  });

  test('switch emails on and off', async () => {
    let on = false;
    const api = fakeApi({
      'GET /outages': () => near([], on),
      'PUT /outages/subscription': ({ body }: FakeRequest) => {
        on = (body as { subscribed: boolean }).subscribed;
        return new Response(null, { status: 204 });
      },
    });
    show(<NearPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Switch emails on' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Switch emails off' }));
    await screen.findByRole('button', { name: 'Switch emails on' });
    expect(api.calls.filter((c) => c.method === 'PUT').map((c) => c.body)).toEqual([{ subscribed: true }, { subscribed: false }]);
  });

  test('get a banner for what is active, and none on its own page or when it cannot be loaded', async () => {
    const hold = () => () => {};
    fakeApi({ 'GET /outages': near([outage(), outage({ id: 'b', state: 'planned', commodity: 'gas' })]) });
    const { unmount } = show(<Banner page="/home" hold={hold} />);
    expect(await screen.findByText('Power outage')).toBeVisible();
    expect(screen.queryByText('Gas outage')).toBeNull();
    expect(screen.getByRole('link', { name: 'See what is known' })).toHaveAttribute('href', '/outages');
    unmount();
    const own = show(<Banner page="/outages" hold={hold} />);
    await vi.waitFor(() => expect(own.container).not.toHaveTextContent('Power outage'));
    own.unmount();
    const api = fakeApi({ 'GET /outages': refuse(503, 'unavailable') });
    const failed = show(<Banner page="/home" hold={hold} />);
    await vi.waitFor(() => expect(api.calls).toHaveLength(1));
    expect(failed.container.querySelector('section')).toBeNull();
  });

  test('see on the tile how many there are now', async () => {
    fakeApi({ 'GET /outages': near([outage(), outage({ id: 'b' }), outage({ id: 'c', state: 'planned' })]) });
    show(<Tile />);
    expect(await screen.findByText('2 outages near you now.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See all' })).toHaveAttribute('href', '/outages');
  });
});

describe('staff', () => {
  test('end an outage, and delete one after a question', async () => {
    let items = [reported(), reported({ id: 'b', state: 'ended', commodity: 'electricity' })];
    const api = fakeApi({
      'GET /staff/outages': () => ({ items }),
      'PUT /staff/outages/{id}': ({ body }: FakeRequest) => ({ ...reported(), ...(body as object) }),
      'DELETE /staff/outages/{id}': ({ params }: FakeRequest) => {
        items = items.filter((o) => o.id !== params.id);
        return new Response(null, { status: 204 });
      },
    });
    show(<StaffPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'It is over' }));
    await vi.waitFor(() => expect(api.calls.some((c) => c.method === 'PUT')).toBe(true));
    const put = api.calls.find((c) => c.method === 'PUT');
    expect(put?.body).toEqual({
      commodity: 'gas',
      planned: false,
      areas: ['2555', '3511CD'],
      starts_at: '2026-11-20T08:30:00Z',
      text: { nl: '', en: '' },
      ended_at: '2026-11-20T10:00:00.000Z',
    });
    await userEvent.click(screen.getAllByRole('button', { name: 'Delete' })[1] as HTMLElement);
    expect(api.calls.some((c) => c.method === 'DELETE')).toBe(false);
    const dialog = await screen.findByRole('alertdialog');
    await userEvent.click([...dialog.querySelectorAll('button')].find((b) => b.textContent === 'Delete') as HTMLElement);
    await vi.waitFor(() => expect(api.calls.find((c) => c.method === 'DELETE')?.params.id).toBe('b'));
  });

  test('report one; what is missing or refused is said at its field', async () => {
    const api = fakeApi({
      'PUT /staff/outages/{id}': refuse(400, 'invalid', [{ field: 'areas', code: 'outages.area_invalid' }]),
    });
    show(<ReportPage />);
    await userEvent.selectOptions(await screen.findByLabelText('What is interrupted'), 'Power');
    await userEvent.type(screen.getByLabelText('Postal codes'), '2555 bx, 3511');
    await userEvent.click(screen.getByRole('button', { name: 'Report' }));
    await vi.waitFor(() => expect(api.calls).toHaveLength(1));
    expect(api.calls[0]?.body).toEqual({
      commodity: 'electricity',
      planned: false,
      areas: ['2555BX', '3511'],
      starts_at: '2026-11-20T10:00:00.000Z',
      expected_end: null,
      operator: '',
      text: { nl: '', en: '' },
    });
    expect(
      (await screen.findAllByText('Write postal codes as 1234 AB, or as 1234 for a whole neighborhood.')).length,
    ).toBeGreaterThan(0);
  });
});

describe('rules', () => {
  const zone = 'Europe/Amsterdam';
  const typed: Typed = {
    commodity: 'gas',
    kind: 'fault',
    areas: '2555',
    starts_day: '2026-11-20',
    starts_time: '9:30',
    end_day: null,
    end_time: '',
    operator: '',
    text_nl: '',
    text_en: '',
  };
  test('areas', () => {
    expect(readAreas('2555 bx, 3511\n2555BX;1234 AB')).toEqual(['2555BX', '3511', '1234AB']);
  });
  test('a moment in a zone, and none in an hour that is skipped', () => {
    expect(momentAt('2026-11-20', '09:30', zone)).toBe('2026-11-20T08:30:00.000Z');
    expect(momentAt('2026-03-29', '02:30', zone)).toBeUndefined();
  });
  test.each([
    [{}, {}],
    [{ commodity: '' }, { commodity: 'required' }],
    [{ areas: '12' }, { areas: 'outages.area_invalid' }],
    [{ areas: ' ' }, { areas: 'required' }],
    [{ starts_day: null }, { starts_day: 'required' }],
    [{ starts_time: '25:00' }, { starts_time: 'outages.time_invalid' }],
    [{ kind: 'planned' as const }, { end_day: 'required', end_time: 'outages.time_invalid' }],
    [{ end_day: '2026-11-20', end_time: '9:00' }, { end_day: 'outages.end_before_start' }],
    [{ end_day: '2026-11-20' }, { end_time: 'outages.time_invalid' }],
  ])('%o is refused with %o', (change, wrong) => {
    expect(checkReport({ ...typed, ...change }, zone)).toEqual(wrong);
  });
});
