import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { expect, test } from 'vitest';
import { BarsByMonth } from './bars-by-month';
import { Comparison } from './comparison';
import { PeriodChart } from './period-chart';
import { draw } from './test-render';
import type { ChartPoint, ChartSeries } from './types';

const user = userEvent.setup();
const series: ChartSeries[] = [
  { key: 'normal', label: 'Normaal', kind: 'normal' },
  { key: 'low', label: 'Dal', kind: 'low' },
  { key: 'back', label: 'Teruglevering', kind: 'feed-in' },
  { key: 'before', label: 'Oktober 2025', kind: 'compare' },
];
/** The night in which the clocks go back: 02:00 twice, then an hour without data and an hour in the future. */
const night: ChartPoint[] = [
  { start: '2026-10-25T01:00:00+02:00', label: '01:00', values: { normal: 0, low: 0.4, back: 0, before: 0.5 } },
  { start: '2026-10-25T02:00:00+02:00', label: '02:00', name: '02:00 zomertijd', values: { normal: 0.1, low: 0.5, back: 0.2 } },
  { start: '2026-10-25T02:00:00+01:00', label: '02:00', name: '02:00 wintertijd', values: { normal: 0.2, low: 0.9, back: 0.1 } },
  { start: '2026-10-25T03:00:00+01:00', label: '03:00', values: { normal: null, before: 0.6 }, missing: true },
  { start: '2026-10-25T04:00:00+01:00', label: '04:00', values: {}, upcoming: true },
];
const chart = (props: Partial<Parameters<typeof PeriodChart>[0]> = {}) =>
  draw(
    <PeriodChart
      label="Verbruik op 25-10-2026"
      unit="kWh"
      detail="hours"
      first="Uur"
      series={series}
      points={night}
      {...props}
    />,
  );
const drawing = () => screen.findByRole('group', { name: 'Verbruik op 25-10-2026' });
const bars = (root: HTMLElement, key: string) => root.querySelectorAll(`[data-series="${key}"]`).length;

test('has one tab stop; arrow keys, Home and End move between periods, which have their values as name; Escape closes the card', async () => {
  chart({ table: false });
  const svg = await drawing();
  for (let i = 0; i < series.length; i++) await user.tab(); // through the legend
  await user.tab();
  const first = screen.getByRole('img', { name: /^01:00: / });
  expect(first).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(
    screen.getByRole('img', {
      name: /^02:00 zomertijd: Normaal 0,10.kWh, Dal 0,50.kWh, Totaal 0,60.kWh, Teruglevering 0,20.kWh$/,
    }),
  ).toHaveFocus();
  expect(screen.getByText('02:00 zomertijd')).toBeVisible();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('img', { name: /^02:00 wintertijd: / })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByText('02:00 wintertijd')).toBeNull();
  await user.keyboard('{End}{ArrowRight}');
  expect(screen.getByRole('img', { name: '04:00: nog niet bekend' })).toHaveFocus();
  await user.keyboard('{Home}');
  expect(first).toHaveFocus();
  expect(svg.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  await user.tab();
  expect(document.body).toHaveFocus();
});

test('both repeated hours are drawn; missing values are a hatched gap without a bar, future ones are blank', async () => {
  chart();
  const svg = await drawing();
  expect(within(svg).getAllByText('02:00')).toHaveLength(2);
  expect(bars(svg, 'low')).toBe(3);
  expect(svg.querySelectorAll('[data-gap]')).toHaveLength(1);
  expect(screen.getByRole('img', { name: /^03:00: geen gegevens, Oktober 2025 0,60.kWh$/ })).toBeVisible();
  expect(screen.getByRole('group', { name: 'Legenda' })).toHaveTextContent('geen gegevens');
});

test('the unit is shown once, ticks start at zero, and feed-in below it has no negative amounts', async () => {
  chart();
  const svg = await drawing();
  expect(within(svg).getAllByText('kWh')).toHaveLength(1);
  expect([...svg.querySelectorAll('text[text-anchor="end"]')].map((t) => t.textContent)).toEqual([
    '0,4',
    '0',
    '0,4',
    '0,8',
    '1,2',
  ]);
});

test('the legend hides a series; a gap stays a gap', async () => {
  chart();
  const svg = await drawing();
  const low = screen.getByRole('button', { name: 'Dal', pressed: true });
  await user.click(low);
  expect(low).toHaveAttribute('aria-pressed', 'false');
  expect(bars(svg, 'low')).toBe(0);
  for (const name of ['Normaal', 'Teruglevering']) await user.click(screen.getByRole('button', { name }));
  expect(svg.querySelectorAll('[data-gap]')).toHaveLength(1);
  await user.click(low);
  expect(bars(svg, 'low')).toBe(3);
});

test('the pointer opens the card of a period, and leaving closes it; a tap keeps it open', async () => {
  chart({ record: { at: '2026-10-25T02:00:00+01:00', text: 'Hoogste' } });
  const svg = await drawing();
  expect(within(svg).getByText('Hoogste')).toBeVisible();
  fireEvent.pointerMove(svg, { clientX: 620, pointerType: 'mouse' });
  expect(screen.getByText('nog niet bekend')).toBeVisible();
  fireEvent.pointerLeave(svg, { pointerType: 'mouse' });
  expect(screen.queryByText('nog niet bekend')).toBeNull();
  fireEvent.pointerDown(svg, { clientX: 620, pointerType: 'touch' });
  fireEvent.pointerLeave(svg, { pointerType: 'touch' });
  expect(screen.getByText('nog niet bekend')).toBeVisible();
});

