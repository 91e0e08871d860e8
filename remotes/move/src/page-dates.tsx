import { useOverlay, useProblemText } from '@wattle/sdk';
import { Button, CivilDate, formatDay, LinkLook, Notice, Stack } from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, SaveButton, useFields } from '@wattle/ui/forms';
import { useMemo, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { Choices } from './choices';
import { addDays, checkDates, earliestStart, isDay, nextMonth } from './dates.rules';
import type { PageProps } from './page-props';
import { StepTitle, WizardActions } from './texts';
import { useSaveDraft } from './use-save-draft';
import { datesOf } from './wizard.rules';

/** Page 2: the first day at the new address, and the last day at the old one (2.2-page2). */
export function DatesPage({ draft, keep, known, chosen, go, heading }: PageProps) {
  const { today } = known;
  const intl = useIntl();
  const text = useProblemText();
  const { open } = useOverlay();
  const [initial] = useState({ start: draft.start, stop: draft.stop }); // not the draft, which changes as the customer types
  const fields = useFields<{ start: string; stop: string }>({
    initial,
    changes: false,
    check: (v) => {
      const wrong = checkDates(datesOf(v), today);
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
  useSaveDraft(
    useMemo(() => ({ start, stop }), [start, stop]),
    keep,
  );
  const from = isDay(start) ? start : undefined;
  const end = chosen?.period.to;
  const first = earliestStart(today);
  const month = nextMonth(addDays(first, -1));
  const chip = (day: string, words: string) => ({ day, text: words });
  return (
    <Form {...fields.form(() => go(3))}>
      <StepTitle heading={heading}>
        <FormattedMessage id="move.dates.title" defaultMessage="When are you moving?" />
      </StepTitle>
      <DateField
        {...fields.field('start')}
        value={start || null}
        onChange={(day, typed) => fields.set('start', day ?? typed)}
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
            defaultMessage="The day on which you get the keys of your new home. From then on we supply you there."
          />
        }
      />
      {end && from && from > end && (
        <Notice
          title={
            <FormattedMessage
              id="move.dates.ends"
              defaultMessage="Your contract runs until {day}"
              values={{ day: <CivilDate day={end} /> }}
            />
          }
        >
          <FormattedMessage
            id="move.dates.ends_text"
            defaultMessage="You can report this move now. Before your contract ends we tell you what applies after it, also for your new address."
          />
        </Notice>
      )}
      <Stack gap={8}>
        <DateField
          {...fields.field('stop')}
          value={stop || null}
          onChange={(day, typed) => fields.set('stop', day ?? typed)}
          optional
          today={today}
          min={from ?? today}
          chips={
            from && from >= first
              ? [
                  chip(
                    from,
                    intl.formatMessage(
                      { id: 'move.dates.same', defaultMessage: 'the same day: {day}' },
                      { day: formatDay(from) },
                    ),
                  ),
                  chip(
                    addDays(from, 14),
                    intl.formatMessage(
                      { id: 'move.dates.fortnight', defaultMessage: 'two weeks later: {day}' },
                      { day: formatDay(addDays(from, 14)) },
                    ),
                  ),
                ]
              : []
          }
          label={<FormattedMessage id="move.dates.stop" defaultMessage="End date at the old address" />}
          hint={
            <FormattedMessage
              id="move.dates.stop_hint"
              defaultMessage="The day on which you hand in the keys of your old home, if that is later."
            />
          }
        />
        <div>
          <LinkLook onClick={() => open('stop-date-notification')}>
            <FormattedMessage id="move.stop.title" defaultMessage="What the end date means" />
          </LinkLook>
        </div>
      </Stack>
      <Choices draft={draft} known={known} chosen={chosen} narrow />
      <WizardActions>
        <Button onClick={() => go(1)} icon="left">
          <FormattedMessage id="move.back" defaultMessage="Back" />
        </Button>
        <SaveButton iconEnd="forward" disabledReason={fields.disabledReason}>
          {intl.formatMessage({ id: 'move.next', defaultMessage: 'Next' })}
        </SaveButton>
      </WizardActions>
    </Form>
  );
}
