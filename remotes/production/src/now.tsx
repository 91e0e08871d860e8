import { clockAt, useNow, usePortal } from '@wattle/sdk';
import { Badge, Big, Card, energyDecimals, formatEnergy, formatNumber, Skeleton } from '@wattle/ui';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Measured, type Project } from './api';
import { type Freshness as Age, freshness, powerIn } from './fresh.rules';
import { NoData } from './no-data';
import { Freshness } from './texts';

// fetched after the charts
const Running = lazy(() => import(/* webpackChunkName: "running" */ './running'));

/** Milliseconds between two fetches while the page is visible. */
const refreshInterval = 60_000;

/** A project's current production, and the age of the measurement (9-production-fresh). */
export function NowCard({ project: { project_code: project, ...named } }: { project: Project }) {
  const intl = useIntl();
  const now = useNow();
  const { timeZone } = usePortal();
  const measured = api.useGet('/sustainable/measured', { query: { projects: project } });
  const { refetch } = measured;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void refetch();
    }, refreshInterval);
    return () => clearInterval(timer);
  }, [refetch]);
  const of = measured.data?.[0];
  const at = of?.measured_at ? clockAt(of.measured_at, timeZone) : undefined;
  const fresh = at && freshness(at, now);
  return (
    <Card
      title={intl.formatMessage(
        {
          id: 'production.now.whole',
          defaultMessage: '{live, select, live {Whole project, now} other {Whole project, last measured}}',
        },
        { live: fresh ? fresh.kind : 'live' },
      )}
      actions={fresh && at && <MeasuredAt fresh={fresh} at={at} />}
    >
      {measured.isPending ? (
        <Waiting>
          <Skeleton shape="number" />
        </Waiting>
      ) : measured.isError ? (
        <NoData onRetry={() => void refetch()} retrying={measured.isFetching} />
      ) : of && at ? (
        <>
          <Figures of={of} isToday={at.day === now.day} />
          <Suspense fallback={null}>
            <Running code={project} name={named.project_name} type={named.project_type} />
          </Suspense>
        </>
      ) : (
        <p>
          <FormattedMessage id="production.now.never" defaultMessage="Nothing has been measured of this project yet." />
        </p>
      )}
    </Card>
  );
}

function MeasuredAt({ fresh, at }: { fresh: Age; at: { day: string; time: string } }) {
  const { kind } = fresh;
  return (
    <Badge
      tone={kind === 'live' ? 'positive' : kind === 'since' ? 'warning' : 'neutral'}
      icon={kind === 'live' ? undefined : 'clock'}
    >
      <Freshness fresh={fresh} at={at} />
    </Badge>
  );
}

function Figures({ of, isToday }: { of: Measured; isToday: boolean }): ReactNode {
  const intl = useIntl();
  const power = of.current_power === null ? undefined : powerIn(of.current_power);
  const kWh = (value: number | null) => (value === null ? '–' : formatEnergy(value, 'kWh'));
  return (
    <Row>
      <Big
        unit={power?.unit}
        caption={
          of.power_percentage !== null && (
            <FormattedMessage
              id="production.now.part"
              defaultMessage="{part}% of what it can make"
              values={{ part: formatNumber(of.power_percentage) }}
            />
          )
        }
      >
        {power ? formatNumber(power.value, energyDecimals(power.unit)) : '–'}
      </Big>
      <Sums>
        <div>
          <dt>
            <FormattedMessage id="production.now.today" defaultMessage="Today so far" />
          </dt>
          <dd>
            {isToday ? (
              kWh(of.todays_production)
            ) : (
              <FormattedMessage id="production.now.unknown" defaultMessage="Not known yet" />
            )}
          </dd>
        </div>
        <div>
          <dt>{intl.formatMessage({ id: 'production.now.year', defaultMessage: 'This year' })}</dt>
          <dd>{kWh(of.year_production)}</dd>
        </div>
        <div>
          <dt>{intl.formatMessage({ id: 'production.now.total', defaultMessage: 'In all' })}</dt>
          <dd>{kWh(of.total_production)}</dd>
        </div>
      </Sums>
    </Row>
  );
}

const Row = styled.div`display: flex; flex-wrap: wrap; gap: 16px 48px; align-items: flex-end; justify-content: space-between;`;
/** As high as the figures, so that the charts below do not move. */
const Waiting = styled.div`min-height: 80px; @media (max-width: 767px) { min-height: 178px; }`;
const Sums = styled.dl`
  display: flex; flex-wrap: wrap; gap: 12px 32px; margin: 0;
  dt { font-size: 14px; color: var(--w-text-quiet); }
  dd { margin: 0; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
  @media (max-width: 767px) { display: block; width: 100%; > div { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; padding: 4px 0; } dd { font-size: 16px; } }
`;
