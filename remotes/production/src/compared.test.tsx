import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FakeRequest } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect } from 'vitest';
import type { Point } from './api';
import { apiOf, before, card, point, series, show, valued, weeks } from './testing';

afterEach(cleanup);

const charts = ['Total wind production', 'Production of your shares'] as const;

/** Values of the same weeks of 2025: of every day that was measured this year, with and without some. */
const past = (more: Record<number, number> = {}, without: readonly number[] = []) => {
  const days = Array.from({ length: 25 }, (_, at) => at).filter((at) => (at < 7 || at > 13) && !without.includes(at));
  return { ...Object.fromEntries(days.map((at) => [at, 0])), 0: 50_000, 14: 110_000, ...more };
};
const compared = (earlier: Record<number, number>) =>
  apiOf({ [series]: ({ query }: FakeRequest) => (query.timeframe_offset === '-13' ? before(earlier) : weeks(1)) });
/** Finds the line below the headline. */
const line = (of: HTMLElement, says: string) =>
  within(of).findByText((_, node) => node?.tagName === 'P' && node.textContent?.replaceAll('\u00a0', ' ') === says);

row('9-production-compare', 'names what was measured in one of the years only, and is left out of both sums', async () => {
  const starts = {
    en: '26 October to 22 November, 25% more than a year earlier: 200.500 kWh against 160.000 kWh in the same weeks, up to and including yesterday',
    nl: '26 oktober t/m 22 november, 25% meer dan een jaar eerder: 200.500 kWh tegen 160.000 kWh in dezelfde weken, tot en met gisteren',
  };
  for (const [locale, earlier, end] of [
    ['en', past(), ''],
    ['nl', past({}, [3]), ', zonder 29 oktober (toen niet gemeten)'],
    ['en', past({ 7: 70_000, 8: 1 }), ', without 2 to 3 November (only measured then)'],
    ['nl', past({ 7: 70_000 }, [4, 5, 6]), ', zonder 30 oktober t/m 2 november (niet in beide jaren gemeten)'],
    ['en', past({}, [1, 3, 5, 16]), ', without what was not measured then'],
  ] as const) {
    compared(earlier);
    show(locale);
    const shares = await card(locale === 'en' ? charts[1] : 'Opbrengst van jouw delen');
    expect(await line(shares, starts[locale] + end), '9-production-compare').toBeVisible();
    cleanup();
  }
});

row('9-production-compare', 'in euros it names the days of which the value is not known in one of the years', async () => {
  const day = (year: number, date: number, euro?: number) => ({
    ...point([year, 9, date], { week: 40 }, 90),
    ...(euro !== undefined && { euro }),
  });
  apiOf({
    ...valued(180.5),
    [series]: ({ query }: FakeRequest) =>
      query.timeframe_offset === '-1' ? [day(2026, 28, 6), day(2026, 29, 3)] : [day(2025, 29), day(2025, 30, 2)],
  });
  show('en', '/overview?offset=-1&in=eur');
  const says = '28 September to 25 October, 50% more than a year earlier: € 3,00 against € 2,00 in the same weeks';
  expect(await line(await card('Production of your shares'), `${says}, without 28 September (not known then)`)).toBeVisible();
});

row('9-production-compare', 'of a day in hours, and nothing where last year made nothing', async () => {
  const hours = (year: number, values: readonly (number | null)[]) =>
    values.map((value, hour) => point([year, 11, 19], { hour }, value));
  const answer = (earlier: readonly (number | null)[]) =>
    apiOf({
      [series]: ({ query }: FakeRequest) =>
        hours(query.timeframe_offset === '-1' ? 2026 : 2025, query.timeframe_offset === '-1' ? [40, 40, 40, 40] : earlier),
    });
  answer([20, null, null, 20]);
  show('en', '/overview?view=DAY_HOURS&offset=-1');
  const says = 'Thursday 19 November 2026, 100% more than a year earlier: 80 kWh against 40 kWh in the same hours';
  expect(await line(await card(charts[1]), `${says}, without 01:00–03:00 (not measured then)`)).toBeVisible();
  cleanup();
  answer([0, 0, 0, 0]);
  show('en', '/overview?view=DAY_HOURS&offset=-1');
  const shares = await card(charts[1]);
  expect(await within(shares).findByText('A year earlier')).toBeVisible(); // that year has loaded
  expect(await line(shares, 'Thursday 19 November 2026')).toBeVisible();
});