test('the highest value is not marked where a compared line is higher, and is without that line', async () => {
  const higher = night.map((p, at) => (at === 0 ? { ...p, values: { ...p.values, before: 1.2 } } : p));
  chart({ points: higher, record: { at: '2026-10-25T02:00:00+01:00', text: 'Hoogste' } });
  const svg = await drawing();
  expect(svg.querySelector('[data-record]')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Oktober 2025' }));
  expect(await within(svg).findByText('Hoogste')).toBeVisible();
});

test('the table has the same data: every period in order, both repeated hours, gaps in words, sums', async () => {
  chart();
  await drawing();
  await user.click(screen.getByRole('button', { name: 'Toon als tabel' }));
  const table = await screen.findByRole('table', { name: 'Verbruik op 25-10-2026' });
  expect(screen.getByRole('button', { name: 'Verberg tabel' })).toHaveAttribute('aria-expanded', 'true');
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((h) => h.textContent),
  ).toEqual(['Uur', 'Normaal kWh', 'Dal kWh', 'Teruglevering kWh', 'Oktober 2025 kWh']);
  const line = (name: RegExp) => within(table).getByRole('row', { name });
  const heads = within(table).getAllByRole('rowheader');
  expect(heads.map((h) => h.textContent)).toEqual(['01:00', '02:00 zomertijd', '02:00 wintertijd', '03:00', '04:00', 'Totaal']);
  expect(line(/^03:00/)).toHaveTextContent('geen gegevens');
  expect(line(/^04:00/)).toHaveTextContent('nog niet bekend');
  expect(line(/Totaal/)).toHaveTextContent(/0,301,800,301,10/);
});

test('loading, failure and no data take the same space, with the final legend', async () => {
  const { rerender } = chart({ loading: true, points: [] });
  expect(screen.getByRole('status')).toHaveTextContent('Verbruik op 25-10-2026');
  expect(screen.getByRole('button', { name: 'Dal' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Toon als tabel' })).toBeNull();
  const again = (props: object) =>
    rerender(<PeriodChart label="Verbruik op 25-10-2026" unit="kWh" first="Uur" series={series} points={[]} {...props} />);
  again({});
  expect(screen.getByText('Over deze periode zijn er geen gegevens')).toBeVisible();
  again({ points: [{ start: '1', label: '1', values: { before: 3 } }] });
  expect(screen.getByText('Over deze periode zijn er geen gegevens')).toBeVisible();
  again({ error: 'Dit kon niet worden geladen' });
  expect(screen.getByText('Dit kon niet worden geladen')).toBeVisible();
});

test('an amount by month: absent months are gaps, a credit is below zero with its sign', async () => {
  draw(
    <BarsByMonth
      label="Gefactureerd per maand"
      name="Gefactureerd"
      gap="geen factuur"
      months={[
        { month: '2026-03', cents: -8_412 },
        { month: '2025-12', cents: 12_350 },
        { month: '2026-01', cents: 13_500 },
      ]}
    />,
  );
  const svg = await screen.findByRole('group', { name: 'Gefactureerd per maand' });
  expect(screen.getByRole('img', { name: /^december 2025: Gefactureerd €.123,50$/ })).toBeVisible();
  expect(screen.getByRole('img', { name: 'februari 2026: geen factuur' })).toBeVisible();
  expect(screen.getByRole('img', { name: /^maart 2026: Gefactureerd €.-84,12$/ })).toBeVisible();
  for (const label of ['dec', '2026', 'feb', 'mrt']) expect(within(svg).getByText(label)).toBeVisible();
  expect(within(svg).getByText('-100')).toBeVisible();
});

test('compares in words, and draws nothing for an unknown value', () => {
  const { container } = draw(
    <>
      <p>
        <Comparison value={312} then={355} name="november 2025" />
      </p>
      <p>
        <Comparison value={120} then={100} name="november 2025" />
      </p>
      <p>
        <Comparison value={100.2} then={100} name="november 2025" />
      </p>
      <p>
        <Comparison value={100} then={null} name="november 2025" />
      </p>
    </>,
  );
  expect([...container.querySelectorAll('p')].map((p) => p.textContent)).toEqual([
    '12% minder dan november 2025',
    '20% meer dan november 2025',
    'evenveel als november 2025',
    '',
  ]);
});

row('9-charts-table', 'the button of the table is at the right edge, also when the note is below it', async () => {
  for (const note of ['Bijgewerkt 20-11-2026', undefined]) {
    const { container } = chart({ note });
    const place = screen.getByRole('button', { name: 'Toon als tabel' }).parentElement as HTMLElement;
    const under = getComputedStyle(place.parentElement as HTMLElement);
    expect([under.flexDirection, under.flexWrap, getComputedStyle(place).order]).toEqual(['row-reverse', 'wrap', '-1']);
    expect(getComputedStyle(place).marginLeft, 'not at the left in a line of its own').toBe('auto');
    container.remove();
  }
});
