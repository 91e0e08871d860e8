import { PeriodPicker } from '@wattle/charts';
import { useToday } from '@wattle/sdk';
import { Accordion, Button, ErrorState, formatDay, Notice, Segmented, Skeleton } from '@wattle/ui';
import { lazy, Suspense, useId, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Agreement, Connection } from './api';
import { hasSwitch, isPriced } from './connection.rules';
import { useAccess } from './consent';
import { costSpans } from './cost.rules';
import { Edges, Folded } from './folded';
import { markOf, useQuantity } from './quantity';
import { useLastDay, useSelection } from './selection';
import { dayToOpen, monthly, monthlySpans, type Span, type Unit, unitsOf } from './series.rules';
import { commodityName } from './texts';
import { NoSmartMeter, UsagePanel } from './usage-panel';
import { Waiting } from './waiting';
import { Withheld } from './withheld';

// fetched after the page's controls
const costPanels = () => import(/* webpackChunkName: "later" */ './cost-panels');
const CostPanels = lazy(costPanels);
const ManyPanels = lazy(() => costPanels().then(({ ManyPanels: part }) => ({ default: part })));
const PastGaps = lazy(() => costPanels().then(({ PastGaps: part }) => ({ default: part })));
const NetMetering = lazy(() => import(/* webpackChunkName: "later" */ './net-metering'));
const Meters = lazy(() => import(/* webpackChunkName: "later" */ './meters'));
const Historical = lazy(() => import(/* webpackChunkName: "later" */ './historical'));

/**
 * The usage of an agreement: the number, controls, a chart per connection, then readings and historical data, which are closed
 * (face, point 6).
 */
export function AgreementUsage({ agreement, connections }: { agreement: Agreement; connections: readonly Connection[] }) {
  const today = useToday();
  const { from } = agreement.period;
  if (agreement.status === 'CANCELLED')
    return (
      <Notice>
        <FormattedMessage id="usage.cancelled" defaultMessage="This contract was cancelled, so there is no usage to show." />
      </Notice>
    );
  if (connections.length === 0)
    return (
      <Notice>
        <FormattedMessage
          id="usage.no_connections"
          defaultMessage="No connection of this contract is known to us yet. It appears here once it has been processed."
        />
      </Notice>
    );
  if (from > today)
    return (
      <Notice>
        <FormattedMessage
          id="usage.not_started"
          defaultMessage="This contract starts on {day}. From then on you see your usage here."
          values={{ day: formatDay(from) }}
        />
      </Notice>
    );
  return <Delivered agreement={agreement} connections={connections} />;
}

