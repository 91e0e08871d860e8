import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { accessibleName, Card } from './card';
import { Drawing } from './drawing';
import { type Geometry, geometryOf, letter, margin } from './geometry';
import { isLong, maxDrawn } from './long';
import { isLine, Patterns } from './look';
import { useMotion } from './motion';
import { Range } from './range';
import { runs, sample, slotOf } from './scale';
import { drawnValues } from './stack';
import type { ChartPoint, ChartRecord, ChartSeries, ChartTarget } from './types';
import { useWidth } from './width';
import { type ChartTexts, valueIn } from './write';

export interface PlotProps {
  label: string;
  unit: string;
  series: readonly ChartSeries[];
  /** The points; gaps have `missing`. */
  points: readonly ChartPoint[];
  /** Draws feed-in below zero. */
  feedInBelow: boolean;
  record?: ChartRecord | undefined;
  target?: ChartTarget | undefined;
  height: number;
  texts: ChartTexts;
  /** Id of the element with the text summary of the chart. */
  summary: string | undefined;
}

/**
 * The drawing, with a layer over it for keyboard, pointer and screen readers. The layer is one tab stop: arrow keys move between
 * periods, and each period's accessible name contains its values. The layer of recharts is not used because it has neither Home and
 * End nor these names.
 */
