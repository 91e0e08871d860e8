import { Skeleton, Stack } from '@wattle/ui';
import { Pagination } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { eanText } from './connection.rules';
import type { HistoryId } from './history-id.rules';
import { newestFirst, withDisplayedUsage } from './reading.rules';
import { NoReadings, ReadingTable, useReadings } from './readings';
import { commodityName } from './texts';

const perPage = 10;

/** All readings of a connection, ten per page, latest first (9-usage-history-table). */
export default function HistoryList({ id }: { id: HistoryId }) {
  const intl = useIntl();
  const [page, setPage] = useState(1);
  const connections = api.useGet('/connections');
  const readings = useReadings(id.agreement_identifier, id.location_id, id.ean_code);
  const rows = withDisplayedUsage(newestFirst(readings.data ?? []));
  const connection = connections.data?.find((c) => c.ean_code === id.ean_code);
  const commodity = connection?.commodity ?? (rows[0]?.unit === 'M3N' || rows[0]?.unit === 'MTQ' ? 'GAS' : 'ELECTRICITY');
  const name = commodityName(intl, commodity);
  if (readings.isPending || connections.isPending) return <Skeleton shape="row" count={6} />;
  return (
    <Stack gap={16}>
      <div>
        <strong>{name}</strong>
        <Quiet>
          <FormattedMessage id="usage.history.ean" defaultMessage="EAN {ean}" values={{ ean: eanText(id.ean_code) }} />
        </Quiet>
      </div>
      {rows.length === 0 ? (
        <NoReadings
          failed={readings.isError}
          ended={false}
          retry={() => void readings.refetch()}
          retrying={readings.isError && readings.isFetching}
        />
      ) : (
        <>
          <Tight>
            <ReadingTable
              narrow
              label={intl.formatMessage(
                { id: 'usage.history.table', defaultMessage: 'Readings {what}, latest on top' },
                { what: name },
              )}
              readings={rows.slice((page - 1) * perPage, page * perPage)}
              commodity={commodity}
              delivery={id.delivery}
            />
          </Tight>
          {rows.length > perPage && <Pagination page={page} pageSize={perPage} total={rows.length} onPage={setPage} />}
        </>
      )}
    </Stack>
  );
}

const Quiet = styled.p`font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;`;
/** Gives a table in the sheet the sheet's margins. */
const Tight = styled.div`th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; } && tbody tr { background: none; } th, td { padding-inline: 8px; }`;
