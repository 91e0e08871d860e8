import type { KeyboardEvent, ReactNode } from 'react';
import styled from 'styled-components';
import { Box, FieldFrame, type FieldProps, Unit, useFieldIds } from './field';
import { formatMoney, formatNumber, parseMoney } from './format';
import { End, isAtLimit, LimitText, limitOf, parseWhole, StepButton, useTyped } from './number-fields';
import { frameProps, inputProps } from './text-field';

export interface SliderFieldProps extends FieldProps {
  /** The number; null when the typed text is not a number. */
  value: number | null;
  /**
   * Called with the new value. Slider and buttons stay between `min` and `max` (5.6-stepper-slider). A typed value outside this
   * range is passed on unchanged, so that the page can show an error; it is never cleared.
   */
  onChange(value: number | null): void;
  /** The lowest value of the slider. */
  min: number;
  /** The highest value of the slider. */
  max: number;
  /** Step size. The slider yields multiples of it, `min`, `max` or the marker. */
  step?: number | undefined;
  /** All values are cents; the input accepts digits and at most two decimals (5.6-amount-decimals). */
  money?: boolean | undefined;
  /** Shows − and + next to the input. */
  stepper?: boolean | undefined;
  /** A marked point on the slider, e.g. a recommended amount. */
  marker?: { value: number; text: ReactNode } | undefined;
  /** Formats the values at the ends and for screen readers; by default as a whole number, or as money with `money`. */
  format?: ((value: number) => string) | undefined;
  /** Text before the input, such as a unit; with `money` it is € by default. */
  before?: ReactNode;
  /** Text after the input, such as `per month`. */
  after?: ReactNode;
  /** Called when focus leaves the input. */
  onBlur?: (() => void) | undefined;
}

