import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodeHistoryId } from './history-id.rules';
import MeterMeasuringPage from './metermeasuring-page';
import remote from './remote';
import { agreement, connection, customerApi, eans, gas, reading, show } from './testing';
import UsageHistory from './usage-history';

afterEach(cleanup);

const close = vi.fn();
const overlay = (id: string) => <UsageHistory params={{ id }} close={close} setDirty={() => undefined} />;
const id = (delivery: boolean) =>
  encodeHistoryId({ agreement_identifier: '10240001', location_id: 'L1', ean_code: eans.electricity, delivery });
const dates = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((r) => within(r).getAllByRole('cell')[0]?.lastElementChild?.textContent);

describe('usage history', () => {
  row(
    ['2.3-overlay-usage-history', '9-usage-history-table'],
    'ten rows per page, latest first, of the connection in the id',
    async () => {
      const shuffled = [3, 0, 11, 7, 1, 5, 2, 9, 4, 10, 8, 6].map((n) => reading(n));
      const api = customerApi({ 'GET /readings/{agreement}/{location}/{ean}': shuffled });
      show(overlay(id(true)));
      await screen.findByRole('table');
      expect(api.calls.map((c) => c.path)).toContain(`/readings/10240001/L1/${eans.electricity}`);
      expect(dates()).toEqual(['11', '10', '09', '08', '07', '06', '05', '04', '03', '02'].map((month) => `01-${month}-2026`));
      expect(screen.getByRole('table').textContent).toMatch(/Feed-in normal3\.000/);
      await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
      expect(dates()).toEqual(['01-01-2026', '01-12-2025']);
      cleanup();
      // The delivery flag in the id determines whether feed-in is shown.
      show(overlay(id(false)));
      expect((await screen.findByRole('table')).textContent).not.toMatch(/Feed-in/);
    },
  );

  row('2.3-usage-history-encoding', 'an invalid id closes the overlay', async () => {
    expect(remote.overlays).toMatchObject([{ name: 'usage-history', params: ['id'], parent: '/usage' }]);
    const api = customerApi();
    show(overlay('onzin'));
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    expect(api.calls).toEqual([]);
    // The id in the link is URL-safe base64 of exactly this JSON.
    expect(JSON.parse(Buffer.from(id(true), 'base64url').toString())).toEqual({
      agreement_identifier: '10240001',
      location_id: 'L1',
      ean_code: eans.electricity,
      delivery: true,
    });
  });

  row(
    '9-reading-difference',
    'the usage is the difference of the readings that are displayed, also over a page and a replaced meter',
    async () => {
      // 254,4 − 0,6 is 253,8, but is displayed as 254 and 0
      const all = [
        reading(0, { consumption_normal: 300.9, consumption_low: 100.9, consumption: 46.7 }),
        reading(1, { consumption_normal: 254.4, consumption_low: 100.7, consumption: 253.8 }),
        reading(2, { consumption_normal: 0.6, consumption_low: 100.7, consumption: null }),
        reading(3, { meter_number: 'old', consumption_normal: 80, consumption_low: null, consumption: 7.5 }),
        reading(4, { meter_number: 'old', consumption_normal: 72.5, consumption_low: null, consumption: null }),
      ];
      customerApi({ 'GET /readings/{agreement}/{location}/{ean}': all });
      show(overlay(id(false)));
      const table = await screen.findByRole('table');
      const used = within(table)
        .getAllByRole('row')
        .slice(1)
        .map((r) => within(r).getAllByRole('cell').at(-1)?.lastElementChild?.textContent?.replaceAll('\u00a0', ' '));
      expect(used).toEqual(['46 kWh', '254 kWh', '–', '8 kWh', '–']);
      cleanup();
      show(<MeterMeasuringPage />);
      expect((await screen.findAllByRole('table', { name: 'Readings Electricity' }))[0]).toHaveTextContent(/254\skWh/);
    },
  );

  row('8-readings-empty', 'shows the notice without readings and after a failure', async () => {
    for (const answer of [[], refuse(404, 'not_found'), refuse(500, 'internal')]) {
      customerApi({ 'GET /readings/{agreement}/{location}/{ean}': answer });
      show(overlay(id(true)));
      expect(await screen.findByText('There are no readings for this meter')).toBeVisible();
      cleanup();
    }
  });
});

describe('meter readings page', () => {
  row('2.1-metermeasuring-route', 'shows the readings of every meter, by address', async () => {
    customerApi({
      'GET /readings/{agreement}/{location}/{ean}': ({ params }: { params: Record<string, string> }) =>
        params.ean === eans.gas
          ? [
              reading(0, {
                unit: 'M3N',
                consumption: 88,
                consumption_normal: 5620,
                consumption_low: null,
                feedin_normal: null,
                feedin_low: null,
              }),
            ]
          : [reading(0)],
    });
    show(<MeterMeasuringPage />);
    const home = await screen.findByRole('region', { name: 'Molenweg 12, Grootegast' });
    const electricity = await within(home).findByRole('table', { name: 'Readings Electricity' });
    expect(electricity).toHaveTextContent('12.000');
    expect(electricity).toHaveTextContent(/229 kWh/);
    const meter = await within(home).findByRole('table', { name: 'Readings Gas' });
    expect(meter).toHaveTextContent('5.620');
    expect(meter).toHaveTextContent(/88 m³/);
    expect(
      within(meter)
        .getAllByRole('columnheader')
        .map((h) => h.textContent),
    ).toEqual(['Date', 'Reading', 'Used since the previous reading']);
    expect(await screen.findByRole('region', { name: 'Dijk 3 A, Leek' })).toBeVisible();
  });

  row('8-readings-empty', 'of a contract that has ended it says that it is about the time of that contract', async () => {
    for (const [period, status, then] of [
      [{ from: '2020-01-01', to: '2023-12-31' }, 'ACTIVE', true],
      [{ from: '2020-01-01', to: null }, 'TERMINATED', true],
      [{ from: '2020-01-01', to: '2026-11-20' }, 'ACTIVE', false], // today
    ] as const) {
      customerApi({
        'GET /agreements': [agreement({ period, status })],
        'GET /readings/{agreement}/{location}/{ean}': [],
      });
      show(<MeterMeasuringPage />);
      const none = await screen.findAllByText(/^There are no readings for this meter/);
      expect(none[0]?.textContent.includes('from the time of this contract'), String(period.to)).toBe(then);
      cleanup();
      customerApi({
        'GET /agreements': [agreement({ period, status })],
        'GET /readings/{agreement}/{location}/{ean}': refuse(500, 'internal'),
      });
      show(<MeterMeasuringPage />);
      expect(await screen.findAllByText('There are no readings for this meter'), 'nothing is known after a failure').not.toEqual(
        [],
      );
      cleanup();
    }
  });

  it('shows a text without meters, and a retry after a failure', async () => {
    customerApi({ 'GET /connections': [] });
    show(<MeterMeasuringPage />);
    expect(await screen.findByText('No meter of yours is known to us yet')).toBeVisible();
    cleanup();
    const api = customerApi({ 'GET /connections': refuse(500, 'internal') });
    show(<MeterMeasuringPage />);
    const again = await screen.findByRole('button', { name: 'Try again' });
    api.answers['GET /connections'] = [connection(), gas()];
    await userEvent.click(again);
    expect(await screen.findByRole('region', { name: 'Molenweg 12, Grootegast' })).toBeVisible();
  });
});
