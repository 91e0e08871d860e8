import { cleanup, screen, waitFor, within } from '@testing-library/react';
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

const past = { key: 'past', label: 'Jaar ervoor', kind: 'compare' } as const;
const made = (type: 'line' | 'steps') => ({ key: 'made', label: 'Opbrengst', kind: 'normal', type }) as const;

row('9-charts-comparison-contrast', 'over bars last year has a rim, in the color of its own', async () => {
  const group = await chart({
    points: years.map((p, n) => ({ ...p, values: { ...p.values, past: 11 + n } })),
    series: [...series, past],
  });
  const [rim, line] = [...group.querySelectorAll('path.recharts-line-curve')];
  expect(rim?.getAttribute('d')).toBe(line?.getAttribute('d'));
  // pure colors
  expect([rim, line].map((path) => path?.getAttribute('stroke'))).toEqual(['var(--w-surface)', 'var(--w-chart-5)']);
  expect(Number(rim?.getAttribute('stroke-width')), '9-charts-comparison-contrast').toBeGreaterThan(
    Number(line?.getAttribute('stroke-width')),
  );
});

/** Returns `count` points, for a window in which a slot is wider than 14 px with 43 points, and a bar 10 px wide with 42. */
const many = (count: number) =>
  points(Array<number>(count).fill(20)).map((p, n) => ({ ...p, values: { ...p.values, past: 11 + (n % 3) } }));

row('9-charts-comparison-contrast', 'next to a line it is dashed, with open marks in places wider than 14 px', async () => {
  for (const [count, marks] of [
    [43, 43],
    [44, 0],
  ] as const) {
    const group = await chart({ points: many(count), series: [made('line'), past] });
    const open = [...group.querySelectorAll('.recharts-line-dots [data-mark=open]')];
    expect(open, `${count}`).toHaveLength(marks);
    for (const mark of open) expect(mark.getAttribute('fill')).toBe('var(--w-surface)');
    const line = group.querySelector('path.recharts-line-curve[data-series="past"]');
    expect(line?.getAttribute('stroke-dasharray'), '9-charts-comparison-contrast').toBe('6 4');
    cleanup();
  }
});

row(
  '9-charts-comparison',
  'in every chart a dash on each bar, or one thin line over narrow bars and where there are none',
  async () => {
    for (const [count, own, type, strokes, width] of [
      [42, series, undefined, 42, 2],
      [42, series, 'bar', 42, 2],
      [43, series, 'steps', 1, 2],
      [28, [made('steps')], undefined, 1, 1.5],
      [28, [made('line')], 'bar', 1, 1.5],
    ] as const) {
      const group = await chart({ points: many(count), series: [...own, { ...past, type }] });
      const line = group.querySelector('path.recharts-line-curve[data-series="past"]');
      const name = `9-charts-comparison: ${count} ${own[0]?.type} ${type}`;
      expect(line?.getAttribute('d')?.match(/M/g), name).toHaveLength(strokes);
      expect(Number(line?.getAttribute('stroke-width')), name).toBe(width);
      expect(group.querySelectorAll('g[data-series="past"]'), 'no bars of its own').toHaveLength(0);
      cleanup();
    }
  },
);

