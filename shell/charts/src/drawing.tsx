import { memo, type ReactElement } from 'react';
import { Area, Bar, CartesianGrid, ComposedChart, Line, ReferenceArea, ReferenceLine, XAxis, YAxis } from 'recharts';
import { type Geometry, letter, margin } from './geometry';
import { dashes, fillOf, isLine, isSteps, lookOf, Mark, OpenMark, placeOf, stepsFill } from './look';
import { motionDuration } from './motion';
import { runs, type Slot, shownLabels } from './scale';
import { stack } from './stack';
import { minDashed, stepCurve } from './steps';
import type { ChartPoint, ChartSeries, ChartTarget } from './types';
import { isFeedIn, valueIn } from './write';

export interface DrawingProps {
  id: string;
  at: Geometry;
  slots: readonly Slot[];
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  feedInBelow: boolean;
  target?: ChartTarget | undefined;
  moves: boolean;
}

/** The recharts data of one slot. Keys are short and numbered, because recharts treats dots in a key as a path. */
type Row = Record<string, number | null | [number, number]> & { slot: number };
interface Shape {
  payload: { slot: number };
  y: number;
  height: number;
}
interface Dot {
  cx: number | null;
  cy: number | null;
  payload: { slot: number };
}

/**
 * The part drawn by recharts: bars, lines, gaps, axes. It is drawn again only when its content changes, never on pointer movement.
 */