function Plot({ label, unit, series, points, feedInBelow, record, target, height, texts, summary }: PlotProps) {
  const intl = useIntl();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const measured = useWidth(frame);
  const width = measured ?? 0;
  const [active, setActive] = useState<number | null>(null);
  const [stop, setStop] = useState(0);
  const wanted = useRef<number | null>(null);
  const [chosen, setChosen] = useState<{ series: string; span: Span } | null>(null);
  const last = points.length - 1;
  const begin = points[0]?.start ?? '';
  /** Returns the chosen part, or the whole series if the part was chosen in another period. */
  const spanOf = (of: typeof chosen): Span => (of?.series === begin && of.span[1] <= last ? of.span : [0, last]);
  const [start, end] = spanOf(chosen);
  const choose = useCallback((next: Span | null) => setChosen(next && { series: begin, span: next }), [begin]);
  // the handles respond immediately, the drawing follows as soon as possible
  const [from, to] = spanOf(useDeferredValue(chosen));
  const heights = useMemo(
    () => (isLong(points) ? points.map((one) => heightOf(one, series, feedInBelow)) : []),
    [points, series, feedInBelow],
  );
  const slots = useMemo(
    () =>
      sample(to - from + 1, maxDrawn, (index) => heights[index + from] ?? null, series.every(isLine)).map((slot) => ({
        at: slot.at + from,
        from: slot.from + from,
        to: slot.to + from,
      })),
    [heights, series, from, to],
  );
  const at = useMemo(
    () => geometryOf({ width, height, slots, points, series, feedInBelow, target }),
    [width, height, slots, points, series, feedInBelow, target],
  );
  const moves = useMotion(measured !== undefined, slots.length);
  const tabStop = Math.min(to, Math.max(from, stop));
  const shown = active !== null ? points[active] : undefined;
  const open = shown !== undefined;
  useEffect(() => {
    if (!open) return;
    const key = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation(); // so that a surrounding sheet stays open
      setActive(null);
    };
    document.addEventListener('keydown', key, true);
    return () => document.removeEventListener('keydown', key, true);
  }, [open]);
  // if there are many periods, only the one at the tab stop has an element: the new one gets focus after it has been rendered
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const period = frame.current?.querySelector<SVGElement>(`[data-point="${wanted.current}"]`);
    if (period) wanted.current = null;
    period?.focus();
  });

  const keys = (event: KeyboardEvent) => {
    const current = active ?? tabStop;
    const moved = {
      ArrowRight: current + 1,
      ArrowLeft: current - 1,
      Home: 0,
      End: last,
      PageDown: current + 7,
      PageUp: current - 7,
    }[event.key];
    if (moved === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = Math.min(last, Math.max(0, moved));
    wanted.current = next;
    setStop(next);
    setActive(next);
    if (next < start || next > end) {
      const length = end - start;
      const first = Math.min(last - length, Math.max(0, next < start ? next : next - length));
      choose([first, first + length]);
    }
  };
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const inside = event.clientX - event.currentTarget.getBoundingClientRect().left - at.left;
    setActive(slots[Math.floor(inside / at.column)]?.at ?? null);
  };
  const focused = useRef((index: number) => {
    setStop(index);
    setActive(index);
  }).current;
  const blurred = useRef(() => setActive(null)).current;
  const placeOfPoint = (index: number) => slotOf(slots, index);
  const few = slots.length === to - from + 1;
  /** If not every point is drawn, only the period at the tab stop has an element; another gets one when the keyboard reaches it. */
  const periods = few ? slots.map((slot) => slot.at) : [tabStop];

  return (
    <>
      <Frame
        ref={frame}
        role="group"
        aria-label={label}
        aria-roledescription={intl.formatMessage({ id: 'charts.chart', defaultMessage: 'chart' })}
        aria-describedby={summary}
        style={{ height }}
        onKeyDown={keys}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={(event) => {
          if (event.pointerType !== 'touch') setActive(null); // a tap fires pointerleave immediately; its card closes on blur
        }}
        data-chart
      >
        {measured !== undefined && (
          <>
            <div aria-hidden="true">
              <Drawing
                id={id}
                at={at}
                slots={slots}
                points={points}
                series={series}
                feedInBelow={feedInBelow}
                target={target}
                moves={moves}
              />
            </div>
            {/** biome-ignore lint/a11y/noSvgWithoutTitle: the group around it has the name */}
            <svg width={width} height={height}>
              <Patterns id={id} />
              {/** biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes focus */}
              <g aria-hidden="true">
                <text x="0" y="14">
                  {unit}
                </text>
                <GapNames at={at} missing={slots.map((slot) => points[slot.at]?.missing === true)} text={texts.gap} />
                {target && (
                  <text x={width - margin.right} y={at.y(target.value) - 7} textAnchor="end" data-halo data-strong>
                    {target.label}
                  </text>
                )}
                <Record at={at} record={record} points={points} slotOf={placeOfPoint} series={series} feedInBelow={feedInBelow} />
              </g>
              {periods.map((index) => {
                const slot = placeOfPoint(index);
                return (
                  <Period
                    key={points[index]?.start}
                    index={index}
                    name={accessibleName(intl, points[index] as ChartPoint, series, texts)}
                    tab={index === tabStop}
                    active={active === index}
                    x={at.x(slot) - at.column / 2}
                    width={at.column}
                    height={height}
                    onFocus={focused}
                    onBlur={blurred}
                  />
                );
              })}
              {active !== null && !periods.includes(active) && (
                <rect
                  data-shade
                  x={at.x(placeOfPoint(active)) - at.column / 2}
                  y={margin.top - 8}
                  width={at.column}
                  height={height - margin.top - margin.bottom + 16}
                />
              )}
            </svg>
            {shown && active !== null && (
              <Card point={shown} series={series} id={id} at={at.x(placeOfPoint(active))} within={width} {...texts} />
            )}
          </>
        )}
      </Frame>
      {isLong(points) && (
        <Range
          points={points}
          from={start}
          to={end}
          heights={heights}
          sampled={few ? undefined : Math.ceil((to - from + 1) / slots.length)}
          onChange={choose}
        />
      )}
    </>
  );
}

export default memo(Plot);

type Span = readonly [from: number, to: number];

/** Returns the value that determines the height of a point; null if nothing is drawn. */
function heightOf(point: ChartPoint, series: readonly ChartSeries[], feedInBelow: boolean): number | null {
  if (point.missing || point.upcoming) return null;
  return drawnValues(point, series, feedInBelow).reduce((far, value) => (Math.abs(value) > Math.abs(far) ? value : far), 0);
}

