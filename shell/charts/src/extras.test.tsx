import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { createIntl } from 'react-intl';
import { expect, test, vi } from 'vitest';
import nl from '../../ui/messages/nl.json';
import { motionDuration, useMotion } from './motion';
import { PeriodChart, type PeriodChartProps } from './period-chart';
import { summarize, summaryText } from './summary';
import { draw } from './test-render';
import type { ChartPoint, ChartSeries } from './types';

const user = userEvent.setup();
const series: ChartSeries[] = [{ key: 'made', label: 'Opbrengst', kind: 'normal' }];
const points = (values: readonly (number | null)[], more: Record<number, Partial<ChartPoint>> = {}): ChartPoint[] =>
  values.map((made, n) => ({ start: String(2020 + n), label: String(2020 + n), values: { made }, ...more[n] }));
const chart = async (props: Partial<PeriodChartProps>) => {
  draw(<PeriodChart label="Opbrengst per jaar" unit="kWh" first="Jaar" series={series} points={[]} {...props} />);
  return screen.findByRole('group', { name: 'Opbrengst per jaar' });
};
const years = points([10, 20, 30, 12], { 3: { unfinished: true } });

row('9-charts-unfinished', 'a bar of a period that still runs is dashed, and is called so far everywhere', async () => {
  const group = await chart({ points: years });
  const dashed = group.querySelectorAll('[data-unfinished] path[stroke-dasharray]');
  expect(dashed, '9-charts-unfinished').toHaveLength(1);
  expect(group.querySelectorAll('[data-series="made"]:not([data-unfinished])')).toHaveLength(3);
  expect(screen.getByRole('group', { name: 'Legenda' })).toHaveTextContent('tot nu toe');
  const last = screen.getByRole('img', { name: /^2023 \(tot nu toe\): Opbrengst 12.kWh$/ });
  last.focus();
  expect(await screen.findByText('2023 (tot nu toe)')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Toon als tabel' }));
  const table = await screen.findByRole('table', { name: 'Opbrengst per jaar' });
  expect(within(table).getByRole('rowheader', { name: '2023 (tot nu toe)' })).toBeVisible();
});

row('9-charts-unfinished', 'a line runs dashed from the last finished period to the one that still runs', async () => {
  const group = await chart({ points: years, series: [{ key: 'made', label: 'Opbrengst', kind: 'normal', type: 'line' }] });
  const curves = [...group.querySelectorAll('path.recharts-line-curve')].map((path) => ({
    d: path.getAttribute('d') ?? '',
    dashes: path.getAttribute('stroke-dasharray'),
  }));
  const solid = curves.find(({ dashes }) => dashes === 'none');
  const dashed = curves.find(({ dashes }) => dashes === '4 4');
  expect(curves, '9-charts-unfinished').toHaveLength(2);
  expect(solid?.d.match(/[ML]/g)).toHaveLength(3); // 2020, 2021, 2022
  expect(dashed?.d.match(/[ML]/g)).toHaveLength(2); // 2022, 2023
  const entry = within(screen.getByRole('group', { name: 'Legenda' })).getByText('tot nu toe');
  expect(entry.querySelector('line[stroke-dasharray]')).not.toBeNull();
});

row('9-charts-estimated', 'a bar with an estimated value is hatched up to it, and is called estimated everywhere', async () => {
  const group = await chart({
    points: points([10, 20, null, 12], { 1: { estimated: true }, 3: { estimated: true, unfinished: true } }),
  });
  const top = (bar: Element) => Number(/V([\d.]+)/.exec(bar.getAttribute('d') ?? '')?.[1]);
  const bars = [...group.querySelectorAll('[data-series="made"] path:first-child')];
  expect(bars).toHaveLength(3);
  const hatched = [...group.querySelectorAll('[data-estimated] path[fill$="-estimated)"]')];
  expect(hatched, '9-charts-estimated').toHaveLength(2);
  expect(top(hatched[0] as Element)).toBe(top(bars[1] as Element)); // up to its value
  expect(top(hatched[0] as Element)).toBeLessThan(top(hatched[1] as Element));
  const gap = group.querySelector('[data-gap]');
  expect(Number(gap?.getAttribute('height'))).toBeGreaterThan(200); // whereas a gap has the full height
  expect(hatched.map((path) => path.getAttribute('stroke-dasharray'))).toEqual([null, '4 3']);
  const legend = screen.getByRole('group', { name: 'Legenda' });
  for (const name of ['geen gegevens', 'geschat', 'tot nu toe']) expect(legend).toHaveTextContent(name);
  screen.getByRole('img', { name: /^2021 \(geschat\): Opbrengst 20.kWh$/ }).focus();
  expect(await screen.findByText('2021 (geschat)')).toBeVisible();
  expect(screen.getByRole('img', { name: /^2023 \(tot nu toe, geschat\): / })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Toon als tabel' }));
  const table = await screen.findByRole('table', { name: 'Opbrengst per jaar' });
  expect(within(table).getByRole('rowheader', { name: '2021 (geschat)' })).toBeVisible();
});

row(
  '9-charts-comparison-contrast',
  'a line of last year is dashed, with a rim and open marks, in the color of its own',
  async () => {
    const group = await chart({
      points: years.map((p, n) => ({ ...p, values: { ...p.values, past: 11 + n } })),
      series: [...series, { key: 'past', label: 'Jaar ervoor', kind: 'compare' }],
    });
    const [rim, line] = [...group.querySelectorAll('path.recharts-line-curve')];
    expect(rim?.getAttribute('d')).toBe(line?.getAttribute('d'));
    // pure colors
    expect([rim, line].map((path) => path?.getAttribute('stroke'))).toEqual(['var(--w-surface)', 'var(--w-chart-5)']);
    expect(Number(rim?.getAttribute('stroke-width'))).toBeGreaterThan(Number(line?.getAttribute('stroke-width')));
    expect(line?.getAttribute('stroke-dasharray'), '9-charts-comparison-contrast').toBe('6 4');
    const marks = [...group.querySelectorAll('.recharts-line-dots [data-mark=open]')];
    expect(marks).toHaveLength(4);
    for (const mark of marks) expect(mark.getAttribute('fill')).toBe('var(--w-surface)');
  },
);

/** Returns `count` points, for a window in which a slot is wider than 14 px with 43 points, but not with 44. */
const many = (count: number) =>
  points(Array<number>(count).fill(20)).map((p, n) => ({ ...p, values: { ...p.values, past: 11 + (n % 3) } }));

row('9-charts-comparison-contrast', 'its line has marks where there is room for them: in places wider than 14 px', async () => {
  for (const [count, marks] of [
    [43, 43],
    [44, 0],
  ] as const) {
    const group = await chart({
      points: many(count),
      series: [...series, { key: 'past', label: 'Jaar ervoor', kind: 'compare' }],
    });
    expect(group.querySelectorAll('.recharts-line-dots [data-mark=open]'), `${count}`).toHaveLength(marks);
    expect(group.querySelector('path.recharts-line-curve[data-series="past"]')?.getAttribute('stroke-dasharray')).toBe('6 4');
    cleanup();
  }
});

row('9-charts-steps', 'a filled line that is level in each period, and a dash of the period before', async () => {
  const group = await chart({
    points: years.map((p) => ({ ...p, values: { ...p.values, past: 11 } })),
    series: [
      { key: 'made', label: 'Opbrengst', kind: 'normal', type: 'steps' },
      { key: 'past', label: 'Jaar ervoor', kind: 'compare', type: 'steps' },
    ],
  });
  const curve = (of: string) => group.querySelector(`path.recharts-line-curve[${of}]`) as SVGPathElement;
  const moves = (path: Element) =>
    [...(path.getAttribute('d') ?? '').matchAll(/([MLZ])(?:(-?[\d.]+),(-?[\d.]+))?/g)].map(
      ([, how = '', x, y]) => [how, Number(x), Number(y)] as const,
    );
  // three finished years: each level from edge to edge, and adjacent to the next
  const made = moves(curve('data-series="made"'));
  expect(made.map(([how]) => how).join('')).toBe('MLLLLL');
  for (const n of [0, 2, 4]) expect(made[n]?.[2]).toBe(made[n + 1]?.[2]);
  expect(made[1]?.[1]).toBeCloseTo(made[2]?.[1] ?? 0);
  // the current year is dashed, after the last finished year
  const running = curve('data-unfinished="made"');
  expect(running.getAttribute('stroke-dasharray')).toBe('4 4');
  expect(moves(running).at(-1)?.[1]).toBeCloseTo((made[5]?.[1] ?? 0) + (made[1]?.[1] ?? 0) - (made[0]?.[1] ?? 0));
  // a dash for each year that does not touch the next one
  const past = moves(curve('data-series="past"'));
  expect(past.map(([how]) => how).join('')).toBe('MLMLMLML');
  expect(past[1]?.[1]).toBeLessThan(past[2]?.[1] ?? 0);
  // the area below is closed at both edges for finished years, and paler for the current year
  const below = [...group.querySelectorAll('path.recharts-area-area')];
  expect(below.map((path) => moves(path).at(-1)?.[0])).toEqual(['Z', 'Z']);
  const [finished, pale] = below.map((path) => Number(path.getAttribute('fill-opacity')));
  expect(pale).toBeLessThan(finished ?? 0);
  expect(moves(below[0] as Element).at(-2)?.[1]).toBeCloseTo(made[0]?.[1] ?? 0);
  expect(group.querySelectorAll('.recharts-surface circle')).toHaveLength(0);
});

row('9-charts-steps', 'in periods narrower than 14 px the dashes are one thin line', async () => {
  for (const [count, strokes, width] of [
    [43, 43, 2],
    [44, 1, 1.25],
  ] as const) {
    const group = await chart({
      points: many(count),
      series: [
        { key: 'made', label: 'Opbrengst', kind: 'normal', type: 'steps' },
        { key: 'past', label: 'Jaar ervoor', kind: 'compare', type: 'steps' },
      ],
    });
    const past = group.querySelector('path.recharts-line-curve[data-series="past"]');
    expect(past?.getAttribute('d')?.match(/M/g), `${count}`).toHaveLength(strokes);
    expect(Number(past?.getAttribute('stroke-width')), `${count}`).toBe(width);
    cleanup();
  }
});

row('9-charts-estimated', 'only the estimated part of a bar is hatched where that is known', async () => {
  const group = await chart({ points: points([10, 20], { 1: { estimated: 0.25 } }) });
  const [whole, , hatched] = [...group.querySelectorAll('[data-estimated] path')].map((path) =>
    /^M[\d.]+ ([\d.]+)V.* ([\d.]+)H/
      .exec(path.getAttribute('d') ?? '')
      ?.slice(1)
      .map(Number),
  );
  const [from = 0, to = 0] = whole ?? [];
  expect(hatched?.[1], '9-charts-estimated: up to the value').toBe(to);
  expect((hatched?.[0] ?? 0) - to, '9-charts-estimated').toBeCloseTo((from - to) / 4);
});

row('9-charts-comparison', 'beside narrow bars last year is steps with a rim over them', async () => {
  for (const [count, steps] of [
    [35, false],
    [36, true],
  ] as const) {
    const group = await chart({
      points: many(count).map((p) => ({ ...p, values: { ...p.values, past: 11 } })),
      series: [...series, { key: 'past', label: 'Jaar ervoor', kind: 'compare', type: 'bar' }],
    });
    expect(group.querySelectorAll('g[data-series="past"]')).toHaveLength(steps ? 0 : count);
    expect(group.querySelectorAll('path.recharts-line-curve[data-series="past"]')).toHaveLength(steps ? 1 : 0);
    expect(group.querySelectorAll('path[stroke="var(--w-surface)"].recharts-line-curve')).toHaveLength(steps ? 1 : 0);
    const entry = screen.getByRole('button', { name: 'Jaar ervoor' });
    expect(entry.querySelectorAll('line'), 'the legend').toHaveLength(steps ? 1 : 0);
    cleanup();
  }
});

row('9-charts-comparison', 'last year stands beside each bar, in its own look, and is spoken with it', async () => {
  const group = await chart({
    points: years.map((p) => ({ ...p, values: { ...p.values, past: 11 } })),
    series: [...series, { key: 'past', label: 'Jaar ervoor', kind: 'compare', type: 'bar' }],
  });
  const edges = (key: string) =>
    [...group.querySelectorAll(`[data-series="${key}"] path`)].map((path) =>
      Number(/^M([\d.]+)/.exec(path.getAttribute('d') ?? '')?.[1]),
    );
  const [own, past] = [edges('made'), edges('past')];
  expect(past, '9-charts-comparison').toHaveLength(4);
  for (const [n, left] of past.entries()) expect(left).toBeGreaterThan(own[n] ?? Number.POSITIVE_INFINITY);
  const looks = (key: string) =>
    ['fill', 'stroke'].map((name) => group.querySelector(`[data-series="${key}"] path`)?.getAttribute(name));
  expect(looks('past'), 'a look of its own').toEqual(['var(--w-surface)', 'var(--w-chart-5)']);
  for (const color of looks('made')) expect(looks('past')).not.toContain(color ?? 'none');
  // it must not be mistaken for usage
  expect(screen.getByRole('img', { name: /^2021: Opbrengst 20.kWh, Jaar ervoor 11.kWh$/ })).toBeVisible();
  cleanup();
  // and must not be added to the total
  await chart({
    points: years.map((p) => ({ ...p, values: { ...p.values, low: 3, past: 11 } })),
    series: [
      ...series,
      { key: 'low', label: 'Dal', kind: 'low' },
      { key: 'past', label: 'Jaar ervoor', kind: 'compare', type: 'bar' },
    ],
  });
  expect(
    screen.getByRole('img', { name: /^2021: Opbrengst 20.kWh, Dal 3.kWh, Totaal 23.kWh, Jaar ervoor 11.kWh$/ }),
  ).toBeVisible();
});

row('9-charts-target', 'a target is a line at its amount, with its name, within the scale', async () => {
  const group = await chart({ points: years, target: { value: 50, label: 'Doel 50 kWh' } });
  expect(within(group).getByText('Doel 50 kWh'), '9-charts-target').toBeVisible();
  const line = group.querySelector('.recharts-reference-line line');
  expect(line?.getAttribute('y1')).toBe(line?.getAttribute('y2'));
  const lines = [...group.querySelectorAll('.recharts-cartesian-grid-horizontal line')].map((l) => Number(l.getAttribute('y1')));
  const [y0 = 0, , , y60 = 0] = lines.sort((a, b) => b - a); // the lines at 0, 20, 40 and 60 kWh
  expect(lines).toHaveLength(4);
  expect(Number(line?.getAttribute('y1')), 'at 50 kWh').toBeCloseTo(y0 + ((y60 - y0) * 50) / 60);
  const ticks = [...group.querySelectorAll('text[text-anchor="end"]')].map((t) => Number(t.textContent)).filter(Number.isFinite);
  expect(Math.max(...ticks)).toBeGreaterThanOrEqual(50);
  expect(screen.getByRole('group', { name: 'Legenda' })).toHaveTextContent('Doel 50 kWh');
});

row('9-charts-forecast', 'what is expected is a band and a dashed line, in legend, card, spoken value and table', async () => {
  const group = await chart({
    points: points([10, 20, 8, null], {
      2: { unfinished: true, expected: { value: 18, low: 15, high: 22 } },
      3: { upcoming: true, expected: { value: 21 } },
    }),
  });
  const bands = [...group.querySelectorAll('[data-expected] rect')];
  expect(bands, '9-charts-forecast').toHaveLength(2);
  expect(Number(bands[0]?.getAttribute('height'))).toBeGreaterThan(10);
  expect(group.querySelectorAll('[data-expected] path[stroke-dasharray]')).toHaveLength(2);
  expect(screen.getByRole('group', { name: 'Legenda' })).toHaveTextContent('Verwacht');
  const spoken = screen.getByRole('img', { name: /^2022 \(tot nu toe\): Opbrengst 8.kWh, Verwacht 18.kWh \(15.kWh – 22.kWh\)$/ });
  spoken.focus();
  expect(await screen.findByText(/^18.kWh \(15.kWh – 22.kWh\)$/)).toBeVisible();
  expect(screen.getByRole('img', { name: /^2023: nog niet bekend, Verwacht 21.kWh$/ })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Toon als tabel' }));
  const table = await screen.findByRole('table', { name: 'Opbrengst per jaar' });
  expect(within(table).getByRole('columnheader', { name: 'Verwacht' })).toBeVisible();
  expect(within(table).getByRole('row', { name: /^2022/ })).toHaveTextContent(/18.*15.*22/);
});

test('a forecast of a line is an area with a dashed line', async () => {
  const group = await chart({
    points: points([10, 12, 14], {
      1: { expected: { value: 13, low: 11, high: 15 } },
      2: { expected: { value: 15, low: 12, high: 18 } },
    }),
    series: [{ key: 'made', label: 'Opbrengst', kind: 'normal', type: 'line' }],
  });
  expect(group.querySelectorAll('path.recharts-area-area')).toHaveLength(1);
  expect(group.querySelectorAll('path.recharts-line-curve[stroke-dasharray="2 3"]')).toHaveLength(1);
});

test('a line of comparison without a value draws nothing there, and a lone value is a mark', async () => {
  const group = await chart({
    points: points([1, 2, 3, 4]).map((p, n) => ({ ...p, values: { ...p.values, past: n === 2 ? 3 : null } })),
    series: [...series, { key: 'past', label: 'Jaar ervoor', kind: 'compare' }],
  });
  expect(group.querySelectorAll('.recharts-line-dots [data-mark=open]')).toHaveLength(1);
});

const intl = createIntl({ locale: 'nl', messages: nl });
const texts = { write: (v: number) => `${v} kWh`, gap: 'geen gegevens', later: '', total: '', expected: '' };
const said = (values: readonly (number | null)[], more: Record<number, Partial<ChartPoint>> = {}) =>
  summaryText(
    intl,
    points(values, more).map((p) => ({ ...p, missing: !p.upcoming && p.values.made === null })),
    series,
    texts,
  );

row('9-charts-summary', 'the drawing is summed up in words: highest, lowest, trend, gaps', async () => {
  const group = await chart({ points: points([10, 20, null, null, 30, 40, 50, 5], { 7: { unfinished: true } }) });
  const summary = document.getElementById(group.getAttribute('aria-describedby') ?? '');
  expect(summary, '9-charts-summary').toHaveTextContent(
    /^Hoogste: 50.kWh, 2026\. Laagste: 10.kWh, 2020\. Eén gat: geen gegevens\.$/,
  );
});

row('9-charts-summary', 'it speaks of a trend from six values on, and of nothing where there is nothing', () => {
  expect(said([1, 1, 2, 2, 3])).toBe('Hoogste: 3 kWh, 2024. Laagste: 1 kWh, 2020.');
  expect(said([1, 1, 2, 2, 3, 9], { 5: { unfinished: true } }), 'five finished values').not.toContain('Trend');
  expect(said([1, 1, 2, 2, 3, 3])).toBe('Hoogste: 3 kWh, 2024. Laagste: 1 kWh, 2020. Trend: stijgend.');
  expect(said([3, 3, 2, 2, 1, 1])).toContain('Trend: dalend.');
  expect(said([10, 11, 10, 11, 10, 11])).toContain('Trend: ongeveer gelijk.');
  expect(said([1, null, 2, null, null, 3, 4, 5, 6])).toContain('2 gaten: geen gegevens.');
  expect(said([4, 4, 4, 4, 4, 4])).toBe('Elke periode: 4 kWh.');
  expect(said([1, 2, 3])).not.toContain('Trend');
  expect(said([1])).toBeUndefined();
  expect(said([null, null])).toBeUndefined();
  // an unfinished period is not the lowest
  expect(said([10, 20, 1], { 2: { unfinished: true } })).toBe('Hoogste: 20 kWh, 2021. Laagste: 10 kWh, 2020.');
  expect(said([10, 20, 90], { 2: { unfinished: true } }), 'nor the highest').toContain('Hoogste: 20 kWh, 2021.');
});

test('what is summed up is what stands above zero, else feed-in, else the first line', () => {
  const three: ChartSeries[] = [
    { key: 'a', label: 'a', kind: 'normal' },
    { key: 'b', label: 'b', kind: 'low' },
    { key: 'c', label: 'c', kind: 'feed-in' },
  ];
  const both: ChartPoint[] = [1, 2].map((n) => ({ start: `${n}`, label: `${n}`, values: { a: n, b: n, c: 9 - n } }));
  expect(summarize(both, three)?.highest.start).toBe('2');
  expect(summarize(both, three.slice(2))?.highest.start).toBe('1');
});

row(
  '9-charts-motion',
  'nothing moves when first drawn, nor when less motion is asked for; and less than 200 ms otherwise',
  () => {
    expect(motionDuration).toBeGreaterThan(0);
    expect(motionDuration).toBeLessThan(200);
    const moved: boolean[] = [];
    function Probe({ shapes, there = true }: { shapes: number; there?: boolean }) {
      moved.push(useMotion(there, shapes));
      return null;
    }
    const asked = vi.fn(() => ({ matches: false }));
    vi.stubGlobal('matchMedia', asked);
    try {
      const { rerender } = draw(<Probe shapes={12} there={false} />);
      rerender(<Probe shapes={12} />);
      expect(moved.at(-1), '9-charts-motion: first drawn when its width is known').toBe(false);
      rerender(<Probe shapes={13} />);
      expect(moved.at(-1)).toBe(true);
      rerender(<Probe shapes={1000} />);
      expect(moved.at(-1)).toBe(false);
      asked.mockReturnValue({ matches: true });
      rerender(<Probe shapes={12} />);
      expect(moved.at(-1)).toBe(false);
      expect(asked).toHaveBeenCalledWith('(prefers-reduced-motion: reduce)');
    } finally {
      vi.unstubAllGlobals();
    }
  },
);
