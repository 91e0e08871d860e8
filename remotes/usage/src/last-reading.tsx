import { formatDay, formatNumber } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Reading } from './api';
import { registerName } from './texts';

const registers = ['consumption_normal', 'consumption_low', 'feedin_normal', 'feedin_low'] as const;

/** The last meter reading, for when daily values must not be shown (9-usage-last-reading). */
export function LastReading({ reading }: { reading: Reading }) {
  const intl = useIntl();
  const read = registers.flatMap((register) => {
    const value = reading[register];
    return value === null ? [] : [{ register, value: formatNumber(Math.floor(value)) }];
  });
  const values = read.map(({ register, value }) =>
    read.length === 1 ? value : `${registerName(intl, register).toLowerCase()} ${value}`,
  );
  return (
    <Quiet>
      <FormattedMessage
        id="usage.last_reading"
        defaultMessage="Meter reading of {day}: {values}"
        values={{ day: formatDay(reading.measurement_date), values: values.join(', ') }}
      />
    </Quiet>
  );
}

/** Explains why no days are shown; the linked page asks for consent. */
export const ConsentHint = () => (
  <Quiet>
    <FormattedMessage
      id="usage.last_reading.why"
      defaultMessage="With your consent you see each day what you use and what it costs."
    />
  </Quiet>
);

export const Quiet = styled.small`font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;`;