export const Drawing = memo(function Drawing({ id, at, slots, points, series, feedInBelow, target, moves }: DrawingProps) {
  const drawn = slots.map((slot) => points[slot.at] as ChartPoint);
  const bars = series.filter((s) => !isLine(s));
  const lines = series.filter(isLine);
  const pieces = drawn.map((p) => stack(p, series, feedInBelow));
  const sign = (s: ChartSeries) => (feedInBelow && isFeedIn(s) ? -1 : 1);
  const valueAt = (slot: number, s: ChartSeries) => {
    const value = drawn[slot] ? valueIn(drawn[slot], s) : null;
    return value === null ? null : value * sign(s);
  };
  const forecast = drawn.some((p) => p.expected);
  const rows = drawn.map((p, slot) => {
    const row: Row = { slot };
    bars.forEach((s, n) => {
      row[`b${n}`] = valueAt(slot, s);
    });
    lines.forEach((s, n) => {
      const value = valueAt(slot, s);
      row[`l${n}`] = p.unfinished && s.kind !== 'compare' ? null : value;
      // the dashed end of a line starts at the last finished point
      const dashed = s.kind !== 'compare' && (p.unfinished || drawn[slot + 1]?.unfinished || drawn[slot - 1]?.unfinished);
      row[`u${n}`] = dashed ? value : null;
      if (isSteps(s)) row[`s${n}`] = p.unfinished ? value : null;
    });
    if (p.expected) {
      const { value, low = value, high = value } = p.expected;
      row.band = [low, high];
      row.expected = value;
    }
    return row;
  });
  const labels = shownLabels(
    slots.map((slot) => labelOf(slot, points)),
    letter,
    at.column,
    at.width <= 480,
  );
  /** Bars narrower than this are drawn as one stepped area: separate shapes would be too small to see, and slow. */
  const dense = at.column < 3;
  const alone = (slot: number, s: ChartSeries) => valueAt(slot - 1, s) === null && valueAt(slot + 1, s) === null;
  const motion = { isAnimationActive: moves, animationDuration: motionDuration, animationEasing: 'ease-out' as const };

  /** Draws a bar at the horizontal position of our geometry and the height from recharts. */
  const bar = (s: ChartSeries) => (props: unknown) => {
    const { payload, y, height } = props as Shape;
    const piece = pieces[payload.slot]?.find((one) => one.series === s);
    if (!piece) return <g />;
    return (
      <BarPath
        id={id}
        series={s}
        unfinished={drawn[payload.slot]?.unfinished}
        estimated={drawn[payload.slot]?.estimated}
        d={(part) => barPath(at.x(payload.slot), at.bar, y + height * part, y, piece.last)}
      />
    );
  };
  const dot = (s: ChartSeries, unfinished: boolean, steps: boolean) => (props: unknown) => {
    const { cx, cy, payload } = props as Dot;
    const { slot } = payload;
    const key = `${s.key} ${slot}`;
    const own = unfinished === (drawn[slot]?.unfinished === true);
    const wanted = (s.kind === 'compare' || own) && (at.column > 14 || alone(slot, s));
    // of a single period there is no line
    const level = steps && slots.length > 1;
    if (level || cx === null || cy === null || valueAt(slot, s) === null || !wanted) return <g key={key} />;
    const color = lookOf(s).fill;
    if (s.kind === 'compare') return <OpenMark key={key} x={cx} y={cy} color={color} />;
    return unfinished ? (
      <circle key={key} cx={cx} cy={cy} r="4" fill="var(--w-surface)" stroke={color} strokeWidth="2" />
    ) : (
      <Mark key={key} shape={placeOf(s, series)} x={cx} y={cy} fill={color} />
    );
  };

  return (
    <ComposedChart
      width={at.width}
      height={at.height}
      data={rows}
      margin={{ top: margin.top, right: margin.right, bottom: 0, left: 0 }}
      stackOffset="sign"
      accessibilityLayer={false}
    >
      <XAxis
        dataKey="slot"
        type="category"
        scale="band"
        height={margin.bottom}
        ticks={[...labels]}
        interval={0}
        axisLine={false}
        tickLine={false}
        tick={({ payload }: { payload: { value: number } }) => (
          <text x={at.x(payload.value)} y={at.height - 6} textAnchor="middle">
            {labelOf(slots[payload.value] as Slot, points)}
          </text>
        )}
      />
      <YAxis
        type="number"
        width={at.left}
        domain={[at.marks[0] ?? 0, at.marks.at(-1) ?? 1]}
        ticks={[...at.marks]}
        interval={0}
        axisLine={false}
        tickLine={false}
        tick={({ payload }: { payload: { value: number } }) => (
          <text x={at.left - 8} y={at.y(payload.value) + 5} textAnchor="end">
            {at.names[at.marks.indexOf(payload.value)]}
          </text>
        )}
      />
      <CartesianGrid
        vertical={false}
        // our own marks: recharts would measure the tick labels to choose lines, and cause a page layout for each
        horizontalCoordinatesGenerator={() => at.marks.map((mark) => at.y(mark))}
        verticalCoordinatesGenerator={() => []}
        horizontal={({ key, y1 }: { key?: string | undefined; y1: number }): ReactElement<SVGElement> => (
          <line key={key} x1={at.left} x2={at.width} y1={y1} y2={y1} data-grid={Math.abs(y1 - at.y(0)) < 0.5 ? 'zero' : 'line'} />
        )}
      />
      {runs(drawn.map((p) => p.missing === true)).map(([from, to]) => (
        <ReferenceArea
          key={from}
          x1={from}
          x2={to}
          shape={(props: unknown) => {
            const { x, y, width, height } = props as { x: number; y: number; width: number; height: number };
            return <rect data-gap x={x + 1} y={y} width={Math.max(1, width - 2)} height={height} fill={`url(#${id}-gap)`} />;
          }}
        />
      ))}
      {forecast &&
        (bars.length > 0 ? (
          <Bar dataKey="band" zIndex={150} barSize={at.bar} isAnimationActive={false} shape={expectation(at)} />
        ) : (
          <Area dataKey="band" type="linear" fill="var(--w-chart-5)" fillOpacity={0.2} stroke="none" isAnimationActive={false} />
        ))}
      {dense &&
        bars.map((s, n) => (
          <Area
            key={s.key}
            data-series={s.key}
            dataKey={`b${n}`}
            stackId="own"
            type="step"
            fill={fillOf(s, id)}
            fillOpacity={1}
            stroke={lookOf(s).outline ?? 'none'}
            strokeWidth={0.75}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        ))}
      {!dense &&
        bars.map((s, n) => <Bar key={s.key} dataKey={`b${n}`} stackId="own" barSize={at.bar} shape={bar(s)} {...motion} />)}
      {lines.flatMap((s, n) => {
        const color = lookOf(s).fill;
        const compares = s.kind === 'compare';
        const over = compares && bars.length > 0;
        // an earlier period: a dash on each bar that is wide enough, otherwise one thin line, of which steps would fill the gaps between bars
        const dash = over && at.bar >= minDashed ? at.bar : undefined;
        const steps = isSteps(s) && (!over || dash !== undefined);
        const common = {
          type: steps ? stepCurve(at.column, dash) : ('linear' as const),
          stroke: color,
          strokeWidth: compares && !over ? 1.5 : 2,
          activeDot: false,
          connectNulls: false,
          // bars grow from zero, a line over them from the left: together they would not explain anything
          ...(over ? { isAnimationActive: false } : motion),
        };
        const below = { type: common.type, fill: color, stroke: 'none', dot: false, activeDot: false, ...motion } as const;
        return [
          over && (
            <Line
              key={`${s.key} rim`}
              dataKey={`l${n}`}
              {...common}
              stroke="var(--w-surface)"
              strokeOpacity={0.85}
              strokeWidth={6}
              dot={false}
            />
          ),
          steps && !compares && <Area key={`${s.key} below`} dataKey={`l${n}`} {...below} fillOpacity={stepsFill.finished} />,
          steps && !compares && drawn.some((p) => p.unfinished) && (
            <Area key={`${s.key} below unfinished`} dataKey={`s${n}`} {...below} fillOpacity={stepsFill.unfinished} />
          ),
          <Line
            key={s.key}
            dataKey={`l${n}`}
            data-series={s.key}
            {...common}
            strokeDasharray={(!steps && !over && dashes(s, placeOf(s, series))) || 'none'}
            dot={
              (!steps && at.column > 14) || drawn.some((_, slot) => valueAt(slot, s) !== null && alone(slot, s))
                ? dot(s, false, steps)
                : false
            }
          />,
          drawn.some((p) => p.unfinished) && !compares && (
            <Line
              key={`${s.key} unfinished`}
              dataKey={`u${n}`}
              data-unfinished={s.key}
              {...common}
              strokeDasharray="4 4"
              dot={dot(s, true, steps)}
            />
          ),
        ];
      })}
      {forecast && bars.length === 0 && (
        <Line
          dataKey="expected"
          stroke="var(--w-chart-5)"
          strokeWidth={2}
          strokeDasharray="2 3"
          dot={false}
          isAnimationActive={false}
        />
      )}
      {target && (
        <ReferenceLine y={target.value} stroke="var(--w-text)" strokeWidth={1.5} strokeDasharray="8 3" ifOverflow="visible" />
      )}
    </ComposedChart>
  );
});

