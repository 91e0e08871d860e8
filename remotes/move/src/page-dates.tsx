import { useOverlay, useProblemText } from '@wattle/sdk';
import { Button, formatDay, LinkLook, Stack } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, SaveButton, useFields } from '@wattle/ui/forms';
import { useMemo } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { addDays, checkDates, nextMonth, soonest } from './dates.rules';
import type { PageProps } from './move-page';
import { useKeep } from './use-keep';
import { StepTitle, WizardActions } from './words';

/** What stands for a text in a date field that is no day: any other is judged by the rule too. */
const noDay = '?';

/** Page 2: from which day, and until when at the old address (2.2-page2). */
export function DatesPage({ draft, keep, known: { today }, go, heading }: PageProps) {
  const intl = useIntl();
  const text = useProblemText();
  const { open } = useOverlay();
  const fields = useFields<{ start: string | null; stop: string | null; startTyped: string; stopTyped: string }>({
    initial: { start: draft.start, stop: draft.stop, startTyped: '', stopTyped: '' },
    changes: false,
    check: (v) => {
      const wrong = checkDates(
        { start_date: v.start ?? (v.startTyped.trim() && noDay), stop_date: v.stop ?? (v.stopTyped.trim() && noDay) },
        today,
      );
      const say = (field: string) => {
        const found = wrong.find((w) => w.field === field);
        if (!found) return undefined;
        if (found.code !== 'move.required') return text(found);
        return intl.formatMessage({
          id: 'move.start_required',
          defaultMessage: 'Choose from which day you want energy at your new address.',
        });
      };
      return { start: say('start_date'), stop: say('stop_date') };
    },
  });
  const { start, stop } = fields.values;
  useKeep(
    useMemo(() => ({ start, stop }), [start, stop]),
    keep,
  );
  const first = soonest(today);
  const month = nextMonth(addDays(first, -1));
  const chip = (day: string, words: string) => ({ day, text: words });
  return (
    <Form {...fields.form(() => go(3))}>
      <StepTitle heading={heading}>
        <FormattedMessage id="move.dates.title" defaultMessage="When are you moving?" />
      </StepTitle>
      <DateField
        {...fields.field('start')}
        onChange={(day, typed) => {
          fields.set('start', day);
          fields.set('startTyped', typed);
        }}
        required
        today={today}
        min={first}
        chips={[
          chip(
            first,
            intl.formatMessage(
              { id: 'move.dates.soonest', defaultMessage: 'as soon as possible: {day}' },
              { day: formatDay(first) },
            ),
          ),
          ...(month > first
            ? [
                chip(
                  month,
                  intl.formatMessage(
                    { id: 'move.dates.month', defaultMessage: 'first of the month: {day}' },
                    { day: formatDay(month) },
                  ),
                ),
              ]
            : []),
        ]}
        label={<FormattedMessage id="move.dates.start" defaultMessage="Start date at the new address" />}
        hint={
          <FormattedMessage
            id="move.dates.start_hint"
            defaultMessage="The day on which you get the key, for example. From then on we supply you there."
          />
        }
      />
      <Stack gap={8}>
        <DateField
          {...fields.field('stop')}
          onChange={(day, typed) => {
            fields.set('stop', day);
            fields.set('stopTyped', typed);
          }}
          optional
          today={today}
          min={start ?? today}
          chips={
            start && start >= first
              ? [
                  chip(
                    start,
                    intl.formatMessage(
                      { id: 'move.dates.same', defaultMessage: 'the same day: {day}' },
                      { day: formatDay(start) },
                    ),
                  ),
                  chip(
                    addDays(start, 14),
                    intl.formatMessage(
                      { id: 'move.dates.fortnight', defaultMessage: 'two weeks later: {day}' },
                      { day: formatDay(addDays(start, 14)) },
                    ),
                  ),
                ]
              : []
          }
          label={<FormattedMessage id="move.dates.stop" defaultMessage="End date at the old address" />}
          hint={<FormattedMessage id="move.dates.stop_hint" defaultMessage="Only if you keep the old address a while longer." />}
        />
        <div>
          <LinkLook onClick={() => open('stop-date-notification')}>
            <FormattedMessage id="move.stop.title" defaultMessage="What the end date means" />
          </LinkLook>
        </div>
      </Stack>
      <WizardActions>
        <Button onClick={() => go(1)} icon="left">
          <FormattedMessage id="move.back" defaultMessage="Back" />
        </Button>
        <SaveButton iconEnd="forward" why={fields.why}>
          {intl.formatMessage({ id: 'move.next', defaultMessage: 'Next' })}
        </SaveButton>
      </WizardActions>
    </Form>
  );
}
