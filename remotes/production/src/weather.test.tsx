import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { FakePortal, fakeApi, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import { afterEach, expect, test, vi } from 'vitest';
import type { Weather } from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';
import remote from './remote';
import WeatherWidget from './weather';
import { skyOf } from './weather.rules';

afterEach(cleanup);

const plain = { normalizer: (text: string) => text };

const deBilt: Weather = {
  stations: [
    { station: 'Cadzand', overcast: 'Mist', temperature: null, wind_strength: 9.1 },
    { station: 'De Bilt', overcast: 'Zwaar bewolkt en regen', temperature: 6.4, wind_strength: 5.23 },
  ],
  station: 'De Bilt',
  measured: '2026-11-20T10:00:00Z',
  source: { name: 'Buienradar', url: 'https://www.buienradar.nl' },
};
const show = (answer: unknown, locale: 'nl' | 'en' = 'en', participation?: string, type = 'WIND') => {
  const hide = vi.fn();
  const api = fakeApi({
    'GET /weather': answer as never,
    'GET /sustainable/projects': [{ project_code: 'W-GRUTTO', project_type: type }] as never,
  });
  render(
    <FakePortal module="production" locale={locale} messages={locale === 'en' ? { ...kitEn, ...en } : { ...kitNl, ...nl }}>
      <WeatherWidget project="W-GRUTTO" {...(participation ? { participation } : {})} hide={hide} />
    </FakePortal>,
  );
  return { api, hide };
};

row('7.2-get-weather', 'shows the project’s own station, when the response names one', async () => {
  const { api } = show({ ...deBilt, station: 'Cadzand' });
  expect(await screen.findByText(/Weather station Cadzand, 11:00/)).toBeVisible();
  expect(screen.getByText('Wind force 5', plain)).toBeVisible(); // 9.1 m/s, no temperature
  expect(api.calls.find((c) => c.path === '/weather')?.query).toEqual({ project: 'W-GRUTTO' });
});

row('7.2-get-weather', 'shows De Bilt of all stations, with time and source', async () => {
  show(deBilt);
  expect(await screen.findByText('Wind force 3, 6\u00a0°C', plain)).toBeVisible();
  expect(screen.getByText('Rain')).toBeVisible();
  expect(screen.getByText(/Weather station De Bilt, 11:00/)).toBeVisible();
  expect(screen.getByRole('link', { name: /Buienradar/ })).toHaveAttribute('href', 'https://www.buienradar.nl');
});

test('in Dutch the description is that of the source', async () => {
  show(deBilt, 'nl');
  expect(await screen.findByText('Zwaar bewolkt en regen')).toBeVisible();
});

row('9-weather-first', 'of a wind project the wind is first, of any other the sky', async () => {
  for (const [type, first, last] of [
    ['WIND', 'Wind force 3, 6\u00a0°C', 'Rain'],
    ['SOLAR', 'Rain, 6\u00a0°C', 'Wind force 3'],
  ] as const) {
    show(deBilt, 'en', undefined, type);
    const main = await screen.findByText(first, plain);
    expect(main.tagName, '9-weather-first').toBe('STRONG');
    expect(main.compareDocumentPosition(screen.getByText(last))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    cleanup();
  }
});

row('3-weather-statuses', 'every kind of sky has its own drawing', async () => {
  const skies = {
    clear: 'Vrijwel onbewolkt (zonnig/helder)',
    cloudy: 'Half bewolkt',
    rain: 'Afwisselend bewolkt met (mogelijk) wat lichte regen',
    drizzle: 'Bewolkt met lichte motregen',
    thunder: 'Opklaring en kans op enkele pittige (onweers)buien',
    snow: 'Zwaar bewolkt met regen en winterse neerslag',
    fog: 'Opklaring en lokaal nevel of mist',
    hail: 'Buien met hagel',
  };
  const drawn = new Set<string>();
  for (const [sky, overcast] of Object.entries(skies)) {
    expect(skyOf(overcast), overcast).toBe(sky);
    show({ ...deBilt, stations: [{ ...deBilt.stations[1], overcast }] });
    await screen.findByText(/6\s°C/);
    drawn.add(document.querySelector('[data-sky]')?.innerHTML ?? '');
    cleanup();
  }
  expect(drawn.size).toBe(8);
});

row('9-weather-night', 'a clear sky that was measured after sunset has a moon', async () => {
  for (const [measured, overcast, moon] of [
    ['2026-11-20T20:00:00Z', 'Onbewolkt', true],
    ['2026-11-20T10:00:00Z', 'Onbewolkt', false],
    ['2026-11-20T20:00:00Z', 'Zwaar bewolkt', false],
    [undefined, 'Onbewolkt', false],
  ] as const) {
    show({ ...deBilt, measured, stations: [{ ...deBilt.stations[1], overcast }] });
    await screen.findByText(/6\s°C/);
    expect(document.querySelector('[data-moon]') !== null, `${measured} ${overcast}`).toBe(moon);
    cleanup();
  }
});

row('3-weather-unknown-status', 'an unknown description is shown unchanged with a cloud', async () => {
  show({ ...deBilt, stations: [{ ...deBilt.stations[1], overcast: 'Zandstorm' }] });
  expect(await screen.findByText('Zandstorm')).toBeVisible();
  expect(document.querySelector('[data-sky="other"]')).not.toBeNull();
});

row('8-weather-failed', 'a failure and an empty list show no weather data, and a retry', async () => {
  const failures = [refuse(404, 'not_found'), refuse(500, 'internal'), refuse(503, 'production.weather_down')];
  for (const answer of [...failures, { stations: [], station: null }]) {
    show(answer);
    expect(await screen.findByText('There is no weather data right now.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
    cleanup();
  }
});

row('7.2-weather-shape', 'without a matching station there is no weather data', async () => {
  show({ ...deBilt, station: null });
  expect(await screen.findByText('There is no weather data right now.')).toBeVisible();
});

row('4-weather-refresh', 'clicks within 500 ms reload once', async () => {
  const { api } = show(deBilt);
  await screen.findByText(/6\s°C/);
  const requestCount = () => api.calls.filter((r) => r.path === '/weather').length;
  expect(requestCount()).toBe(1);
  vi.useFakeTimers();
  try {
    const button = screen.getByRole('button', { name: 'Refresh the weather' });
    for (let i = 0; i < 4; i++) {
      fireEvent.click(button);
      vi.advanceTimersByTime(499);
    }
    expect(requestCount()).toBe(1);
    vi.advanceTimersByTime(1);
  } finally {
    vi.useRealTimers();
  }
  await waitFor(() => expect(requestCount()).toBe(2));
});

row(
  ['2.5-participation-widgets', '9-participation-order'],
  'is a line of each project, and hides itself for a participation',
  async () => {
    const widget = remote.slots?.participation?.find((s) => s.id === 'weather');
    expect((await widget?.view())?.default).toBe(WeatherWidget);
    expect(widget, '9-participation-order: one line without a title').toMatchObject({ size: 'third' });
    expect(widget, '9-participation-order').not.toHaveProperty('title');
    const ofProject = show(deBilt);
    await screen.findByText(/Weather station De Bilt/);
    expect(ofProject.hide).not.toHaveBeenCalled();
    expect(screen.getByRole('group', { name: 'Weather' }), '9-participation-order').toHaveStyle({ fontSize: '14px' });
    cleanup();
    const { api, hide } = show(deBilt, 'en', 'P1');
    await waitFor(() => expect(hide).toHaveBeenCalled());
    expect(api.calls).toHaveLength(0);
  },
);
