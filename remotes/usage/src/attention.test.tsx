import { cleanup, screen, waitFor } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import type { Consent } from './api';
import UsageAttention from './attention';
import { consent, customerApi, show } from './testing';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const each = (more: Partial<Consent['connections'][number]>): Consent => ({
  ...consent(false),
  connections: consent(false).connections.map((c) => ({ ...c, ...more })),
});

row('9-dashboard-attention', 'missing consent needs attention: not given, revoked or impossible consent does not', async () => {
  customerApi({ 'GET /smartmeterreadings/historicaldata': consent(false) });
  show(<UsageAttention />);
  const link = await screen.findByRole('link', { name: /^Give consent to read your smart meter/ });
  expect(link).toHaveAttribute('href', '/usage');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  for (const nothing of [consent(true), each({ revokedDateTime: '2026-05-01T10:00:00Z' }), each({ supported: false })]) {
    cleanup();
    const api = customerApi({ 'GET /smartmeterreadings/historicaldata': nothing });
    show(<UsageAttention />);
    await waitFor(() => expect(api.calls).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(50);
    expect(screen.queryAllByRole('listitem')).toEqual([]);
  }
});
