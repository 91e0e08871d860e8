import { parseDate } from '@internationalized/date';
import type { RefObject } from 'react';
import { Button } from 'react-aria-components/Button';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Popover } from 'react-aria-components/Popover';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Icon } from './icon';

interface CalendarPopoverProps {
  value: string | null;
  today: string;
  min?: string | undefined;
  max?: string | undefined;
  unavailable?: ((day: string) => boolean) | undefined;
  trigger: RefObject<HTMLElement | null>;
  onPick(day: string): void;
  onClose(): void;
}

/** The open calendar; its code is fetched when it first opens. Weeks begin on Monday in both languages. */
export default function CalendarPopover({ value, today, min, max, unavailable, trigger, onPick, onClose }: CalendarPopoverProps) {
  const intl = useIntl();
  const label = intl.formatMessage({ id: 'ui.date_pick', defaultMessage: 'Pick a date' });
  const start = [value ?? today, min].reduce((a, b) => (b && a && b > a ? b : a)) ?? today;
  return (
    <I18nProvider locale={intl.locale.startsWith('en') ? 'en-GB' : 'nl-NL'}>
      <Float triggerRef={trigger} isOpen onOpenChange={(open) => !open && onClose()} placement="bottom start" offset={8}>
        <Dialog aria-label={label} style={{ outline: 'none' }}>
          <Calendar
            aria-label={label}
            autoFocus
            firstDayOfWeek="mon"
            value={value ? parseDate(value) : null}
            defaultFocusedValue={parseDate(max && start > max ? max : start)}
            {...(min ? { minValue: parseDate(min) } : {})}
            {...(max ? { maxValue: parseDate(max) } : {})}
            {...(unavailable ? { isDateUnavailable: (date) => unavailable(date.toString()) } : {})}
            onChange={(date) => onPick(date.toString())}
          >
            <Head>
              <MonthButton slot="previous">
                <Icon name="left" />
              </MonthButton>
              <Month level={2} />
              <MonthButton slot="next">
                <Icon name="right" />
              </MonthButton>
            </Head>
            <Grid weekdayStyle="short">
              <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
              <CalendarGridBody>
                {(date) => <Cell date={date} data-day={date.toString() === today ? 'today' : undefined} />}
              </CalendarGridBody>
            </Grid>
          </Calendar>
        </Dialog>
      </Float>
    </I18nProvider>
  );
}

const Float = styled(Popover)`
  padding: 12px; background: var(--w-surface); border: 1px solid var(--w-line); border-radius: var(--w-radius); outline: none; overflow: auto;
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent);
`;
const Head = styled.div`display: flex; align-items: center; justify-content: space-between; margin-bottom: 4px;`;
const Month = styled(Heading)`font-size: 16px; &::first-letter { text-transform: none; }`;
const MonthButton = styled(Button)`
  display: grid; place-items: center; width: 44px; height: 44px; border-radius: var(--w-radius-control); color: var(--w-primary-ink);
  &[data-hovered] { background: var(--w-tint); } &[data-pressed] { background: var(--w-tint-strong); } &[data-disabled] { opacity: .4; cursor: not-allowed; }
`;
const Grid = styled(CalendarGrid)`
  border-collapse: separate; border-spacing: 0;
  th { font-size: 14px; font-weight: 400; color: var(--w-text-quiet); width: 44px; height: 32px; } td { padding: 0; }
`;
const Cell = styled(CalendarCell)`
  display: grid; place-items: center; width: 44px; height: 44px; border-radius: var(--w-radius-control); cursor: pointer; font-variant-numeric: tabular-nums;
  &[data-hovered] { background: var(--w-tint); } &[data-pressed] { background: var(--w-tint-strong); }
  &[data-day] { font-weight: 600; box-shadow: inset 0 0 0 1px var(--w-control-line); }
  &&[data-selected] { background: var(--w-primary); color: var(--w-on-primary); font-weight: 600; }
  &[data-disabled], &[data-unavailable] { color: var(--w-text-quiet); opacity: .55; cursor: not-allowed; }
  &[data-unavailable] { text-decoration: line-through; }
  &[data-outside-month] { display: none; }
  &[data-focus-visible] { outline: 3px solid var(--w-focus); outline-offset: -3px; }
`;
