import { Big, energyDecimals, Facts, formatDay, formatEnergy, formatNumber, Skeleton } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { marketplace } from './api';

/** The production of the shares of a participation and its period, as the back office gives them (2.1-participation-production). */
export default function YieldWidget({ participation, hide }: { participation?: string; hide(): void }) {
  const projects = marketplace.useGet('/sustainable/projects', {}, { empty: [404] }); // already cached by the surrounding page
  const made = projects.data
    ?.flatMap((p) => p.participations)
    .find((p) => p.participation_identifier === participation)?.production;
  const nothing = !participation || projects.isError || (projects.isFetched && made?.peak == null && made?.off_peak == null);
  useEffect(() => {
    if (nothing) hide();
  }, [nothing, hide]);
  if (nothing) return null;
  if (!made) return <Skeleton shape="number" />;
  const { peak, off_peak, period_start_date: from, period_end_date: until } = made;
  const parts = { peak, off_peak };
  return (
    <>
      <Big
        unit="kWh"
        caption={
          from &&
          until && (
            <FormattedMessage
              id="production.yield.period"
              defaultMessage="{from} to {until}"
              values={{ from: formatDay(from), until: formatDay(until) }}
            />
          )
        }
      >
        {formatNumber((peak ?? 0) + (off_peak ?? 0), energyDecimals('kWh', 'participation'))}
      </Big>
      <Facts
        items={Object.entries(parts).map(([part, kWh]) => ({
          label: (
            <FormattedMessage
              id="production.yield.part"
              defaultMessage="{part, select, peak {Peak hours} other {Off-peak hours}}"
              values={{ part }}
            />
          ),
          value: kWh === null ? '–' : formatEnergy(kWh, 'kWh', 'participation'),
        }))}
      />
    </>
  );
}