interface PeriodProps {
  index: number;
  name: string;
  tab: boolean;
  active: boolean;
  x: number;
  width: number;
  height: number;
  onFocus(index: number): void;
  onBlur(): void;
}

/** A period, for keyboard and screen reader users. */
const Period = memo(function Period({ index, name, tab, active, x, width, height, onFocus, onBlur }: PeriodProps) {
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: arrow keys move focus between periods, which are images with a name
    <rect
      data-point={index}
      data-active={active || undefined}
      role="img"
      aria-label={name}
      tabIndex={tab ? 0 : -1}
      x={x}
      y={margin.top - 8}
      width={width}
      height={height - margin.top - margin.bottom + 16}
      onFocus={() => onFocus(index)}
      onBlur={onBlur}
    />
  );
});

/** The text in gaps that are wide enough for it. */
function GapNames({ at, missing, text }: { at: Geometry; missing: readonly boolean[]; text: string }) {
  return runs(missing)
    .filter(([from, to]) => at.column * (to - from + 1) > text.length * letter + 16)
    .map(([from, to]) => (
      <text
        key={from}
        x={(at.x(from) + at.x(to)) / 2}
        y={(at.height + margin.top - margin.bottom) / 2}
        textAnchor="middle"
        data-halo
      >
        {text}
      </text>
    ));
}

interface RecordProps {
  at: Geometry;
  record: ChartRecord | undefined;
  points: readonly ChartPoint[];
  slotOf(index: number): number;
  series: readonly ChartSeries[];
  feedInBelow: boolean;
}

function Record({ at, record, points, slotOf, series, feedInBelow }: RecordProps) {
  const index = record ? points.findIndex((point) => point.start === record.at) : -1;
  const point = points[index];
  if (!record || !point) return null;
  const own = series.filter((s) => s.kind !== 'compare');
  const highest = Math.max(0, ...drawnValues({ ...point, expected: undefined }, own, feedInBelow));
  // A higher comparison line would cross the text, and contradict "the highest".
  const higher = points.some((p) => series.some((s) => s.kind === 'compare' && (valueIn(p, s) ?? 0) > highest));
  if (higher) return null;
  const [x, y] = [at.x(slotOf(index)), at.y(highest)];
  const anchor = x < 120 ? 'start' : x > at.width - 120 ? 'end' : 'middle';
  const beside = anchor === 'start' ? -4 : anchor === 'end' ? 4 : 0;
  return (
    <g data-record>
      <circle cx={x} cy={y} r="5" fill="var(--w-surface)" stroke="var(--w-text)" strokeWidth="2.5" />
      <text x={x + beside} y={Math.max(14, y - 12)} textAnchor={anchor} data-halo data-strong>
        {record.text}
      </text>
    </g>
  );
}

const Frame = styled.div`
  position: relative; width: 100%;
  svg { display: block; max-width: none; overflow: visible; touch-action: pan-y; }
  > svg { position: absolute; inset: 0; }
  text { font-size: 14px; fill: var(--w-text-quiet); font-variant-numeric: tabular-nums; }
  [data-halo] { paint-order: stroke; stroke: var(--w-surface); stroke-width: 5px; stroke-linejoin: round; }
  [data-strong] { fill: var(--w-text); font-weight: 600; }
  [data-grid] { stroke: var(--w-line); stroke-width: 1; shape-rendering: crispEdges; }
  [data-grid='zero'] { stroke: var(--w-control-line); }
  [data-outlined] { paint-order: stroke; }
  rect[data-point] { fill: transparent; outline-offset: -1px; }
  rect[data-point][data-active], rect[data-shade] { fill: color-mix(in oklch, var(--w-text) 7%, transparent); }
  rect[data-point]:focus:not(:focus-visible) { outline: none; }
  @media (prefers-contrast: more) { [data-grid] { stroke: var(--w-control-line); } text { fill: var(--w-text); } }
  @media (forced-colors: active) { svg { forced-color-adjust: none; background: var(--w-surface); } > svg { background: none; } }
  @media print { break-inside: avoid; }
`;
