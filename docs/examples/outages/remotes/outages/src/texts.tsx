import { clockAt, usePortal } from '@wattle/sdk';
import { Badge, formatDay } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { Address, Outage } from './api';

/** The title of an outage, such as "Power outage" or "Planned work on gas". */
export function Title({ outage }: { outage: { commodity: Outage['commodity']; planned?: boolean | undefined } }) {
  return (
    <FormattedMessage
      id="outages.what"
      defaultMessage="{kind, select, planned {Planned work on {commodity, select, gas {gas} other {electricity}}} other {{commodity, select, gas {Gas outage} other {Power outage}}}}"
      values={{ kind: outage.planned ? 'planned' : 'fault', commodity: outage.commodity }}
    />
  );
}

export function State({ state }: { state: Outage['state'] }) {
  return (
    <Badge tone={state === 'active' ? 'negative' : state === 'planned' ? 'warning' : 'positive'}>
      <FormattedMessage
        id="outages.state"
        defaultMessage="{state, select, active {Now} planned {Announced} other {Over}}"
        values={{ state }}
      />
    </Badge>
  );
}

/** A time in the label's time zone, such as 20-11-2026 09:30. */
export function Moment({ at }: { at: string }) {
  const { timeZone } = usePortal();
  const { day, time } = clockAt(at, timeZone);
  return `${formatDay(day)} ${time}`;
}

export const line = (a: Address): string => `${a.street} ${a.house_number}, ${a.city}`;
