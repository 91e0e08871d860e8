import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Box, FieldFrame, type FieldProps, type TypedProps, Unit, useFieldIds } from './field';
import { formatMoney, formatNumber, parseMoney } from './format';
import { Icon } from './icon';
import { frame, TextField, typed } from './text-field';

/** Text that is being typed for a value that is kept elsewhere: the text stands until the value becomes another than it means. */
export function useTyped<V>(value: V | null, parse: (text: string) => V | null, format: (value: V) => string) {
  const [text, setText] = useState(value === null ? '' : format(value));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value !== parse(text)) setText(value === null ? '' : format(value));
  }
  return {
    text,
    type(next: string): V | null {
      setText(next);
      const meant = parse(next);
      setKnown(meant);
      return meant;
    },
    /** What was understood, as we write it; what was not understood stays as it was typed. */
    tidy() {
      const meant = parse(text);
      if (meant !== null) setText(format(meant));
    },
  };
}

export interface MoneyFieldProps extends FieldProps, Omit<TypedProps, 'inputMode'> {
  /** Cents; null when nothing that can be understood was typed. */
  value: number | null;
  onChange(cents: number | null, typed: string): void;
  /** Whole euros only. */
  whole?: boolean | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** An amount as people type it (1-currency-format); tidied when the field is left. */
export function MoneyField({ value, onChange, whole, onBlur, width = 200, ...props }: MoneyFieldProps) {
  const parse = (text: string) => {
    const cents = parseMoney(text);
    return whole && cents !== null && cents % 100 !== 0 ? null : cents;
  };
  const format = (cents: number) => (whole ? formatNumber(cents / 100) : formatMoney(cents, { symbol: false }));
  const field = useTyped(value, parse, format);
  return (
    <TextField
      {...props}
      width={width}
      before="€"
      inputMode="decimal"
      autoComplete={props.autoComplete ?? 'off'}
      value={field.text}
      onChange={(text) => onChange(field.type(text), text)}
      onBlur={() => {
        field.tidy();
        onBlur?.();
      }}
    />
  );
}

const parseWhole = (text: string): number | null => {
  const plain = text.replace(/[\s.]/g, '');
  return /^-?\d{1,9}$/.test(plain) ? Number(plain) : null;
};

export interface NumberStepperProps extends FieldProps {
  value: number | null;
  onChange(value: number | null): void;
  min?: number | undefined;
  max?: number | undefined;
  step?: number | undefined;
  unit?: ReactNode;
  onBlur?: (() => void) | undefined;
}

/** A whole number, typed or stepped with − and + or the arrow keys. */
export function NumberStepper({
  value,
  onChange,
  min = 0,
  max = 999_999,
  step = 1,
  unit,
  onBlur,
  width = 200,
  ...props
}: NumberStepperProps) {
  const intl = useIntl();
  const { id, control } = useFieldIds(props);
  const field = useTyped(value, parseWhole, (number) => formatNumber(number));
  const go = (to: number) => {
    if (!props.why) onChange(Math.min(max, Math.max(min, to)));
  };
  const by = (steps: number) => go((value ?? min - (steps > 0 ? step : 0)) + steps * step);
  const keys = (event: KeyboardEvent) => {
    const to = {
      ArrowUp: () => by(1),
      ArrowDown: () => by(-1),
      PageUp: () => by(10),
      PageDown: () => by(-10),
      Home: () => go(min),
      End: () => go(max),
    }[event.key];
    if (!to || ((event.key === 'Home' || event.key === 'End') && !event.ctrlKey)) return;
    event.preventDefault();
    to();
  };
  const named = typeof props.label === 'string' ? props.label : '';
  return (
    <FieldFrame id={id} {...frame({ ...props, width })}>
      <Box $wrong={Boolean(props.error)} $still={Boolean(props.why)}>
        <Step
          type="button"
          tabIndex={-1}
          aria-label={intl.formatMessage({ id: 'ui.less', defaultMessage: 'Less: {label}' }, { label: named })}
          disabled={Boolean(props.why) || (value !== null && value <= min)}
          onClick={() => by(-1)}
        >
          <Icon name="minus" />
        </Step>
        <input
          {...control}
          role="spinbutton"
          aria-valuenow={value ?? undefined}
          aria-valuemin={min}
          aria-valuemax={max}
          inputMode="numeric"
          autoComplete="off"
          style={{ textAlign: 'center', fontVariantNumeric: 'tabular-nums', padding: '8px 0' }}
          readOnly={Boolean(props.why)}
          value={field.text}
          onKeyDown={keys}
          onChange={(event) => onChange(field.type(event.target.value))}
          onBlur={() => {
            field.tidy();
            onBlur?.();
          }}
        />
        {unit && <Unit>{unit}</Unit>}
        <Step
          type="button"
          tabIndex={-1}
          aria-label={intl.formatMessage({ id: 'ui.more', defaultMessage: 'More: {label}' }, { label: named })}
          disabled={Boolean(props.why) || (value !== null && value >= max)}
          onClick={() => by(1)}
        >
          <Icon name="plus" />
        </Step>
      </Box>
    </FieldFrame>
  );
}

export interface SliderFieldProps extends FieldProps {
  value: number;
  onChange(value: number): void;
  min: number;
  max: number;
  step?: number | undefined;
  /** A point worth knowing on the line, e.g. our advice. */
  marker?: { value: number; text: ReactNode } | undefined;
  /** How a value reads; default whole, nl-NL. */
  format?: ((value: number) => string) | undefined;
  before?: ReactNode;
  after?: ReactNode;
}

/** A number that can be slid and typed. What is typed beyond the ends is taken back to them when the field is left. */
export function SliderField({
  value,
  onChange,
  min,
  max,
  step = 1,
  marker,
  format = (n) => formatNumber(n),
  before,
  after,
  ...props
}: SliderFieldProps) {
  const { id, control } = useFieldIds(props);
  const field = useTyped<number>(value, parseWhole, (number) => formatNumber(number));
  const part = (number: number) => `${max > min ? ((Math.min(max, Math.max(min, number)) - min) / (max - min)) * 100 : 0}%`;
  return (
    <FieldFrame id={id} {...frame(props)}>
      <Slide>
        <Line style={{ ['--at' as string]: part(value) }}>
          <input
            type="range"
            aria-label={typeof props.label === 'string' ? props.label : undefined}
            aria-valuetext={format(value)}
            aria-describedby={control['aria-describedby']}
            aria-disabled={control['aria-disabled']}
            min={min}
            max={max}
            step={step}
            value={Math.min(max, Math.max(min, value))}
            onChange={(event) => {
              if (!props.why) onChange(Number(event.target.value));
            }}
          />
          {marker && (
            <Tick
              style={{ left: `calc(12px + (100% - 24px) * ${Number.parseFloat(part(marker.value)) / 100})` }}
              aria-hidden="true"
            />
          )}
          <Ends>
            <span>{format(min)}</span>
            {marker && (
              <span data-marker style={{ left: `clamp(100px, ${part(marker.value)}, calc(100% - 100px))` }}>
                {marker.text}
              </span>
            )}
            <span>{format(max)}</span>
          </Ends>
        </Line>
        <Typed>
          <Box $wrong={Boolean(props.error)} $still={Boolean(props.why)}>
            {before && <Unit>{before}</Unit>}
            <input
              {...control}
              {...typed({ inputMode: 'numeric', autoComplete: 'off' })}
              readOnly={Boolean(props.why)}
              value={field.text}
              onChange={(event) => {
                const number = field.type(event.target.value);
                if (number !== null) onChange(number);
              }}
              onBlur={() => {
                onChange(Math.min(max, Math.max(min, value)));
                field.tidy();
              }}
            />
            {after && <Unit>{after}</Unit>}
          </Box>
        </Typed>
      </Slide>
    </FieldFrame>
  );
}

const Step = styled.button`
  display: grid; place-items: center; width: 44px; height: 44px; flex: none; border-radius: 6px; color: var(--w-primary-ink); margin: 1px;
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); }
  &:disabled { color: var(--w-text-quiet); opacity: .5; cursor: not-allowed; background: none; }
`;
const Slide = styled.div`display: flex; gap: 12px 24px; align-items: flex-start; @media (max-width: 767px) { flex-direction: column; align-items: stretch; }`;
const Typed = styled.div`width: 140px; flex: none;`;
const Line = styled.div`
  position: relative; flex: 1; min-width: 0;
  input {
    appearance: none; display: block; width: 100%; height: 48px; background: none; cursor: pointer; border-radius: 8px;
    --track: linear-gradient(to right, var(--w-primary-ink) var(--at), color-mix(in oklch, var(--w-text) 20%, transparent) var(--at));
  }
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
const Tick = styled.i`position: absolute; top: 15px; width: 2px; height: 18px; margin-left: -1px; background: var(--w-text); border-radius: 1px; pointer-events: none;`;
const Ends = styled.div`
  display: flex; justify-content: space-between; gap: 12px; font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums; margin-top: -4px;
  [data-marker] { color: var(--w-text); position: absolute; translate: -50%; white-space: nowrap; }
`;
