// Shared by the tests of /overview: a fake API, and the page.

import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakePortal, type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { Measured, Point, Project } from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';
import OverviewPage from './overview-page';

export const projects: Project[] = [
  { project_code: 'W-GRUTTO', project_name: 'Windpark De Grutto', project_type: 'WIND', participations: [] },
  { project_code: 'Z-DORP', project_name: 'Zonnedak Dorpshuis', project_type: 'SOLAR', participations: [] },
];
export const measured = (more: Partial<Measured> = {}): Measured => ({
  project_code: 'W-GRUTTO',
  current_power: 1830,
  power_percentage: 61.2,
  todays_production: 12_400.4,
  year_production: 1_204_000,
  total_production: 41_200_000,
  measured_at: '2026-11-20T09:55:00Z',
  quality: 'measured',
  ...more,
});
export const point = (
  date: [number, number, number],
  labels: Partial<Point['labels']>,
  value: number | null,
  record = false,
): Point => ({
  labels: { ...labels, date: { year: date[0], month: date[1], day: date[2] } },
  value,
  rounded_value: value,
  record,
});
/** Four weeks by day, the second without measurements; today, 20 November, is unfinished. */
export const weeks = (part: number) =>
  Array.from({ length: 28 }, (_, at) => {
    const [month, day] = at < 6 ? [10, 26 + at] : [11, at - 5];
    const known: Record<number, number> = { 0: 80_000, 14: 120_500.4, 25: 30_000 };
    const value = (at >= 7 && at < 14) || at > 25 ? null : (known[at] ?? 0) * part;
    return point([2026, month, day], { week: 44 + Math.floor(at / 7), day }, value, at === 14);
  });
/** The same weeks of 2025; days that are not given were not measured. */
export const before = (known: Record<number, number>) =>
  Array.from({ length: 28 }, (_, at) => {
    const [month, day] = at < 5 ? [10, 27 + at] : [11, at - 4];
    return point([2025, month, day], { week: 44 + Math.floor(at / 7), day }, known[at] ?? null);
  });
export const series = 'GET /sustainable/production/{project}';
export const apiOf = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'GET /sustainable/projects': projects,
    'GET /sustainable/measured': [measured()],
    [`${series}/updated`]: { until: '2026-11-20T09:00:00Z' },
    [series]: ({ query }: FakeRequest) =>
      query.timeframe_offset === '-13' ? refuse(404, 'not_found') : weeks(query.view_type === 'TOTAL_PROJECT' ? 1 : 0.001),
    ...more,
  });
export function show(locale: 'en' | 'nl' = 'en', at = '/overview', settings = {}) {
  const messages = locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en };
  return render(
    <FakePortal
      module="production"
      locale={locale}
      at={at}
      messages={messages}
      settings={{ weather: { station: 'De Bilt' }, household_use: 2500, ...settings }}
    >
      <OverviewPage />
    </FakePortal>,
  );
}
/** Returns the card with a name, opened if it was closed. */
export const card = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 2, name: new RegExp(`^${name}`) });
  const closed = within(heading).queryByRole('button', { expanded: false });
  if (closed) await userEvent.click(closed);
  return heading.closest('section') as HTMLElement;
};

export const worth = (price: number) =>
  weeks(0.001).map((p) => (p.value === null ? p : { ...p, euro: Math.round(p.value * price * 100) / 100, price }));
export const valued = (year_value: number | null) => ({
  'GET /sustainable/yields': [{ project_code: 'W-GRUTTO', year_value, last_year_value: null }],
});