/** A number with a slider, a text input and optional step buttons. */
export function SliderField({
  value,
  onChange,
  min,
  max,
  marker,
  before,
  after,
  stepper,
  money,
  onBlur,
  ...props
}: SliderFieldProps) {
  const { id, control } = useFieldIds(props);
  const step = props.step ?? (money ? 100 : 1);
  const format = props.format ?? (money ? readMoney : (n: number) => formatNumber(n));
  const field = useTyped<number>(
    value,
    money ? parseAmount : parseWhole,
    money ? (cents) => formatMoney(cents, { symbol: false }) : (n) => formatNumber(n),
  );
  const inside = (number: number) => Math.min(max, Math.max(min, number));
  const at = inside(value ?? min);
  const part = (number: number) => (max > min ? (inside(number) - min) / (max - min) : 0);
  const named = typeof props.label === 'string' ? props.label : '';
  const go = (to: number) => {
    if (!props.disabledReason) onChange(inside(to));
  };
  /** Applies a slider position: `min`, `max` or the marker when it is near, otherwise the nearest multiple of the step. */
  const slide = (to: number) => {
    const near = [min, max, ...(marker ? [inside(marker.value)] : [])].find((point) => Math.abs(point - to) <= step / 2);
    go(near ?? Math.round(to / step) * step);
  };
  const keys = (event: KeyboardEvent) => {
    const far = Math.max(step, Math.round((max - min) / 10 / step) * step);
    const to = {
      ArrowUp: at + step,
      ArrowRight: at + step,
      ArrowDown: at - step,
      ArrowLeft: at - step,
      PageUp: at + far,
      PageDown: at - far,
      Home: min,
      End: max,
    }[event.key];
    const typing = event.currentTarget instanceof HTMLInputElement && event.currentTarget.type === 'text';
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    if (typing && !event.key.startsWith('Page') && event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return; // moves the caret
    event.preventDefault();
    go(to);
  };
  const stepButton = (by: 1 | -1) => (
    <StepButton
      by={by}
      label={named}
      inactive={Boolean(props.disabledReason) || isAtLimit(by, value, min, max)}
      onStep={() => go(at + by * step)}
      describedBy={`${id}-end`}
    />
  );
  const end = limitOf(props, value, min, max);
  const share = marker && part(marker.value);

  return (
    <FieldFrame id={id} {...frameProps(props)}>
      <Slide>
        <Line>
          {marker && share !== undefined && (
            <Marker>
              <span style={{ left: positionOf(share), translate: `${-share * 100}%` }}>{marker.text}</span>
            </Marker>
          )}
          <Track>
            <input
              type="range"
              style={{ ['--at' as string]: positionOf(part(at)) }}
              aria-label={named || undefined}
              aria-valuetext={format(at)}
              aria-describedby={control['aria-describedby']}
              aria-disabled={control['aria-disabled']}
              min={min}
              max={max}
              step={Math.min(1, step)}
              value={at}
              onKeyDown={keys}
              onChange={(event) => slide(Number(event.target.value))}
            />
            {share !== undefined && <Tick style={{ left: positionOf(share) }} aria-hidden="true" />}
          </Track>
          <Ends aria-hidden="true">
            <span>{format(min)}</span>
            <span>{format(max)}</span>
          </Ends>
        </Line>
        <Typed $wide={Boolean(stepper)} $lower={Boolean(marker)}>
          <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
            {stepper && stepButton(-1)}
            {(before ?? (money && '€')) && <Unit>{before ?? '€'}</Unit>}
            <input
              {...control}
              {...inputProps({ inputMode: money ? 'decimal' : 'numeric', autoComplete: 'off' })}
              style={{ fontVariantNumeric: 'tabular-nums', ...(stepper ? { paddingInline: 8 } : {}) }}
              readOnly={Boolean(props.disabledReason)}
              value={field.text}
              onKeyDown={keys}
              onChange={(event) => {
                if (!money || isPartialAmount(event.target.value)) onChange(field.type(event.target.value));
              }}
              onBlur={() => {
                field.normalize();
                onBlur?.();
              }}
            />
            {after && <Unit>{after}</Unit>}
            {stepper && stepButton(1)}
          </Box>
          {stepper && (
            <End id={`${id}-end`} role="status">
              {end && <LimitText by={end} />}
            </End>
          )}
        </Typed>
      </Slide>
    </FieldFrame>
  );
}

/**
 * Whether the text can still become an amount: digits, and at most two after a separator, or a pasted amount such as `€ 1.234,50`.
 */
const isPartialAmount = (text: string) =>
  /^\d*([.,]\d{0,2})?$/.test(text) || (!/[-\u2212+]/.test(text) && parseMoney(text) !== null);

/** Accepts `12,` as 12, because the customer is still typing. */
const parseAmount = (text: string): number | null => parseMoney(text.replace(/[.,]$/, ''));

const readMoney = (cents: number) => formatMoney(cents).replace(/,00$/, '');

/** Returns the CSS position for a fraction (0 to 1) of the slider: the thumb is 24 px wide and stays inside it. */
const positionOf = (share: number) => `calc(12px + (100% - 24px) * ${share})`;

const Slide = styled.div`display: flex; gap: 12px 24px; align-items: flex-start; @media (max-width: 767px) { flex-direction: column; align-items: stretch; }`;
const Typed = styled.div<{ $wide: boolean; $lower: boolean }>`
  width: ${(p) => (p.$wide ? '240px' : '140px')}; flex: none; margin-top: ${(p) => (p.$lower ? '24px' : 0)};
  @media (max-width: 767px) { margin-top: 0; ${(p) => (p.$wide ? 'width: 100%;' : '')} }
`;
const Line = styled.div`flex: 1; min-width: 0;`;
const Track = styled.div`
  position: relative;
  input {
    appearance: none; display: block; width: 100%; height: 48px; background: none; cursor: pointer; border-radius: var(--w-radius-control);
    --track: linear-gradient(to right, var(--w-primary-ink) var(--at), color-mix(in oklch, var(--w-text) 20%, transparent) var(--at));
  }
  input[aria-disabled='true'] { cursor: not-allowed; opacity: .6; }
  input::-webkit-slider-runnable-track { height: 6px; border-radius: 3px; background: var(--track); }
  input::-moz-range-track { height: 6px; border-radius: 3px; background: var(--track); }
  input::-webkit-slider-thumb {
    appearance: none; width: 24px; height: 24px; margin-top: -9px; border-radius: 50%; background: var(--w-surface); border: 3px solid var(--w-primary-ink);
    transition: box-shadow 160ms;
  }
  input::-moz-range-thumb { width: 18px; height: 18px; border-radius: 50%; background: var(--w-surface); border: 3px solid var(--w-primary-ink); }
  input:hover::-webkit-slider-thumb { box-shadow: 0 0 0 8px var(--w-tint-strong); }
  input:active::-webkit-slider-thumb { background: var(--w-tint-strong); }
`;
const Tick = styled.i`position: absolute; top: 4px; width: 2px; height: 14px; margin-left: -1px; background: var(--w-text); border-radius: 1px; pointer-events: none;`;
const Marker = styled.div`
  position: relative; height: 24px; font-size: 14px; line-height: 24px;
  span { position: absolute; white-space: nowrap; }
`;
const Ends = styled.div`
  display: flex; justify-content: space-between; gap: 12px; font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums; margin-top: -4px;
`;
