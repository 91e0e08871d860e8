import { type ReactNode, type Ref, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Box, FieldFrame, type FieldProps, useFieldIds } from './field';
import { formatDay, parseDay } from './format';
import { Icon } from './icon';
import { lazily } from './lazily';
import { useTyped } from './number-fields';
import { frameProps } from './text-field';

export interface DateFieldProps extends FieldProps {
  /** `YYYY-MM-DD`, or null when the typed text is not a day. */
  value: string | null;
  /** Called with the day, or null when the typed text is not a day, and with the typed text. */
  onChange(day: string | null, typed: string): void;
  /** Today according to the server's clock, in the label's time zone (face-clock). The calendar opens at this day. */
  today: string;
  /** First day in the calendar. An earlier day can still be typed: the form must reject it with an error text. */
  min?: string | undefined;
  /** Last day in the calendar. A later day can still be typed: the form must reject it with an error text. */
  max?: string | undefined;
  /** Returns true for a day that cannot be picked in the calendar; it can still be typed. */
  unavailable?: ((day: string) => boolean) | undefined;
  /** Likely days, shown as buttons: "zo snel mogelijk: 22-11-2026". */
  chips?: readonly { text: ReactNode; day: string }[] | undefined;
  /** What the browser may autofill, such as `bday`. */
  autoComplete?: string | undefined;
  /** Called when focus leaves the field. */
  onBlur?: (() => void) | undefined;
  /** The `<input>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLInputElement> | undefined;
}

const CalendarPopover = lazily(() => import('./calendar'));

/**
 * A day that is picked, or typed with -, /, . or a space between its parts; shown as 20-11-2026 in both languages (1-date-style).
 */
export function DateField({
  value,
  onChange,
  today,
  min,
  max,
  unavailable,
  chips,
  autoComplete,
  onBlur,
  ref,
  width = 240,
  ...props
}: DateFieldProps) {
  const intl = useIntl();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const { id, control } = useFieldIds(props);
  const field = useTyped(value, parseDay, formatDay);
  const prefetchCode = () => void CalendarPopover.load().catch(() => {}); // only a prefetch: opening the calendar tries again
  const pick = (day: string) => {
    setOpen(false);
    onChange(day, formatDay(day));
  };
  return (
    <FieldFrame id={id} {...frameProps(props)}>
      <Box ref={box} $wrong={Boolean(props.error)} $inactive={Boolean(props.disabledReason)} style={{ maxWidth: width }}>
        <input
          {...control}
          ref={ref}
          inputMode="text"
          autoComplete={autoComplete ?? 'off'}
          placeholder={intl.formatMessage({ id: 'ui.date_example', defaultMessage: 'dd-mm-yyyy' })}
          maxLength={14}
          readOnly={Boolean(props.disabledReason)}
          style={{ fontVariantNumeric: 'tabular-nums' }}
          value={field.text}
          onChange={(event) => onChange(field.type(event.target.value), event.target.value)}
          onBlur={() => {
            field.normalize();
            onBlur?.();
          }}
        />
        <Opener
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-label={intl.formatMessage({ id: 'ui.date_pick', defaultMessage: 'Pick a date' })}
          disabled={Boolean(props.disabledReason)}
          onPointerEnter={prefetchCode}
          onFocus={prefetchCode}
          onClick={() => setOpen(!open)}
        >
          <Icon name="calendar" />
        </Opener>
      </Box>
      {open && (
        <CalendarPopover
          value={value}
          today={today}
          min={min}
          max={max}
          unavailable={unavailable}
          trigger={box}
          onPick={pick}
          onClose={() => setOpen(false)}
        />
      )}
      {chips && chips.length > 0 && !props.disabledReason && (
        <Chips>
          {chips.map((chip) => (
            <Chip key={chip.day} type="button" aria-pressed={chip.day === value} onClick={() => pick(chip.day)}>
              {chip.text}
            </Chip>
          ))}
        </Chips>
      )}
    </FieldFrame>
  );
}

const Opener = styled.button`
  display: grid; place-items: center; width: 44px; height: 44px; flex: none; margin-right: 1px; border-radius: calc(var(--w-radius-control) - 2px); color: var(--w-primary-ink);
  &:hover { background: var(--w-tint); } &:active, &[aria-expanded='true'] { background: var(--w-tint-strong); }
  &:disabled { color: var(--w-text-quiet); cursor: not-allowed; }
`;
const Chips = styled.div`display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px;`;
const Chip = styled.button`
  min-height: 44px; padding: 4px 16px; border-radius: 999px; border: 1px solid var(--w-control-line); background: var(--w-surface); color: var(--w-primary-ink);
  font-variant-numeric: tabular-nums;
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); }
  &[aria-pressed='true'] { background: var(--w-tint); border-color: var(--w-primary-ink); box-shadow: inset 0 0 0 1px var(--w-primary-ink); font-weight: 600; }
`;
