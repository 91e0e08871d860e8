import { useState } from 'react';
import { Badge } from './badge';
import { IconButton } from './button';
import { Card } from './card';
import { DataTable } from './data-table';
import { useSay } from './kit-say';
import { Stack } from './layout';
import { CivilDate, Money } from './numbers';
import { Pagination } from './pagination';
import { EmptyState } from './states';
import { SubHeading } from './sub-heading';

/** The section of lists in /dev/kit. */
export function KitTable() {
  const say = useSay();
  const [page, setPage] = useState(1);
  const invoices = [
    {
      id: 'i1',
      day: '2026-11-14',
      kind: say('Termijnfactuur', 'Monthly invoice'),
      period: say('november 2026', 'November 2026'),
      cents: 12_350,
      paid: false,
      strong: false,
    },
    {
      id: 'i2',
      day: '2026-10-14',
      kind: say('Termijnfactuur', 'Monthly invoice'),
      period: say('oktober 2026', 'October 2026'),
      cents: 12_350,
      paid: true,
      strong: false,
    },
    {
      id: 'i3',
      day: '2026-09-30',
      kind: say('Jaarafrekening', 'Annual statement'),
      period: '2025–2026',
      cents: -8_412,
      paid: true,
      strong: true,
    },
    {
      id: 'i4',
      day: '2026-09-14',
      kind: say('Termijnfactuur', 'Monthly invoice'),
      period: say('september 2026', 'September 2026'),
      cents: 12_350,
      paid: true,
      strong: false,
    },
  ];

  return (
    <Stack>
      <Card flush>
        <SubHeading end={<Money cents={28_638} />}>2026</SubHeading>
        <DataTable
          label={say('Facturen', 'Invoices')}
          rows={invoices}
          rowKey={(row) => row.id}
          tone={(row) => (row.strong ? 'strong' : undefined)}
          columns={[
            { id: 'day', title: say('Datum', 'Date'), width: 112, card: 'hidden', cell: (row) => <CivilDate day={row.day} /> },
            {
              id: 'kind',
              title: say('Factuur', 'Invoice'),
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
              cell: (row) => <Badge tone={row.paid ? 'positive' : 'warning'}>{row.paid ? say('Betaald', 'Paid') : 'Open'}</Badge>,
            },
            {
              id: 'amount',
              title: say('Bedrag', 'Amount'),
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
        <DataTable label={say('Laden', 'Loading')} loading expect={2} rows={[]} rowKey={() => 0} columns={[]} />
      </Card>
      <Card flush>
        <DataTable
          label={say('Leeg', 'Empty')}
          rows={[]}
          rowKey={() => 0}
          columns={[]}
          empty={
            <EmptyState title={say('Nog geen facturen', 'No invoices yet')}>
              {say('Je eerste factuur komt rond 28-11-2026.', 'Your first invoice will come around 28-11-2026.')}
            </EmptyState>
          }
        />
      </Card>
    </Stack>
  );
}
