import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { FakePortal, fakeApi, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import { afterEach, expect, test, vi } from 'vitest';
import type { Project } from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';
import remote from './remote';
import YieldWidget from './yield';

afterEach(cleanup);

const made = { period_start_date: '2025-01-01', period_end_date: '2025-12-31', peak: 1234.567, off_peak: 876.5 };
const unknown = { period_start_date: null, period_end_date: null, peak: null, off_peak: null };
const projects: Project[] = [
  {
    project_code: 'W-GRUTTO',
    project_name: 'Windpark De Grutto',
    project_type: 'WIND',
    participations: [
      { participation_identifier: 'P-1', production: made },
      { participation_identifier: 'P-2', production: unknown },
    ],
  },
];
const show = (participation: string | undefined, locale: 'nl' | 'en' = 'en', answer: unknown = projects) => {
  const hide = vi.fn();
  fakeApi({ 'GET /sustainable/projects': answer as never });
  render(
    <FakePortal module="production" locale={locale} messages={locale === 'en' ? { ...kitEn, ...en } : { ...kitNl, ...nl }}>
      <YieldWidget {...(participation ? { participation } : {})} hide={hide} />
    </FakePortal>,
  );
  return hide;
};

row(
  '2.1-participation-production',
  'shows the production of a participation’s shares, peak and off-peak, and the period',
  async () => {
    expect(remote.slots?.participation?.map((s) => s.id)).toContain('yield');
    for (const [locale, period, all, peak, offPeak, settled] of [
      ['en', '01-01-2025 to 31-12-2025', 'Total', 'Peak hours', 'Off-peak hours', /was measured may differ/],
      ['nl', '01-01-2025 tot en met 31-12-2025', 'Totaal', 'Piekuren', 'Daluren', /De meting kan daar iets van afwijken/],
    ] as const) {
      const hide = show('P-1', locale);
      expect(await screen.findByText(period)).toBeVisible();
      expect(screen.getByText(all).nextElementSibling).toHaveTextContent(/^2\.111.kWh$/);
      expect(screen.getByText(settled)).toBeVisible(); // not the sum of the measurements
      expect(screen.getByText(peak).nextElementSibling).toHaveTextContent('1.234,57 kWh');
      expect(screen.getByText(offPeak).nextElementSibling).toHaveTextContent('876,50 kWh');
      expect(hide).not.toHaveBeenCalled();
      cleanup();
    }
  },
);

test('is hidden without data, and for a whole project', async () => {
  for (const hide of [show('P-2'), show('P-9'), show(undefined), show('P-1', 'en', refuse(404, 'module_not_enabled'))])
    await waitFor(() => expect(hide).toHaveBeenCalled());
});