/** Returns the label of a slot: that of the first point in it with a label. */
function labelOf({ at, from, to }: Slot, points: readonly ChartPoint[]): string {
  if (from === to) return points[at]?.label ?? '';
  for (let index = from; index <= to; index++) if (points[index]?.label) return points[index]?.label ?? '';
  return '';
}

interface BarPathProps {
  id: string;
  series: ChartSeries;
  unfinished?: boolean | undefined;
  estimated?: boolean | number | undefined;
  /** Returns the path of this fraction of the bar, at its far end. */
  d(part: number): string;
}

function BarPath({ id, series, unfinished, estimated, d: partOf }: BarPathProps) {
  const look = lookOf(series);
  const d = partOf(1);
  const edge = { stroke: look.outline ?? look.fill, strokeWidth: 1.5, strokeDasharray: unfinished ? '4 3' : undefined };
  if (unfinished || estimated)
    return (
      <g data-series={series.key} data-unfinished={unfinished || undefined} data-estimated={estimated || undefined}>
        <path d={d} fill={estimated ? fillOf(series, id) : look.fill} fillOpacity={estimated ? 1 : 0.18} {...edge} />
        {estimated &&
          [look.fill, `url(#${id}-estimated)`].map((fill) => (
            <path key={fill} d={partOf(Number(estimated))} fill={fill} {...edge} />
          ))}
      </g>
    );
  return (
    <g data-series={series.key}>
      <path d={d} fill={look.fill} stroke={look.outline} strokeWidth={look.outline && 1.5} data-outlined={look.outline && ''} />
      {look.pattern && <path d={d} fill={`url(#${id}-${look.pattern})`} />}
    </g>
  );
}

/** The forecast of a period behind its bar: a band as wide as the slot, and a dashed line at the expected value. */
const expectation = (at: Geometry) => (props: unknown) => {
  const { payload } = props as { payload: Row };
  const { band, expected, slot } = payload;
  if (!Array.isArray(band) || typeof expected !== 'number') return <g />;
  const [left, width] = [at.x(slot) - at.column / 2 + 1, Math.max(1, at.column - 2)];
  return (
    <g data-expected>
      <rect
        x={left}
        y={at.y(band[1])}
        width={width}
        height={Math.max(0, at.y(band[0]) - at.y(band[1]))}
        fill="var(--w-chart-5)"
        fillOpacity=".2"
      />
      <path d={`M${left} ${at.y(expected)}h${width}`} stroke="var(--w-chart-5)" strokeWidth="2" strokeDasharray="3 3" />
    </g>
  );
};

/** Returns the SVG path of a bar with its two outer corners rounded. */
function barPath(middle: number, width: number, from: number, to: number, rounded: boolean): string {
  const [l, r] = [middle - width / 2, middle + width / 2];
  const radius = rounded ? Math.min(3, width / 2, Math.abs(to - from)) : 0;
  const back = to < from ? radius : -radius;
  return `M${l} ${from}V${to + back}Q${l} ${to} ${l + radius} ${to}H${r - radius}Q${r} ${to} ${r} ${to + back}V${from}Z`;
}
