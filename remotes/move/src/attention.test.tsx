import { screen } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import MoveAttention from './attention';
import { customerApi, filed, show } from './testing';

row('9-dashboard-attention', 'moves that are processed or lie ahead need attention, past and rejected ones do not', async () => {
  customerApi({
    'GET /moves': [
      filed({ id: 'm-4', start_date: '2026-11-22' }),
      filed({ id: 'm-3', state: 'PROCESSED', decided: '2026-11-19T11:00:00Z', start_date: '2026-11-20' }),
      filed({ id: 'm-2', state: 'PROCESSED', decided: '2026-11-01T11:00:00Z', start_date: '2026-11-19' }),
      filed({ id: 'm-1', state: 'REJECTED', decided: '2026-11-19T11:00:00Z', start_date: '2026-12-01' }),
    ],
  });
  show(<MoveAttention />, { at: '/dashboard' });
  const items = await screen.findAllByRole('listitem');
  expect(items.map((i) => i.textContent)).toEqual([
    'You move to Lindelaan 7, Groningen on 22-11-2026 We are processing your move',
    'You move to Lindelaan 7, Groningen on 20-11-2026',
  ]);
  expect(screen.getAllByRole('link').map((a) => a.getAttribute('href'))).toEqual(['/account#move.moves', '/account#move.moves']);
});
