import { Button } from '@wattle/ui';
import { memo, useMemo } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { rangeHeight } from './long';
import { sample } from './scale';
import { Sparkline } from './sparkline';
import type { ChartPoint } from './types';
import { nameOf } from './write';

export interface RangeProps {
  points: readonly ChartPoint[];
  /** First and last point shown. */
  from: number;
  to: number;
  /** The value that determines the height of each point; null if nothing is drawn. */
  heights: readonly (number | null)[];
  /** One of this many points is drawn; undefined if all are. */
  sampled: number | undefined;
  onChange(span: readonly [number, number] | null): void;
}

/** Minimum number of points shown. */
const minShown = 24;

/** Selects the part of a long series to show: two native sliders over a small chart of the whole series. */
export const Range = memo(function Range({ points, from, to, heights, sampled, onChange }: RangeProps) {
  const intl = useIntl();
  const last = points.length - 1;
  const whole = useMemo(
    () => sample(heights.length, 300, (index) => heights[index] ?? null, false).map((slot) => heights[slot.at] ?? null),
    [heights],
  );
  const name = (index: number) => nameOf(intl, points[index] as ChartPoint);
  const left = (from / last) * 100;
  const right = (to / last) * 100;
  return (
    <Frame
      role="group"
      aria-label={intl.formatMessage({ id: 'charts.range', defaultMessage: 'Part that is shown' })}
      style={{ height: rangeHeight }}
    >
      <Track>
        <div aria-hidden="true">
          <Sparkline values={whole} label="" height={40} />
        </div>
        <Shade style={{ left: 0, width: `${left}%` }} />
        <Shade style={{ left: `${right}%`, right: 0 }} />
        <input
          type="range"
          min={0}
          max={last}
          value={from}
          aria-label={intl.formatMessage({ id: 'charts.range_from', defaultMessage: 'Shown from' })}
          aria-valuetext={name(from)}
          onChange={(event) => onChange([Math.min(Number(event.target.value), to - minShown), to])}
        />
        <input
          type="range"
          min={0}
          max={last}
          value={to}
          aria-label={intl.formatMessage({ id: 'charts.range_to', defaultMessage: 'Shown until' })}
          aria-valuetext={name(to)}
          onChange={(event) => onChange([from, Math.max(Number(event.target.value), from + minShown)])}
        />
      </Track>
      <Under>
        <span>
          {sampled
            ? intl.formatMessage(
                {
                  id: 'charts.sampled',
                  defaultMessage:
                    'You see the highest of every {count} values. Drag the handles towards each other to see a shorter period in full.',
                },
                { count: sampled },
              )
            : `${name(from)} – ${name(to)}`}
        </span>
        {(from > 0 || to < last) && (
          <Button small variant="quiet" onClick={() => onChange(null)}>
            {intl.formatMessage({ id: 'charts.range_all', defaultMessage: 'Show all' })}
          </Button>
        )}
      </Under>
    </Frame>
  );
});

const Frame = styled.div`display: flex; flex-direction: column; gap: 4px; padding-top: 8px; overflow: hidden; @media print { display: none; }`;
const Track = styled.div`
  position: relative; height: 48px; padding-top: 4px; border-radius: var(--w-radius-control); background: var(--w-tint);
  input {
    position: absolute; inset: 0; width: 100%; height: 48px; margin: 0; appearance: none; background: none; pointer-events: none;
    &::-webkit-slider-thumb { appearance: none; pointer-events: auto; width: 24px; height: 48px; border-radius: var(--w-radius-control); border: 2px solid var(--w-surface); background: var(--w-primary-ink); cursor: ew-resize; }
    &::-moz-range-thumb { pointer-events: auto; width: 20px; height: 44px; border-radius: var(--w-radius-control); border: 2px solid var(--w-surface); background: var(--w-primary-ink); cursor: ew-resize; }
    &::-webkit-slider-runnable-track { background: none; }
    &::-moz-range-track { background: none; }
  }
`;
const Shade = styled.span`position: absolute; top: 0; bottom: 0; border-radius: var(--w-radius-control); background: color-mix(in oklch, var(--w-surface) 70%, transparent);`;
const Under = styled.div`display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 44px; font-size: 14px; line-height: 1.3; color: var(--w-text-quiet); button { flex: none; }`;
