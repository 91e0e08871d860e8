import { clockAt, usePortal } from '@wattle/sdk';
import { Anchor, Button, formatNumber, IconButton, Skeleton } from '@wattle/ui';
import { useEffect, useRef } from 'react';
import { defineMessages, FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, marketplace } from './api';
import { SkyIcon } from './sky';
import { beaufort, isNight, skyOf } from './weather.rules';

const t = defineMessages({
  weather: { id: 'production.weather', defaultMessage: 'Weather' },
  refresh: { id: 'production.weather.refresh', defaultMessage: 'Refresh the weather' },
});

/** 4-weather-refresh: clicks within this many milliseconds count as one. */
const debounce = 500;

/** The last measured weather at the station of a project, or of the label (2.5-participation-widgets). */
export default function WeatherWidget({
  project,
  participation,
  hide,
}: {
  project: string;
  participation?: string;
  hide(): void;
}) {
  const again = participation !== undefined; // the weather is shown per project, and not again for each participation
  useEffect(() => {
    if (again) hide();
  }, [again, hide]);
  return again ? null : <WeatherNow project={project} />;
}

function WeatherNow({ project }: { project: string }) {
  const intl = useIntl();
  const { locale, timeZone } = usePortal();
  const weather = api.useGet('/weather', { query: { project } });
  const projects = marketplace.useGet('/sustainable/projects', {}, { empty: [404] }); // already cached by the surrounding page
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refresh = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void weather.refetch(), debounce);
  };
  if (weather.isPending) return <Skeleton shape="row" />;
  const station = weather.data?.stations.find((s) => s.station === weather.data.station);
  // 8-weather-failed, 7.2-weather-shape: the same error is shown if there is no response, no stations, or neither the project's
  // station nor De Bilt.
  if (weather.isError || !station)
    return (
      <Now role="status">
        <span>
          <FormattedMessage id="production.weather.none" defaultMessage="There is no weather data right now." />
        </span>
        <Button icon="retry" small onClick={refresh} loading={weather.isFetching}>
          <FormattedMessage id="production.weather.retry" defaultMessage="Try again" />
        </Button>
      </Now>
    );
  const { source, measured } = weather.data;
  const wind =
    station.wind_strength !== null &&
    intl.formatMessage(
      { id: 'production.weather.wind', defaultMessage: 'Wind force {force}' },
      { force: beaufort(station.wind_strength) },
    );
  const sky = describeSky(intl, locale, station.overcast);
  // first what the project runs on
  const [first, last] =
    projects.data?.find((p) => p.project_code === project)?.project_type === 'WIND' ? [wind, sky] : [sky, wind];
  const facts = [first, station.temperature !== null && `${formatNumber(station.temperature)}\u00a0°C`].filter(Boolean);
  return (
    <Now role="group" aria-label={intl.formatMessage(t.weather)}>
      <SkyIcon sky={skyOf(station.overcast)} night={measured !== undefined && isNight(Date.parse(measured))} />
      <span>
        {facts.length > 0 && <strong>{facts.join(', ')}</strong>}
        {last && <span>{last}</span>}
        <Quiet>
          <FormattedMessage
            id="production.weather.measured"
            defaultMessage="Weather station {station}{time, select, none {} other {, {time}}}"
            values={{ station: station.station, time: measured ? clockAt(measured, timeZone).time : 'none' }}
          />
          {source && (
            <>
              {' · '}
              <Anchor href={source.url} target="_blank" rel="noreferrer">
                {source.name}
              </Anchor>
            </>
          )}
        </Quiet>
      </span>
      <IconButton icon="retry" label={intl.formatMessage(t.refresh)} onClick={refresh} />
    </Now>
  );
}

/** Returns the description of the sky. The source is Dutch; in English, a known sky is translated and any other stays Dutch. */
function describeSky(intl: IntlShape, locale: string, overcast: string): string {
  if (locale !== 'en') return overcast;
  const word = intl.formatMessage(
    {
      id: 'production.weather.sky',
      defaultMessage:
        '{sky, select, clear {Clear} cloudy {Cloudy} drizzle {Drizzle} rain {Rain} thunder {Thunder} snow {Snow} fog {Fog} hail {Hail} other {}}',
    },
    { sky: skyOf(overcast) },
  );
  return word || overcast;
}

const Now = styled.div`
  display: flex; align-items: center; gap: 8px; min-height: 44px; font-size: 14px; color: var(--w-text);
  > svg { flex: none; width: 20px; height: 20px; }
  > span { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; }
  strong { font-weight: 600; font-variant-numeric: tabular-nums; }
`;
const Quiet = styled.span`color: var(--w-text-quiet);`;