/** The usage of an agreement with current or past supply. */
function Delivered({ agreement, connections }: { agreement: Agreement; connections: readonly Connection[] }) {
  const intl = useIntl();
  const today = useToday();
  const [requested, show] = useSelection();
  const access = useAccess(connections);
  const { consent, known, hasDays } = access;
  const { from: min, to } = agreement.period;
  const max = to !== null && to < today ? to : today;
  const smart = connections.filter((c) => c.meter_type === 'SMART');
  const id = useId();
  // Links to feed-in and to all years, which have no cost, open with the measurements.
  const [mayCost] = useState(requested.view === 'usage' && requested.span !== 'years');
  const [quantity, quantities, choose] = useQuantity(smart, mayCost && smart.every(hasDays) && isPriced(agreement, smart, max));
  const [open, setOpen] = useState(requested.view === 'feedin');
  const euros = quantity === 'EUR';
  const switched = quantity === 'ELECTRICITY' && hasSwitch(connections);
  // If there is no switch, a URL with feed-in shows usage.
  const visible = switched ? requested : { ...requested, view: 'usage' as const };
  const drawn = smart.filter((c) => euros || c.commodity === quantity);
  const withheld = smart.filter((c) => !hasDays(c));
  const months = drawn.every((c) => !hasDays(c)); // daily values must not be shown for any connection
  const { pending, last } = useLastDay(drawn, !months);
  // Measurements arrive a day later: if no day was chosen, the last day with data is shown (2.5-usage-day-last).
  const opened = visible.span === 'day' && !visible.chosen ? { ...visible, day: dayToOpen(visible.day, last) } : visible;
  const shown = euros ? inCosts(opened) : months ? monthly(opened) : opened;
  const spans: readonly Span[] = euros ? costSpans : months ? monthlySpans : (Object.keys(unitsOf) as Span[]);
  const units = unitsOf[shown.span].filter((unit) => !months || unit === 'month' || unit === 'year');
  const periods = !(euros && months); // without daily values there is only one cost, that of the last complete month
  const byUnit = periods && units.length > 1;
  const waits = pending && periods && shown.span === 'day' && !shown.chosen;
  const panels = (waits || euros ? [] : drawn).map((connection) => ({
    connection,
    shown: hasDays(connection) ? shown : monthly(shown),
    months: !hasDays(connection),
    min,
    max,
    alone: drawn.length === 1,
    mark: markOf(connection, drawn),
    PastGaps,
  }));
  // The parts below are rendered once the height of the charts is known, so that the charts do not push them down.
  const settles = smart.length > 0 && (known ? waits : consent.isPending);
  return (
    <Blocks $settles={settles}>
      {smart.length === 0 ? (
        <NoSmartMeter />
      ) : !known ? (
        consent.isPending ? (
          <Skeleton shape="card" />
        ) : (
          <ErrorState compact onRetry={() => void consent.refetch()} retrying={consent.isFetching} />
        )
      ) : (
        <>
          <Controls>
            <Segmented
              label={intl.formatMessage({ id: 'usage.quantity', defaultMessage: 'Show' })}
              value={quantity}
              onChange={choose}
              options={quantities.map((value) => ({
                value,
                text:
                  value === 'EUR'
                    ? intl.formatMessage({ id: 'usage.costs', defaultMessage: 'Costs' })
                    : commodityName(intl, value),
              }))}
            />
            {(switched || byUnit) && (
              <Button small variant="quiet" iconEnd="down" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
                <FormattedMessage id="usage.display" defaultMessage="Display" />
              </Button>
            )}
            {periods && (
              <Period>
                <PeriodPicker
                  units={spans}
                  unit={shown.span}
                  day={shown.day < min ? min : shown.day > max ? max : shown.day}
                  min={min}
                  max={max}
                  onChange={({ unit: span, day }) =>
                    show({ span, day: span === 'day' && shown.span !== 'day' ? dayToOpen(day, last) : day })
                  }
                />
              </Period>
            )}
            <Choices id={id} hidden={!open}>
              {switched && (
                <Segmented
                  label={intl.formatMessage({ id: 'usage.view', defaultMessage: 'Usage or feed-in' })}
                  value={shown.view}
                  onChange={(view) => show({ view })}
                  options={(['usage', 'feedin'] as const).map((value) => ({ value, text: viewName[value] }))}
                />
              )}
              {byUnit && (
                <UnitChoice>
                  <span aria-hidden="true">
                    <FormattedMessage id="usage.bar" defaultMessage="A bar per" />
                  </span>
                  <Segmented
                    label={intl.formatMessage({ id: 'usage.bar', defaultMessage: 'A bar per' })}
                    value={shown.unit}
                    onChange={(unit) => show({ unit })}
                    options={units.map((unit) => ({
                      value: unit,
                      text: (
                        <FormattedMessage
                          id="usage.bar.unit"
                          defaultMessage="{unit, select, hour {hour} day {day} week {week} month {month} other {year}}"
                          values={{ unit }}
                        />
                      ),
                    }))}
                  />
                </UnitChoice>
              )}
            </Choices>
          </Controls>
          {waits && <Waiting />}
          {euros && !waits && (
            <Suspense fallback={<Waiting charts={Math.min(2, drawn.length)} />}>
              <CostPanels connections={drawn} shown={shown} hasDays={hasDays} min={min} max={max} />
            </Suspense>
          )}
          {panels.length > 2 ? (
            <Suspense fallback={<Waiting />}>
              <ManyPanels panels={panels} />
            </Suspense>
          ) : (
            panels.map((panel) => <UsagePanel key={panel.connection.ean_code} {...panel} />)
          )}
          {withheld.length > 0 && <Withheld connections={withheld} />}
        </>
      )}
      {!settles && (
        <Last>
          <Accordion>
            <Folded
              level={3}
              defaultOpen={smart.length === 0}
              title={<FormattedMessage id="usage.meters.title" defaultMessage="Meter readings" />}
            >
              <Suspense fallback={<Skeleton shape="row" count={3} />}>
                <Meters agreement={agreement} connections={connections} />
              </Suspense>
            </Folded>
            <Folded level={3} title={<FormattedMessage id="usage.historical.title" defaultMessage="Historical meter data" />}>
              <Suspense fallback={<Skeleton shape="row" count={3} />}>
                <Historical agreement={agreement} connections={connections} access={access} />
              </Suspense>
            </Folded>
            {known && (euros || visible.view === 'feedin') && (
              <Suspense fallback={null}>
                {drawn
                  .filter((c) => c.commodity === 'ELECTRICITY')
                  .map((c) => (
                    <NetMetering key={c.ean_code} ean={c.ean_code} />
                  ))}
              </Suspense>
            )}
          </Accordion>
        </Last>
      )}
    </Blocks>
  );
}

const viewName = {
  usage: <FormattedMessage id="usage.view.usage" defaultMessage="Usage" />,
  feedin: <FormattedMessage id="usage.view.feedin" defaultMessage="Feed-in" />,
};

/** All years together have no cost, so the last year is shown. */
const inCosts = <S extends { span: Span; unit: Unit }>(shown: S): S =>
  shown.span === 'years' ? { ...shown, span: 'year', unit: 'month' } : shown;

/** The entries of a legend are text with a swatch, because they are in a card; they stay targets of 44 px. */
const Blocks = styled.div<{ $settles: boolean }>`
  display: flex; flex-direction: column; gap: 24px; min-width: 0; ${(p) => p.$settles && 'min-height: 100vh;'}
  && [aria-pressed] { padding-inline: 0 8px; border-color: transparent; }
`;
const Last = styled(Edges)`margin-bottom: calc(-1 * var(--w-pad)); > div { border-bottom: 0; }`;
/**
 * What is shown, and the period: in one row if there is room, otherwise in two. The button that opens the other choices looks like the
 * list of periods: what opens has a box with an arrow, and what is chosen from a few is a row of choices.
 */
const Controls = styled.div`
  display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center;
  button[aria-expanded] { border-color: var(--w-control-line); border-radius: var(--w-radius-control); background: var(--w-surface); color: var(--w-text); &:hover { background: var(--w-tint); } }
  @media (min-width: 768px) { [role='radiogroup'] span { padding-inline: 11px; } }
  @media (max-width: 767px) {
    column-gap: 8px; justify-content: space-between;
    [role='radiogroup'] span { padding-inline: 7px; font-size: 14px; } button[aria-expanded] { gap: 4px; padding-inline: 10px; font-size: 14px; }
  }
`;
const Period = styled.div`flex: 1 1 auto; @media (max-width: 767px) { flex: 1 0 100%; }`;
const Choices = styled.div`
  display: flex; flex-wrap: wrap; gap: 8px 24px; flex: 1 0 100%; &[hidden] { display: none; }
`;
const UnitChoice = styled.div`display: flex; align-items: center; gap: 12px; font-size: 14px; color: var(--w-text-quiet);`;