row(
  ['9-production-compare', '9-production-period'],
  'a year earlier is drawn next to it; the headline compares what is finished in both',
  async () => {
    for (const [locale, names, sums, legend] of [
      ['en', charts, '200.500 kWh against 160.000 kWh', 'A year earlier'],
      ['nl', ['Totale windopbrengst', 'Opbrengst van jouw delen'], '200.500 kWh tegen 160.000 kWh', 'Jaar eerder'],
    ] as const) {
      compared(past({ 7: 70_000, 25: 90_000 }));
      show(locale);
      for (const name of names) {
        const chart = await card(name);
        // 26 October and 9 November: 200.500 after 160.000. 2 November was not measured, and today is unfinished.
        await waitFor(() => expect(chart, '9-production-period').toHaveTextContent(sums));
        expect(within(chart).getByText(legend)).toBeVisible();
        expect(await within(chart).findByText(/: 120\.500(,40)? kWh$/)).toBeVisible();
      }
      cleanup();
    }
    compared(past({ 3: 121_000 })); // the year before was higher
    show();
    for (const name of charts) {
      const lower = await card(name);
      await waitFor(() => expect(lower.querySelector('[data-series="earlier"]')).not.toBeNull());
      expect(lower.querySelector('[data-record]')).toBeNull();
    }
    cleanup();
    apiOf();
    show();
    for (const [name, sum] of [
      ['Total wind production', '230.500'],
      ['Production of your shares', '231'],
    ] as const) {
      const alone = await card(name);
      expect(await within(alone).findByText(sum)).toBeVisible();
      expect(alone).not.toHaveTextContent(/a year earlier/i);
    }
  },
);

row(
  '9-production-period',
  'with the comparison is the sum of a year earlier, alone where both are of the same days',
  async () => {
    const days = [point([2026, 9, 28], { week: 40 }, 90), point([2026, 9, 29], { week: 40 }, 60)];
    const same = days.map((p) => ({ ...p, labels: { ...p.labels, date: { ...p.labels.date, year: 2025 } }, value: 50, euro: 4 }));
    apiOf({
      ...valued(180.5),
      [series]: ({ query }: FakeRequest) =>
        query.timeframe_offset === '-1' ? days.map((p) => ({ ...p, euro: 6, price: 0.08 })) : same,
    });
    show('en', '/overview?offset=-1');
    const shares = await card('Production of your shares');
    const says = '28 September to 25 October, 50% more than a year earlier: ';
    expect(await line(shares, `${says}100 kWh in the same weeks`), '9-production-period').toBeVisible();
    expect(shares).toHaveTextContent(/150 kWh.*worth € 12,00.*28 September to 25 October/);
    await userEvent.click(screen.getByRole('radio', { name: '€' }));
    expect(await line(shares, `${says}€ 8,00 in the same weeks`)).toBeVisible();
  },
);

row('9-production-compare', 'a running year is compared through yesterday, as on the page of participations', async () => {
  const month = (year: number) => (value: number | null, at: number) => {
    const n = at === 3 ? 11 : at + 1; // January, February, March, November
    return point([year, n, 1], { month: n }, value);
  };
  const answers: Record<string, Point[]> = {
    'YEAR_MONTHS 0': [100, null, null, 50].map(month(2026)),
    'YEAR_MONTHS -1': [80, 70, 60, 90].map(month(2025)),
    'MONTH_DAYS 0': [
      point([2026, 11, 1], { day: 1 }, 10),
      point([2026, 11, 2], { day: 2 }, null),
      point([2026, 11, 19], { day: 19 }, 20),
      point([2026, 11, 20], { day: 20 }, 20),
    ],
    'MONTH_DAYS -12': [12, 500, 8, 70].map((value, at) => {
      const day = [1, 2, 19, 20][at] ?? 0;
      return point([2025, 11, day], { day }, value);
    }),
  };
  for (const [locale, year, says] of [
    [
      'en',
      'Year',
      /^2026, 30% more than a year earlier: 130.kWh against 100.kWh on the same days, up to and including yesterday, without February to March and 2 November \(only measured then\)$/,
    ],
    [
      'nl',
      'Jaar',
      /^2026, 30% meer dan een jaar eerder: 130.kWh tegen 100.kWh op dezelfde dagen, tot en met gisteren, zonder februari t\/m maart en 2 november \(alleen toen gemeten\)$/,
    ],
  ] as const) {
    apiOf({
      [series]: ({ query }: FakeRequest) => answers[`${query.timeframe_type} ${query.timeframe_offset}`] ?? weeks(1),
    });
    show(locale);
    await userEvent.click(await screen.findByRole('radio', { name: year }));
    expect(await screen.findAllByText((_, node) => node?.tagName === 'P' && says.test(node.textContent ?? ''))).toHaveLength(2);
    cleanup();
  }
});
