import { Badge, CivilDate } from '@wattle/ui';
import { DataTable, Pagination } from '@wattle/ui/table';
import { useState } from 'react';
import type { Example, Group } from './example';

export function DataTableExample({ say }: Example) {
  return (
    <DataTable
      label={say('Storingen', 'Outages')}
      rows={[
        { id: 'a', day: '2026-11-20', town: 'Utrecht' },
        { id: 'b', day: '2026-11-18', town: 'Zeist' },
      ]}
      rowKey={(row) => row.id}
      columns={[
        { id: 'town', title: say('Plaats', 'Town'), head: true, card: 'title', cell: (row) => row.town },
        { id: 'day', title: say('Datum', 'Date'), cell: (row) => <CivilDate day={row.day} /> },
        { id: 'state', title: say('Stand', 'State'), cell: () => <Badge tone="positive">{say('Hersteld', 'Restored')}</Badge> },
      ]}
    />
  );
}

export function PaginationExample({ say }: Example) {
  const [page, setPage] = useState(1);
  return (
    <Pagination
      page={page}
      pageSize={10}
      total={42}
      onPage={setPage}
      label={say('Bladeren door storingen', 'Pages of outages')}
    />
  );
}

export const lists: Group = {
  id: 'lists',
  title: ['Lijsten', 'Lists'],
  entries: {
    DataTable: {
      use: [
        'Voor rijen met dezelfde gegevens. Op een telefoon wordt elke rij een kaart.',
        'For rows with the same data. On a phone each row becomes a card.',
      ],
      view: DataTableExample,
    },
    Pagination: {
      use: ['Onder een lijst van meer dan één pagina.', 'Below a list of more than one page.'],
      view: PaginationExample,
    },
  },
};
