import { useOverlay, useToday } from '@wattle/sdk';
import { Button, CivilDate, Energy, ErrorState, formatNumber, Notice, Skeleton, Stack } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, api, type Commodity, type Connection, type Reading } from './api';
import { eanText, energyUnit, feedsIn, hasEnded } from './connection.rules';
import { encodeHistoryId } from './history-id.rules';
import { displayed, newestFirst, withDisplayedUsage } from './reading.rules';
import { commodityName, registerName } from './texts';

/** Fetches the readings of a connection for an agreement. */
export const useReadings = (agreement: string, location: string, ean: string) =>
  api.useGet('/readings/{agreement}/{location}/{ean}', { path: { agreement, location, ean } }, { empty: [404] });

/**
 * The text if there are no readings or the request has failed (8-readings-empty). The meter may have readings from another
 * contract.
 */
export function NoReadings({
  failed,
  ended,
  retry,
  retrying,
}: {
  failed: boolean;
  /** Whether the contract has ended. */
  ended: boolean;
  retry(): void;
  retrying: boolean;
}) {
  const intl = useIntl();
  const title =
    ended && !failed
      ? intl.formatMessage({
          id: 'usage.readings.none_then',
          defaultMessage: 'There are no readings for this meter from the time of this contract',
        })
      : intl.formatMessage({ id: 'usage.readings.none', defaultMessage: 'There are no readings for this meter' });
  if (failed)
    return (
      <ErrorState compact title={title} onRetry={retry} retrying={retrying}>
        <FormattedMessage id="usage.readings.failed" defaultMessage="They could not be loaded. Nothing is lost." />
      </ErrorState>
    );
  return (
    <Notice title={title}>
      {!ended && (
        <FormattedMessage
          id="usage.readings.none_text"
          defaultMessage="Readings appear here once we have received them from you or from the grid operator."
        />
      )}
    </Notice>
  );
}

type Register = 'consumption_normal' | 'consumption_low' | 'feedin_normal' | 'feedin_low';

/** Returns the registers to show: those with a reading; feed-in only if the agreement includes it. */
export function registersIn(readings: readonly Reading[], delivery: boolean): Register[] {
  const all: Register[] = ['consumption_normal', 'consumption_low', 'feedin_normal', 'feedin_low'];
  return all.filter((r) => (delivery || !r.startsWith('feedin')) && readings.some((reading) => reading[r] !== null));
}

const headOf = (intl: IntlShape, register: Register, alone: boolean): string =>
  alone ? intl.formatMessage({ id: 'usage.readings.standing', defaultMessage: 'Reading' }) : registerName(intl, register);

export interface ReadingTableProps {
  label: string;
  readings: readonly Reading[];
  commodity: Commodity;
  delivery: boolean;
  /** For small spaces: the readings of a day are stacked. */
  narrow?: boolean;
}

/** The meter readings by day. */
export function ReadingTable({ label, readings, commodity, delivery, narrow }: ReadingTableProps) {
  const intl = useIntl();
  const unit = energyUnit(commodity);
  const registers = registersIn(readings, delivery);
  const alone = registers.length === 1;
  const date: Column<Reading> = {
    id: 'date',
    title: <FormattedMessage id="usage.readings.date" defaultMessage="Date" />,
    cell: (r) => <CivilDate day={r.measurement_date} />,
    card: 'title',
  };
  const since: Column<Reading> = {
    id: 'consumption',
    title: (
      <Wrapped>
        <FormattedMessage id="usage.readings.since" defaultMessage="Used since the previous reading" />
      </Wrapped>
    ),
    cell: (r) => (r.consumption === null ? '–' : <Energy value={r.consumption} unit={unit} />),
    align: 'end',
  };
  const standing = (r: Reading, register: Register) => {
    const value = r[register];
    return value === null ? '–' : <Figure>{formatNumber(displayed(value))}</Figure>;
  };
  const columns: Column<Reading>[] = narrow
    ? [
        date,
        {
          id: 'standings',
          title: <FormattedMessage id="usage.readings.standings" defaultMessage="Readings" />,
          cell: (r) => (
            <ReadingList>
              {registers.map((register) => (
                <div key={register}>
                  {!alone && <dt>{registerName(intl, register)}</dt>}
                  <dd>{standing(r, register)}</dd>
                </div>
              ))}
            </ReadingList>
          ),
        },
        { ...since, title: <FormattedMessage id="usage.readings.used" defaultMessage="Used" /> },
      ]
    : [
        date,
        ...registers.map(
          (register): Column<Reading> => ({
            id: register,
            title: <Wrapped>{headOf(intl, register, alone)}</Wrapped>,
            cell: (r) => standing(r, register),
            align: 'end',
          }),
        ),
        since,
      ];
  return <DataTable label={label} columns={columns} rows={readings} rowKey={(r) => `${r.measurement_date} ${r.meter_number}`} />;
}

