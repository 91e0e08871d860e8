import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from './api';
import { useAccess } from './consent';
import Historical from './historical';
import { agreement, connection, consent, customerApi, eans, gas, history, show } from './testing';

const Section = ({ connections, of = agreement() }: { connections: Connection[]; of?: ReturnType<typeof agreement> }) => (
  <Historical agreement={of} connections={connections} access={useAccess(connections)} />
);
const section = (connections = [connection(), gas()]) => <Section connections={connections} />;

afterEach(cleanup);

// The body is a string, because Node's Response does not accept jsdom's Blob, and its size would be lost.
const csv = (bytes: number) =>
  new Response('x'.repeat(bytes), {
    headers: {
      'Content-Type': 'text/csv',
      'Content-Disposition': `attachment; filename="historical-data-${eans.electricity}.csv"`,
    },
  });

describe('historical meter data', () => {
  row('8-historical-messages', 'not supported for conventional meters, consent needed where it is missing', async () => {
    const api = customerApi({ 'GET /smartmeterreadings/historicaldata': consent(false) });
    show(section([connection({ meter_type: 'CONVENTIONAL' }), gas({ meter_type: 'CONVENTIONAL' })]));
    expect(await screen.findByText(/cannot be read from a distance/)).toBeVisible();
    expect(api.calls).toEqual([]);
    cleanup();
    show(section());
    expect(await screen.findByText(/We need your consent first/)).toBeVisible();
    expect(screen.getByText(/reaches back to 20-11-2024/)).toBeVisible();
    cleanup();
    // If the page's data is outdated, an error response of the server has the same text.
    for (const [status, code, words] of [
      [403, 'usage.consent_needed', /We need your consent first/],
      [422, 'usage.not_supported', /cannot be read from a distance/],
    ] as const) {
      customerApi({ 'GET /smartmeterreadings/historicaldata/{agreement}': refuse(status, code) });
      show(section());
      expect(await screen.findByText(words)).toBeVisible();
      cleanup();
    }
  });

  row('9-historical-span', 'says that it reaches back two years, or to the start of a later contract', async () => {
    for (const [from, day] of [
      ['2019-05-01', '20-11-2024'],
      ['2024-11-20', '20-11-2024'],
      ['2024-11-21', '21-11-2024'],
    ] as const) {
      customerApi({ 'GET /smartmeterreadings/historicaldata': consent(false) });
      show(<Section connections={[connection()]} of={agreement({ period: { from, to: null } })} />);
      expect(await screen.findByText(/reaches back to/), from).toHaveTextContent(`reaches back to ${day}`);
      cleanup();
    }
  });

  row('5.10-historical-conditions', 'data only with consent and a smart meter', async () => {
    customerApi();
    const data = () => screen.queryByRole('button', { name: 'Fetch the latest data' });
    for (const [meter, given, there] of [
      ['SMART', true, true],
      ['SMART', false, false],
      ['CONVENTIONAL', true, false],
      ['CONVENTIONAL', false, false],
    ] as const) {
      const api = customerApi({ 'GET /smartmeterreadings/historicaldata': consent(given) });
      show(section([connection({ meter_type: meter })]));
      await screen.findByText(there ? /You gave your consent/ : meter === 'SMART' ? /your consent first/ : /from a distance/);
      expect(data() !== null).toBe(there);
      expect(api.calls.some((c) => c.path.includes('/historicaldata/'))).toBe(there);
      cleanup();
    }
  });

  row('9-usage-intervals-basis', 'by contract, without a text about consent', async () => {
    const api = customerApi();
    show(section(), { settings: { consent_text_version: '2026-01', history_months: 24, intervals: 'contract' } });
    expect(await screen.findByText(/Your contract needs what your smart meter measures/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Fetch the latest data' })).toBeVisible();
    expect(screen.queryByText(/consent/)).toBeNull();
    expect(api.calls.map((c) => c.path)).not.toContain('/smartmeterreadings/historicaldata');
  });

  row(
    ['4-consent-given-view', '4-consent-last-retrieval', '9-historical-hours'],
    'shows date, help text, last retrieval, and a button to retrieve',
    async () => {
      const api = customerApi({
        'POST /smartmeterreadings/retrievals': {
          state: 'QUEUED',
          progress: 0,
          requested: '2026-11-20T10:00:00Z',
        },
      });
      show(section());
      expect((await screen.findByText(/You gave your consent on/)).textContent).toMatch(/on 13-03-2026\. So we may fetch/);
      expect(screen.getByText('Last fetched').nextElementSibling).toHaveTextContent('19-11-2026, 14:03');
      expect(screen.getByText(/can take a few hours/)).toBeVisible();
      api.answers['GET /smartmeterreadings/historicaldata/{agreement}'] = history({
        retrieval: { state: 'RUNNING', progress: 40 },
      });
      await userEvent.click(screen.getByRole('button', { name: 'Fetch the latest data' }));
      expect(await screen.findByRole('progressbar', { name: 'Your meter data is being fetched' })).toHaveAttribute(
        'aria-valuenow',
        '40',
      );
      expect(api.calls.find((c) => c.method === 'POST')?.body).toEqual({ agreement_identifier: '10240001' });
      expect(screen.queryByRole('button', { name: 'Fetch the latest data' })).toBeNull();
    },
  );

  row('4-consent-last-retrieval', 'without a retrieval it says where the data is from, if there is any', async () => {
    const [one] = history().connections;
    for (const [until, says] of [
      ['2026-11-18', 'Not yet; what you see here your meter sends us by itself'],
      [undefined, 'Not yet'],
    ] as const) {
      customerApi({
        'GET /smartmeterreadings/historicaldata/{agreement}': history({
          last_retrieval: null,
          connections: one ? [{ ...one, until } as typeof one] : [],
        }),
      });
      show(section());
      expect((await screen.findByText('Last fetched')).nextElementSibling?.textContent).toBe(says);
      cleanup();
    }
  });

  it('shows the progress of a retrieval also after a reload, and when it is done', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const api = customerApi({
        'GET /smartmeterreadings/historicaldata/{agreement}': history({
          last_retrieval: null,
          retrieval: { state: 'QUEUED', progress: 0 },
        }),
      });
      show(section());
      expect(await screen.findByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
      expect(screen.getByText('Last fetched').nextElementSibling).toHaveTextContent('Not yet');
      api.answers['GET /smartmeterreadings/historicaldata/{agreement}'] = history();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await screen.findByRole('button', { name: 'Fetch the latest data' })).toBeVisible();
      expect(screen.queryByRole('progressbar')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('shows that a retrieval failed and why, and offers a retry', async () => {
    customerApi({
      'GET /smartmeterreadings/historicaldata/{agreement}': history({
        retrieval: { state: 'FAILED', progress: 30, code: 'usage.source' },
      }),
    });
    show(section());
    expect(await screen.findByRole('alert')).toHaveTextContent(/Fetching did not work.*grid operator did not answer/);
    expect(screen.getByRole('button', { name: 'Fetch the latest data' })).toBeVisible();
  });

  it('an impersonator may view but not retrieve', async () => {
    customerApi();
    show(section(), {
      portal: {
        session: { id: 's', role: 'customer', name: 'F', impersonator: { name: 'Bram', until: '2026-11-20T11:00:00Z' } },
      },
    });
    expect(await screen.findByRole('button', { name: /Fetch the latest data/ })).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('CSV', () => {
  const button = () => screen.findByRole('button', { name: 'Download CSV Electricity' });

  row(
    ['7.2-csv-file-name', '7.2-csv-name-reconcile', '7.2-csv-min-size'],
    'saved under its fixed name from 80 bytes',
    async () => {
      const api = customerApi({ 'GET /smartmeterreadings/csv/{ean}': csv(80) });
      show(section());
      await userEvent.click(await button());
      await waitFor(() =>
        expect(api.saved).toEqual([{ name: `historical-data-${eans.electricity}.csv`, file: expect.anything() }]),
      );
      expect(api.calls.at(-1)?.params).toEqual({ ean: eans.electricity });
      expect(screen.queryByText(/no meter data to download/)).toBeNull();
      api.answers['GET /smartmeterreadings/csv/{ean}'] = csv(79);
      await userEvent.click(await button());
      expect(await screen.findByText(/no meter data to download/)).toBeVisible();
      expect(api.saved).toHaveLength(1);
    },
  );

  row(
    ['9-usage-csv-excel', '7.2-csv-name-reconcile'],
    'for Excel by its own button, each under the name in its answer',
    async () => {
      const api = customerApi({
        'GET /smartmeterreadings/csv/{ean}': ({ query }: { query: Record<string, string> }) =>
          new Response('x'.repeat(80), {
            headers: { 'Content-Disposition': `attachment; filename="${query.layout ?? 'csv'}.csv"`, 'Content-Type': 'text/csv' },
          }),
      });
      show(section());
      await userEvent.click(await screen.findByRole('button', { name: 'Download for Excel Electricity' }));
      const saved = (name: string) => ({ name, file: expect.anything() });
      await waitFor(() => expect(api.saved).toEqual([saved('excel.csv')]));
      await userEvent.click(await button());
      await waitFor(() => expect(api.saved).toEqual([saved('excel.csv'), saved('csv.csv')]));
      expect(screen.getByText(/The file for Excel opens with a double click/)).toBeVisible();
      api.answers['GET /smartmeterreadings/csv/{ean}'] = csv(25);
      await userEvent.click(screen.getByRole('button', { name: 'Download for Excel Electricity' }));
      expect(await screen.findByText(/no meter data to download/)).toBeVisible();
      expect(api.saved).toHaveLength(2);
    },
  );

  row('7.2-csv-too-small', 'shows the no-data notice instead of a download', async () => {
    const api = customerApi({ 'GET /smartmeterreadings/csv/{ean}': csv(79) });
    show(section());
    await userEvent.click(await button());
    expect(await screen.findByText('There is no meter data to download yet. Fetch the latest data first.')).toBeVisible();
    expect(api.saved).toEqual([]);
  });

  it('a failed file shows an error in its own row', async () => {
    const api = customerApi({ 'GET /smartmeterreadings/csv/{ean}': refuse(500, 'internal') });
    show(section());
    await userEvent.click(await button());
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(api.saved).toEqual([]);
  });

  it('is not offered for a connection without data or consent', async () => {
    const one = consent(true);
    const [first, second] = one.connections;
    if (!first || !second) throw new Error('two connections');
    customerApi({
      'GET /smartmeterreadings/historicaldata': { ...one, connections: [first, { ...second, consentPresent: false }] },
      'GET /smartmeterreadings/historicaldata/{agreement}': history({
        connections: history().connections.map(({ until: _, ...c }) => c),
      }),
    });
    show(section());
    const rows = await screen.findAllByRole('listitem');
    expect(rows.map((r) => r.textContent)).toEqual([
      'ElectricityNo meter data yet',
      expect.stringMatching(/^GasWe need your consent first.*No consent$/),
    ]);
    expect(within(screen.getByRole('list')).queryByRole('button')).toBeNull();
  });
});
