import { Facts, formatDay, formatEnergy, Skeleton, Small } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { marketplace } from './api';

/** The production of a participation's shares and its period, as provided by the back office (2.1-participation-production). */
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
  const parts = { total: (peak ?? 0) + (off_peak ?? 0), peak, off_peak };
  return (
    <>
      {from && until && (
        <p>
          <FormattedMessage
            id="production.yield.period"
            defaultMessage="{from} to {until}"
            values={{ from: formatDay(from), until: formatDay(until) }}
          />
        </p>
      )}
      <Facts
        items={Object.entries(parts).map(([part, kWh]) => ({
          label: (
            <FormattedMessage
              id="production.yield.part"
              defaultMessage="{part, select, peak {Peak hours} off_peak {Off-peak hours} other {Total}}"
              values={{ part }}
            />
          ),
          // a total is a headline: whole kWh, like the one above (9-number-format)
          value: kWh === null ? '–' : formatEnergy(kWh, 'kWh', part === 'total' ? undefined : 'participation'),
        }))}
      />
      <Small>
        <FormattedMessage
          id="production.yield.settled"
          defaultMessage="What your cooperative settled for these shares. What was measured may differ slightly."
        />
      </Small>
    </>
  );
}
