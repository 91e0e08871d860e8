import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { expect, test, vi } from 'vitest';
import { maxDrawn } from './long';
import { PeriodChart } from './period-chart';
import { sample, slotOf } from './scale';
import { draw } from './test-render';
import type { ChartPoint } from './types';

const user = userEvent.setup();
/** A year of hourly values; one hour is far higher than all others, and one night was not measured. */
const year = Array.from(
  { length: 8760 },
  (_, n): ChartPoint => ({
    start: `hour ${n}`,
    label: n % 730 === 0 ? `m${n / 730}` : '',
    name: `uur ${n}`,
    values: { used: n === 5003 ? 90 : 1 + (n % 24) },
    missing: n >= 100 && n < 112,
  }),
);
const chart = (points: readonly ChartPoint[] = year) =>
  draw(
    <PeriodChart
      label="Een jaar in uren"
      unit="kWh"
      first="Uur"
      series={[{ key: 'used', label: 'Verbruik', kind: 'normal' }]}
      points={points}
    />,
  );
/**
 * Returns the number of points in the area of a dense drawing: its top edge has two corners per point, and so has its lower edge.
 */
const pointsDrawn = (group: HTMLElement) =>
  (group.querySelector('path.recharts-area-area')?.getAttribute('d')?.match(/[ML]/g)?.length ?? 0) / 4;
const drawing = () => screen.findByRole('group', { name: 'Een jaar in uren' });

row(
  '9-charts-range',
  'of many points the highest of each run is drawn, and of lines the lowest too; each point has its place',
  () => {
    expect(maxDrawn).toBe(1000);
    const heights = year.map((p) => (p.missing ? null : (p.values.used ?? null)));
    for (const both of [false, true]) {
      const slots = sample(heights.length, maxDrawn, (n) => heights[n] ?? null, both);
      expect(slots.length).toBeLessThanOrEqual(maxDrawn);
      expect(slots.some((slot) => slot.at === 5003)).toBe(true);
      if (!both)
        for (const slot of slots)
          expect(heights[slot.at] ?? 0, `${slot.from}`).toBe(
            Math.max(0, ...heights.slice(slot.from, slot.to + 1).map((h) => h ?? 0)),
          );
      expect(slots[0]?.from).toBe(0);
      expect(slots.at(-1)?.to).toBe(8759);
      for (const [n, slot] of slots.entries()) {
        if (n > 0) expect(slot.from).toBe((slots[n - 1]?.to ?? 0) + 1);
        expect(slot.at).toBeGreaterThanOrEqual(slot.from);
        expect(slot.at).toBeLessThanOrEqual(slot.to);
      }
      for (const point of [0, 99, 105, 5003, 8759]) {
        const slot = slots[slotOf(slots, point)];
        expect([slot?.from ?? Number.NaN, point, slot?.to ?? Number.NaN]).toEqual(
          [slot?.from ?? 0, point, slot?.to ?? 0].sort((a, b) => a - b),
        );
      }
    }
    expect(sample(3, 3, () => 1, true)).toEqual([0, 1, 2].map((at) => ({ at, from: at, to: at })));
  },
);