/** A connection: its meter, newest readings, and a link to all readings (2.1-usage-route, 2.1-metermeasuring-route). */
export function ConnectionReadings({
  connection,
  agreement,
  level,
  few,
}: {
  connection: Connection;
  agreement: Agreement;
  /** Number of newest readings to show; the overlay shows all. */
  few: number;
  /** Heading level. */
  level: 3 | 4;
}) {
  const intl = useIntl();
  const { open } = useOverlay();
  const today = useToday();
  const { location_id: location, ean_code: ean, commodity, meter_number: meter } = connection;
  const readings = useReadings(agreement.agreement_identifier, location, ean);
  const delivery = feedsIn(connection, agreement);
  const name = commodityName(intl, commodity);
  const rows = withDisplayedUsage(newestFirst(readings.data ?? []));
  const Heading = `h${level}` as const;
  return (
    <Block aria-label={intl.formatMessage({ id: 'usage.readings.of', defaultMessage: 'Readings {what}' }, { what: name })}>
      <Head>
        <Stack gap={4}>
          <Heading>{name}</Heading>
          <Quiet>
            <FormattedMessage
              id="usage.readings.meter"
              defaultMessage="{smart, select, yes {Smart meter} other {Meter}} {meter} · EAN {ean}"
              values={{ smart: connection.meter_type === 'SMART' ? 'yes' : 'no', meter, ean: eanText(ean) }}
            />
          </Quiet>
        </Stack>
        {rows.length > 0 && (
          <Button
            small
            variant="quiet"
            icon="history"
            onClick={() =>
              open('usage-history', {
                id: encodeHistoryId({
                  agreement_identifier: agreement.agreement_identifier,
                  location_id: location,
                  ean_code: ean,
                  delivery,
                }),
              })
            }
          >
            <FormattedMessage
              id="usage.readings.all"
              defaultMessage="All readings<hidden> {what}</hidden>"
              values={{ what: name.toLowerCase(), hidden: (text) => <Hidden key="hidden">{text}</Hidden> }}
            />
          </Button>
        )}
      </Head>
      {readings.isPending ? (
        <Waiting $rows={few}>
          <Skeleton shape="row" count={few} />
        </Waiting>
      ) : rows.length === 0 ? (
        <NoReadings
          failed={readings.isError}
          ended={hasEnded(agreement, today)}
          retry={() => void readings.refetch()}
          retrying={readings.isError && readings.isFetching}
        />
      ) : (
        <Framed>
          <ReadingTable
            label={intl.formatMessage({ id: 'usage.readings.of', defaultMessage: 'Readings {what}' }, { what: name })}
            readings={rows.slice(0, few)}
            commodity={commodity}
            delivery={delivery}
          />
        </Framed>
      )}
    </Block>
  );
}

const Block = styled.section`display: flex; flex-direction: column; gap: 12px; min-width: 0; h3 { font-size: 20px; } h4 { font-size: 16px; }`;
const Head = styled.div`display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 4px 16px;
  @media (max-width: 767px) { > * + * { margin-left: -12px; } }
`;
/** As high as the loaded rows, which are cards on a phone. */
const Waiting = styled.div<{ $rows: number }>`@media (max-width: 767px) { min-height: ${(p) => p.$rows * 140}px; }`;
const Quiet = styled.p`font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;`;
const Hidden = styled.span`position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;`;
/** A long column heading wraps to two lines, because five columns would not fit. */
const Wrapped = styled.span`@media (min-width: 768px) and (max-width: 1099px) { display: inline-block; max-width: 104px; white-space: normal; }`;
const Figure = styled.span`font-variant-numeric: tabular-nums;`;
const Framed = styled.div`
  border: 1px solid var(--w-line); border-radius: var(--w-radius); overflow: clip;
  @media (max-width: 767px) { border: 0; border-radius: 0; overflow: visible; }
`;
const ReadingList = styled.dl`
  font-size: 14px;
  div { display: flex; justify-content: space-between; gap: 12px; max-width: 200px; }
  dt { color: var(--w-text-quiet); }
`;
