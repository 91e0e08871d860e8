import { Comparison } from '@wattle/charts/spark';
import { Big, energyDecimals, formatEnergy, formatNumber, Skeleton, TextLink } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { ownPower } from './glance.rules';
import { Worth } from './texts';

/**
 * What the member's shares in a project produce now, this year and last year (9-participation-yield). Not shown for a single
 * participation.
 */
export default function MadeWidget({ project, participation, hide }: { project: string; participation?: string; hide(): void }) {
  const intl = useIntl();
  const yields = api.useGet('/sustainable/yields', {}, { empty: [404], enabled: participation === undefined });
  const made = yields.data?.find((y) => y.project_code === project);
  const nothing =
    participation !== undefined ||
    yields.isError ||
    (yields.isFetched && (made?.year_production ?? made?.last_year_production ?? null) === null);
  useEffect(() => {
    if (nothing) hide();
  }, [nothing, hide]);
  if (nothing) return null;
  if (!made) return <Skeleton shape="number" />;
  const { year_production: year, last_year_production: last, current_power: kW } = made;
  const power = kW === null ? undefined : ownPower(kW);
  const whole = (value: number) =>
    formatNumber(value, energyDecimals('kWh', value > 0 && value < 10 ? 'participation' : undefined));
  return (
    <Parts>
      <div>
        <Big
          unit={year === null ? undefined : 'kWh'}
          caption={
            <>
              <FormattedMessage id="production.yield.year" defaultMessage="this year so far" />
              {made.year_value !== null && (
                <>
                  , <Worth euros={made.year_value} />
                </>
              )}
            </>
          }
        >
          {year === null ? '–' : whole(year)}
        </Big>
        <p>
          {made.year_through_yesterday !== null && Number(made.same_days_last_year) > 0 && (
            <>
              <Comparison
                value={made.year_through_yesterday}
                then={made.same_days_last_year}
                name={intl.formatMessage({
                  id: 'production.yield.same',
                  defaultMessage: 'on the same days of last year, up to and including yesterday',
                })}
              />
              {'. '}
            </>
          )}
          <TextLink href={`/overview?project=${encodeURIComponent(project)}`}>
            <FormattedMessage id="production.glance.charts" defaultMessage="See your production" />
          </TextLink>
        </p>
      </div>
      <Figures>
        <div>
          <dt>
            <FormattedMessage id="production.yield.shares" defaultMessage="My shares" />
          </dt>
          <dd>
            <FormattedMessage
              id="production.yield.of"
              defaultMessage="{own} of {all}"
              values={{ own: formatNumber(made.own_shares), all: formatNumber(made.all_shares) }}
            />
          </dd>
        </div>
        <div>
          <dt>
            <FormattedMessage id="production.yield.last" defaultMessage="Last year" />
          </dt>
          <dd>
            {last === null ? '–' : formatEnergy(last, 'kWh')}
            {last !== null && made.last_year_value !== null && (
              <>
                , <Worth euros={made.last_year_value} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>
            <FormattedMessage id="production.yield.now" defaultMessage="Right now" />
          </dt>
          <dd>{power ? `${formatNumber(power.value, power.unit === 'kW' ? 1 : 0)}\u00a0${power.unit}` : '–'}</dd>
        </div>
      </Figures>
    </Parts>
  );
}

const Parts = styled.div`display: flex; flex-direction: column; gap: 16px;`;
const Figures = styled.dl`
  display: flex; flex-wrap: wrap; gap: 12px 32px; margin: 0; padding-top: 16px; border-top: 1px solid var(--w-line);
  dt { font-size: 14px; color: var(--w-text-quiet); }
  dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
  @media (max-width: 767px) { display: block; padding-top: 12px; > div { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; padding: 4px 0; } dd { text-align: right; } }
`;