row('9-charts-range', 'at most 1,000 points are drawn; the keyboard reaches all of them', async () => {
  chart();
  const group = await drawing();
  expect(pointsDrawn(group), '9-charts-range').toBeLessThanOrEqual(1000);
  expect(pointsDrawn(group)).toBeGreaterThan(900);
  expect(group.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  (group.querySelector('[tabindex="0"]') as SVGElement).focus();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(screen.getByRole('img', { name: /^uur 2: Verbruik 3.kWh$/ })).toHaveFocus();
  await user.keyboard('{End}{ArrowLeft}');
  expect(screen.getByRole('img', { name: /^uur 8758: / })).toHaveFocus();
  expect(screen.getByText('uur 8758')).toBeVisible();
  await user.keyboard('{Home}');
  expect(screen.getByRole('img', { name: /^uur 0: / })).toHaveFocus();
});

row('9-charts-range', 'two sliders choose the part that is drawn in full, and the keyboard walks out of it', async () => {
  chart();
  const group = await drawing();
  const range = screen.getByRole('group', { name: 'Deel dat je ziet' });
  expect(range).toHaveTextContent('Van elke 9 waarden zie je de hoogste.');
  const [from, to] = [
    within(range).getByRole('slider', { name: 'Vanaf' }),
    within(range).getByRole('slider', { name: 'Tot en met' }),
  ];
  fireEvent.change(to, { target: { value: '199' } });
  fireEvent.change(from, { target: { value: '100' } });
  await waitFor(() => expect(group.querySelectorAll('[data-point]')).toHaveLength(100));
  expect(from, '9-charts-range').toHaveAttribute('aria-valuetext', 'uur 100');
  expect(to).toHaveAttribute('aria-valuetext', 'uur 199');
  expect(group.querySelectorAll('[data-series="used"] path')).toHaveLength(100 - 12);
  expect(group.querySelectorAll('[data-gap]')).toHaveLength(1);
  // the handles cannot pass each other
  fireEvent.change(from, { target: { value: '8000' } });
  expect(Number((from as HTMLInputElement).value)).toBeLessThan(199);
  fireEvent.change(from, { target: { value: '100' } });
  // when the focus moves past its end, the visible part moves too
  (group.querySelector('[data-point="199"]') as SVGElement).focus();
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(screen.getByRole('img', { name: /^uur 200: / })).toHaveFocus());
  await waitFor(() => expect(from).toHaveAttribute('aria-valuetext', 'uur 101'));
  await user.click(within(range).getByRole('button', { name: 'Alles tonen' }));
  await waitFor(() => expect(pointsDrawn(group)).toBeGreaterThan(900));
  expect(within(range).queryByRole('button', { name: 'Alles tonen' })).toBeNull();
});

test('a choice of part does not outlive the period that it was made in', async () => {
  const { rerender } = chart(year.slice(0, 744));
  const group = await drawing();
  fireEvent.change(screen.getByRole('slider', { name: 'Tot en met' }), { target: { value: '99' } });
  await waitFor(() => expect(group.querySelectorAll('[data-point]')).toHaveLength(100));
  const next = year.slice(1000, 1720);
  rerender(
    <PeriodChart
      label="Een jaar in uren"
      unit="kWh"
      first="Uur"
      series={[{ key: 'used', label: 'Verbruik', kind: 'normal' }]}
      points={next}
    />,
  );
  await waitFor(() => expect(group.querySelectorAll('[data-point]')).toHaveLength(720));
});

row('9-charts-range', 'the table has every point; what is short has no sliders', async () => {
  chart(year.slice(0, 1200));
  await drawing();
  await user.click(screen.getByRole('button', { name: 'Toon als tabel' }));
  const table = await screen.findByRole('table', { name: 'Een jaar in uren' });
  await waitFor(() => expect(table.querySelectorAll('tbody tr'), '9-charts-range').toHaveLength(1200 + 1));
  const { container } = chart(year.slice(0, 366));
  await waitFor(() => expect(container.querySelectorAll('[data-point]')).toHaveLength(366));
  expect(within(container as HTMLElement).queryByRole('slider')).toBeNull();
});

row(
  '9-charts-lazy',
  'the drawing waits until the chart comes near the view or is printed, in the height that it will have',
  async () => {
    const intersect: (() => void)[] = [];
    const options: (IntersectionObserverInit | undefined)[] = [];
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: IntersectionObserverCallback, init?: IntersectionObserverInit) {
          options.push(init);
          intersect.push(() => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never));
        }
        observe() {}
        disconnect() {}
      },
    );
    const later = () => new Promise((done) => setTimeout(done, 700));
    const isDrawn = (root: HTMLElement) => root.querySelector('[data-chart]') !== null;
    try {
      const first = chart(year.slice(0, 24)).container;
      expect(first.querySelector('[style*="min-height: 300px"]'), '9-charts-lazy').not.toBeNull();
      expect(options[0]?.rootMargin).toBe('600px 0px');
      await later();
      expect(isDrawn(first)).toBe(false);
      fireEvent(window, new Event('beforeprint'));
      await waitFor(() => expect(isDrawn(first)).toBe(true));
      // when another chart comes near the view, the rest of the page follows when the browser is idle
      const [second, third] = [chart(year.slice(24, 48)).container, chart(year.slice(48, 72)).container];
      await later();
      expect([second, third].map(isDrawn)).toEqual([false, false]);
      act(() => intersect[1]?.());
      await waitFor(() => expect(isDrawn(second)).toBe(true));
      await waitFor(() => expect(isDrawn(third)).toBe(true));
    } finally {
      vi.unstubAllGlobals();
    }
  },
);
