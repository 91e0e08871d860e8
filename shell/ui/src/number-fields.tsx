import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Box, FieldFrame, type FieldProps, type TypedProps, Unit, useFieldIds } from './field';
import { formatMoney, formatNumber, parseMoney } from './format';
import { Icon } from './icon';
import { frame, TextField } from './text-field';

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

/** A typed whole number, or null. */
export const parseWhole = (text: string): number | null => {
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

/** − or + inside a box. */
export const Step = styled.button`
  display: grid; place-items: center; width: 44px; height: 44px; flex: none; border-radius: 6px; color: var(--w-primary-ink); margin: 1px;
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); }
  &:disabled { color: var(--w-text-quiet); opacity: .5; cursor: not-allowed; background: none; }
`;