row('9-charts-steps', 'a filled line that is level in each period, and a thin one of the period before', async () => {
  const group = await chart({
    points: years.map((p) => ({ ...p, values: { ...p.values, past: 11 } })),
    series: [made('steps'), past],
  });
  const curve = (of: string) => group.querySelector(`path.recharts-line-curve[${of}]`) as SVGPathElement;
  const moves = (path: Element) =>
    [...(path.getAttribute('d') ?? '').matchAll(/([MLZ])(?:(-?[\d.]+),(-?[\d.]+))?/g)].map(
      ([, how = '', x, y]) => [how, Number(x), Number(y)] as const,
    );
  // three finished years: each level from edge to edge, and adjacent to the next
  const own = moves(curve('data-series="made"'));
  expect(own.map(([how]) => how).join('')).toBe('MLLLLL');
  for (const n of [0, 2, 4]) expect(own[n]?.[2]).toBe(own[n + 1]?.[2]);
  expect(own[1]?.[1]).toBeCloseTo(own[2]?.[1] ?? 0);
  // the current year is dashed, after the last finished year
  const running = curve('data-unfinished="made"');
  expect(running.getAttribute('stroke-dasharray')).toBe('4 4');
  expect(moves(running).at(-1)?.[1]).toBeCloseTo((own[5]?.[1] ?? 0) + (own[1]?.[1] ?? 0) - (own[0]?.[1] ?? 0));
  // one line for all years, level in each
  const before = moves(curve('data-series="past"'));
  expect(before.map(([how]) => how).join('')).toBe('MLLLLLLL');
  for (const n of [0, 2, 4, 6]) expect(before[n]?.[2]).toBe(before[n + 1]?.[2]);
  // the area below is closed at both edges for finished years, and paler for the current year
  const below = [...group.querySelectorAll('path.recharts-area-area')];
  expect(below.map((path) => moves(path).at(-1)?.[0])).toEqual(['Z', 'Z']);
  const [finished, pale] = below.map((path) => Number(path.getAttribute('fill-opacity')));
  expect(pale).toBeLessThan(finished ?? 0);
  expect(moves(below[0] as Element).at(-2)?.[1]).toBeCloseTo(own[0]?.[1] ?? 0);
  expect(group.querySelectorAll('.recharts-surface circle')).toHaveLength(0);
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

row('9-charts-comparison', 'its dash is as wide as the bar, at its own height, and it is spoken with the bar', async () => {
  const group = await chart({
    points: years.map((p) => ({ ...p, values: { ...p.values, past: 11 } })),
    series: [...series, past],
  });
  const edges = [...group.querySelectorAll('[data-series="made"] path')].map((path) => {
    const [, left, right] = /^M([\d.]+) .*H([\d.]+)Q/.exec(path.getAttribute('d') ?? '') ?? [];
    return [Number(left), Number(right)];
  });
  const line = group.querySelector('path.recharts-line-curve[data-series="past"]')?.getAttribute('d') ?? '';
  const dashes = [...line.matchAll(/M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)/g)].map((found) => found.slice(1).map(Number));
  expect(dashes, '9-charts-comparison').toHaveLength(4);
  for (const [n, [left = 0, top, right = 0, end]] of dashes.entries()) {
    expect(left).toBeCloseTo(edges[n]?.[0] ?? 0);
    expect(right).toBeGreaterThan(edges[n]?.[1] ?? 0);
    expect(top).toBe(end);
  }
  const entry = screen.getByRole('button', { name: 'Jaar ervoor' });
  expect(entry.querySelectorAll('line'), 'the legend').toHaveLength(1);
  // it must not be mistaken for usage
  expect(screen.getByRole('img', { name: /^2021: Opbrengst 20.kWh, Jaar ervoor 11.kWh$/ })).toBeVisible();
  cleanup();
  // and must not be added to the total
  await chart({
    points: years.map((p) => ({ ...p, values: { ...p.values, low: 3, past: 11 } })),
    series: [...series, { key: 'low', label: 'Dal', kind: 'low' }, past],
  });
  expect(
    screen.getByRole('img', { name: /^2021: Opbrengst 20.kWh, Dal 3.kWh, Totaal 23.kWh, Jaar ervoor 11.kWh$/ }),
  ).toBeVisible();
});

row('9-charts-legend', 'the legend has what is drawn, in the order of the marks', async () => {
  const drawn = points([10, 20, null, 12], { 1: { estimated: true }, 3: { unfinished: true, expected: { value: 20 } } });
  await chart({
    points: drawn.map((p) => ({ ...p, values: { ...p.values, past: 11 } })),
    series: [past, ...series],
    target: { value: 15, label: 'Doel' },
  });
  const legend = screen.getByRole('group', { name: 'Legenda' });
  const names = () => [...legend.querySelectorAll(':scope > span, :scope > button')].map((e) => e.textContent);
  const rest = ['Jaar ervoor', 'Verwacht', 'Doel', 'geen gegevens'];
  expect(names(), '9-charts-legend').toEqual(['Opbrengst', 'geschat', 'tot nu toe', ...rest]);
  const own = screen.getByRole('button', { name: 'Opbrengst' });
  await user.click(own);
  await waitFor(() => expect(names(), '9-charts-legend: parts of what is hidden are not drawn').toEqual(['Opbrengst', ...rest]));
  await user.click(own);
  await waitFor(() => expect(names()).toHaveLength(7));
  cleanup();
  await chart({ points: points([10, 20]) });
  expect(screen.getByRole('group', { name: 'Legenda' }).textContent, '9-charts-legend: nothing else').toBe('Opbrengst');
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

test('a comparison without a value draws nothing there; a lone value is a dash on its bar, or a mark next to a line', async () => {
  const lone = points([1, 2, 3, 4]).map((p, n) => ({ ...p, values: { ...p.values, past: n === 2 ? 3 : null } }));
  const marks = (group: HTMLElement) => group.querySelectorAll('.recharts-line-dots [data-mark=open]');
  const bars = await chart({ points: lone, series: [...series, past] });
  expect(bars.querySelector('path[data-series="past"]')?.getAttribute('d')?.match(/M/g)).toHaveLength(1);
  expect(marks(bars)).toHaveLength(0);
  cleanup();
  expect(marks(await chart({ points: lone, series: [made('line'), past] }))).toHaveLength(1);
  cleanup();
  // a single period has no line
  expect(marks(await chart({ points: lone.slice(2, 3), series: [...series, past] }))).toHaveLength(1);
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
