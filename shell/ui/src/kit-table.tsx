import { useState } from 'react';
import { Badge } from './badge';
import { IconButton } from './button';
import { Card } from './card';
import { DataTable } from './data-table';
import { Stack } from './layout';
import { CivilDate, Money } from './numbers';
import { Pagination } from './pagination';
import { EmptyState } from './states';

const invoices = [
  { id: 'i1', day: '2026-11-14', kind: 'Termijnfactuur', period: 'november 2026', cents: 12_350, paid: false, strong: false },
  { id: 'i2', day: '2026-10-14', kind: 'Termijnfactuur', period: 'oktober 2026', cents: 12_350, paid: true, strong: false },
  { id: 'i3', day: '2026-09-30', kind: 'Jaarafrekening', period: '2025–2026', cents: -8_412, paid: true, strong: true },
  { id: 'i4', day: '2026-09-14', kind: 'Termijnfactuur', period: 'september 2026', cents: 12_350, paid: true, strong: false },
];

/** The lists' shelf of /dev/kit. */
export function KitTable() {
  const [page, setPage] = useState(1);
  return (
    <Stack>
      <Card flush>
        <DataTable
          label="Facturen"
          rows={invoices}
          rowKey={(row) => row.id}
          tone={(row) => (row.strong ? 'strong' : undefined)}
          columns={[
            { id: 'day', title: 'Datum', width: 112, card: 'hidden', cell: (row) => <CivilDate day={row.day} /> },
            {
              id: 'kind',
              title: 'Factuur',
              card: 'title',
              cell: (row) => (
                <>
                  <div style={{ fontWeight: row.strong ? 600 : undefined }}>{row.kind}</div>
                  <small style={{ fontSize: 14, fontWeight: 400, color: 'var(--w-text-quiet)' }}>{row.period}</small>
                </>
              ),
            },
            {
              id: 'status',
              title: 'Status',
              width: 120,
              cell: (row) => <Badge tone={row.paid ? 'positive' : 'warning'}>{row.paid ? 'Betaald' : 'Open'}</Badge>,
            },
            {
              id: 'amount',
              title: 'Bedrag',
              align: 'end',
              width: 128,
              card: 'end',
              cell: (row) => <Money cents={row.cents} credit />,
            },
            {
              id: 'get',
              title: 'Download',
              quiet: true,
              width: 44,
              card: 'hidden',
              cell: (row) => <IconButton icon="download" label={`Download ${row.kind} ${row.period}`} />,
            },
          ]}
        />
      </Card>
      <Pagination page={page} pageSize={10} total={137} onPage={setPage} />
      <Card flush>
        <DataTable label="Laden" loading expect={2} rows={[]} rowKey={() => 0} columns={[]} />
      </Card>
      <Card flush>
        <DataTable
          label="Leeg"
          rows={[]}
          rowKey={() => 0}
          columns={[]}
          empty={<EmptyState title="Nog geen facturen">Je eerste factuur komt rond 28-11-2026.</EmptyState>}
        />
      </Card>
    </Stack>
  );
}
