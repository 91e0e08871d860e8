import { useMay } from '@wattle/sdk';
import { Button, Card, CivilDate, Facts, formatDay, LinkLook, Notice, Section, Timeline } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { streetLine } from './address.rules';
import { commoditiesOf } from './agreement.rules';
import { Lines } from './choices';
import { OtherEnergy } from './other-energy';
import type { PageProps } from './page-props';
import { Energy, StepTitle, WizardActions } from './texts';
import { newAddressOf, othersOf, placesOf } from './wizard.rules';

/** Page 3: the summary, and the submit button (2.2-page3). */
export function SummaryPage({ draft, known, chosen, go, heading, busy, send }: PageProps & { busy: boolean; send(): void }) {
  const may = useMay('move.requestMove');
  const [old] = placesOf(chosen);
  const to = newAddressOf(draft, known.lookup);
  if (!chosen || !old || !to) return null;
  const yesNo = (yes: boolean) => (
    <FormattedMessage
      id="move.yes_no"
      defaultMessage="{yes, select, yes {Yes} other {No}}"
      values={{ yes: yes ? 'yes' : 'no' }}
    />
  );
  return (
    <>
      <StepTitle heading={heading}>
        <FormattedMessage id="move.summary.title" defaultMessage="Is everything right?" />
      </StepTitle>
      <Block page={0} go={go} title={<FormattedMessage id="move.summary.leave" defaultMessage="You are moving from" />}>
        <Facts
          items={[
            {
              label: <FormattedMessage id="move.old_address" defaultMessage="Old address" />,
              value: <Lines address={old} />,
            },
            {
              label: <FormattedMessage id="move.agreement.label" defaultMessage="Contract" />,
              value: (
                <>
                  {chosen.name}
                  <br />
                  <FormattedMessage
                    id="move.agreement.id"
                    defaultMessage="contract {id}"
                    values={{ id: chosen.agreement_identifier_with_sequence }}
                  />
                </>
              ),
            },
            {
              label: <FormattedMessage id="move.summary.energy" defaultMessage="What we supply" />,
              value: <Energy commodities={commoditiesOf(old.connections)} />,
            },
          ]}
        />
      </Block>
      <Block page={1} go={go} title={<FormattedMessage id="move.summary.to" defaultMessage="You are moving to" />}>
        <Facts
          items={[
            {
              label: <FormattedMessage id="move.new_address" defaultMessage="New address" />,
              value: <Lines address={to} />,
            },
            {
              label: <FormattedMessage id="move.summary.post" defaultMessage="Invoices and post to this address" />,
              value: yesNo(draft.post),
            },
            {
              label: <FormattedMessage id="move.summary.residential" defaultMessage="People live or work there" />,
              value: yesNo(draft.residential),
            },
          ]}
        />
        <OtherEnergy others={othersOf(chosen, known)} />
        {known.lookup.state === 'down' && (
          <Notice>
            <FormattedMessage
              id="move.summary.unchecked"
              defaultMessage="You entered this address yourself. We check it before we process your move."
            />
          </Notice>
        )}
      </Block>
      <Block page={2} go={go} title={<FormattedMessage id="move.summary.when" defaultMessage="When" />}>
        <Facts
          items={[
            {
              label: <FormattedMessage id="move.summary.start" defaultMessage="New address from" />,
              value: draft.start && <CivilDate day={draft.start} />,
            },
            {
              label: <FormattedMessage id="move.summary.stop" defaultMessage="Old address until" />,
              value: draft.stop ? (
                <CivilDate day={draft.stop} />
              ) : (
                // 2.2-page3-no-stop-date
                <FormattedMessage
                  id="move.summary.no_stop"
                  defaultMessage="No end date chosen: we settle your old address with the start date."
                />
              ),
            },
          ]}
        />
      </Block>
      <Section level={3} title={<FormattedMessage id="move.next.title" defaultMessage="What happens next" />}>
        <Timeline
          items={[
            {
              state: 'next',
              title: <FormattedMessage id="move.next.process" defaultMessage="We process your move" />,
              text: (
                <FormattedMessage
                  id="move.timeline.pending_text"
                  defaultMessage="usually within 2 working days; you get an email"
                />
              ),
            },
            {
              state: 'next',
              title: (
                <FormattedMessage
                  id="move.timeline.start"
                  defaultMessage="We supply {address}"
                  values={{ address: streetLine(to) }}
                />
              ),
              text: (
                <FormattedMessage id="move.timeline.since" defaultMessage="from {day}" values={{ day: formatDay(draft.start) }} />
              ),
            },
            {
              state: 'next',
              title: <FormattedMessage id="move.next.readings" defaultMessage="You write down your meter readings" />,
              text: (
                <FormattedMessage
                  id="move.next.readings_text"
                  defaultMessage="at your old address on {day}; with them we make the final statement"
                  values={{ day: formatDay(draft.stop || draft.start) }}
                />
              ),
            },
          ]}
        />
      </Section>
      <WizardActions>
        <Button icon="left" onClick={() => go(2)}>
          <FormattedMessage id="move.back" defaultMessage="Back" />
        </Button>
        <Button variant="primary" loading={busy} onClick={send} disabledReason={may.ok ? undefined : may.reason}>
          <FormattedMessage id="move.send" defaultMessage="Request this move" />
        </Button>
      </WizardActions>
    </>
  );
}

function Block({
  title,
  page,
  go,
  children,
}: {
  title: ReactNode;
  page: 0 | 1 | 2;
  go(page: number): void;
  children: ReactNode;
}) {
  const intl = useIntl();
  return (
    <Card
      title={title}
      level={3}
      actions={
        <LinkLook
          onClick={() => go(page)}
          aria-label={intl.formatMessage(
            {
              id: 'move.change_what',
              defaultMessage: 'Change {page, plural, =0 {contract} =1 {address} other {dates}}',
            },
            { page },
          )}
        >
          <FormattedMessage id="move.change" defaultMessage="Change" />
        </LinkLook>
      }
    >
      {children}
    </Card>
  );
}
