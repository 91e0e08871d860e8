import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { Box, FieldFrame, type FieldProps, type TypedProps, Unit, useFieldIds } from './field';
import { formatMoney, formatNumber, parseMoney } from './format';
import { Icon } from './icon';
import { frameProps, TextField } from './text-field';

/** State of the typed text for a value. The text is kept until the value differs from what the text parses to. */
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
      const parsed = parse(next);
      setKnown(parsed);
      return parsed;
    },
    /** Formats the text if it can be parsed; otherwise leaves it as typed. */
    normalize() {
      const meant = parse(text);
      if (meant !== null) setText(format(meant));
    },
  };
}

export interface MoneyFieldProps extends FieldProps, Omit<TypedProps, 'inputMode'> {
  /** The amount in cents; null when the typed text is not an amount. */
  value: number | null;
  /** Called with the amount in cents, or null when the typed text is not an amount, and with the typed text. */
  onChange(cents: number | null, typed: string): void;
  /** Accepts whole euros only. */
  whole?: boolean | undefined;
  /** The `<input>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLInputElement> | undefined;
}

/** An amount of money in any common notation (1-currency-format); it is formatted when the field loses focus. */
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
        field.normalize();
        onBlur?.();
      }}
    />
  );
}

/** Parses a typed whole number; returns null for other text. A dot only separates thousands: 1.5 and 2.50 are not whole numbers. */
export const parseWhole = (text: string): number | null => {
  const typed = text.replace(/\s/g, '');
  return /^-?(\d{1,9}|[1-9]\d{0,2}(\.\d{3}){1,2})$/.test(typed) ? Number(typed.replaceAll('.', '')) : null;
};

export interface NumberStepperProps extends FieldProps {
  /** The number; null when the typed text is not a whole number. */
  value: number | null;
  /** Called with the number, or null when the typed text is not a whole number. */
  onChange(value: number | null): void;
  /** Lower limit of the buttons. A lower number can still be typed: the form must reject it. */
  min?: number | undefined;
  /** Upper limit of the buttons. A higher number can still be typed: the form must reject it. */
  max?: number | undefined;
  /** Step size of the buttons and arrow keys. */
  step?: number | undefined;
  /** Unit after the number, such as `kWh`. */
  unit?: ReactNode;
  /** Called when focus leaves the field. */
  onBlur?: (() => void) | undefined;
}

/** A whole number that is typed, or changed with the − and + buttons or the arrow keys. */
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
  const { id, control } = useFieldIds(props);
  const field = useTyped(value, parseWhole, (number) => formatNumber(number));
  const go = (to: number) => {
    if (!props.disabledReason) onChange(Math.min(max, Math.max(min, to)));
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
  const end = limitOf(props, value, min, max);
  return (
    <FieldFrame id={id} {...frameProps({ ...props, width })}>
      <Box $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)}>
        <StepButton
          by={-1}
          label={named}
          inactive={Boolean(props.disabledReason) || isAtLimit(-1, value, min, max)}
          onStep={() => by(-1)}
          describedBy={`${id}-end`}
        />
        <input
          {...control}
          role="spinbutton"
          aria-valuenow={value ?? undefined}
          aria-valuemin={min}
          aria-valuemax={max}
          inputMode="numeric"
          autoComplete="off"
          style={{ textAlign: 'center', fontVariantNumeric: 'tabular-nums', padding: '8px 0' }}
          readOnly={Boolean(props.disabledReason)}
          value={field.text}
          onKeyDown={keys}
          onChange={(event) => onChange(field.type(event.target.value))}
          onBlur={() => {
            field.normalize();
            onBlur?.();
          }}
        />
        {unit && <Unit>{unit}</Unit>}
        <StepButton
          by={1}
          label={named}
          inactive={Boolean(props.disabledReason) || isAtLimit(1, value, min, max)}
          onStep={() => by(1)}
          describedBy={`${id}-end`}
        />
      </Box>
      <End id={`${id}-end`} role="status">
        {end && <LimitText by={end} />}
      </End>
    </FieldFrame>
  );
}

/** Returns whether a value has reached the limit in the direction of a step. */
export const isAtLimit = (by: 1 | -1, value: number | null, min: number, max: number): boolean =>
  value !== null && (by < 0 ? value <= min : value >= max);

/** Returns the direction of the limit that the value has reached, if the field can be changed and has no error. */
export const limitOf = (props: FieldProps, value: number | null, min: number, max: number): 1 | -1 | undefined =>
  props.disabledReason || props.error || max <= min ? undefined : ([1, -1] as const).find((by) => isAtLimit(by, value, min, max));

/** Explains why a step is not possible. */
export function LimitText({ by }: { by: 1 | -1 }) {
  return by < 0 ? (
    <FormattedMessage id="ui.lowest" defaultMessage="It cannot be lower" />
  ) : (
    <FormattedMessage id="ui.highest" defaultMessage="It cannot be higher" />
  );
}

interface StepButtonProps {
  by: 1 | -1;
  /** Name of the value that the button changes. */
  label: string;
  /** The button has no effect now. It stays visible and focusable. */
  inactive: boolean;
  onStep(): void;
  /** Id of the text that explains this. */
  describedBy?: string | undefined;
}

/** A − or + button inside a box; keyboard users use the arrow keys instead. */
export function StepButton({ by, label, inactive, onStep, describedBy }: StepButtonProps) {
  const intl = useIntl();
  return (
    <Step
      type="button"
      tabIndex={-1}
      aria-label={
        by < 0
          ? intl.formatMessage({ id: 'ui.less', defaultMessage: 'Less: {label}' }, { label })
          : intl.formatMessage({ id: 'ui.more', defaultMessage: 'More: {label}' }, { label })
      }
      aria-disabled={inactive || undefined}
      aria-describedby={inactive ? describedBy : undefined}
      onClick={() => {
        if (!inactive) onStep();
      }}
    >
      <Icon name={by < 0 ? 'minus' : 'plus'} />
    </Step>
  );
}

/** The explanation why − or + has no effect. Its space is reserved, so that the layout does not shift. */
export const End = styled.div`min-height: 21px; font-size: 14px; color: var(--w-text-quiet);`;
const Step = styled.button`
  display: grid; place-items: center; width: 44px; height: 44px; flex: none; border-radius: calc(var(--w-radius-control) - 2px); color: var(--w-primary-ink); margin: 1px;
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); }
  &[aria-disabled] { color: var(--w-text-quiet); opacity: .5; cursor: not-allowed; background: none; }
`;
