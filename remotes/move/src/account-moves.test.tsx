import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { expect, test, vi } from 'vitest';
import AccountMoves from './account-moves';
import AccountMovesSummary from './account-moves-summary';
import StopDateNotification from './stop-date-notification';
import { customerApi, filed, show } from './testing';

const moves = (list: unknown) => customerApi({ 'GET /moves': list });

test('a move that is being processed is shown', async () => {
  moves([filed({ stop_date: '2026-12-05' })]);
  show(<AccountMoves hide={() => undefined} />, { at: '/account', locale: 'nl' });
  expect(await screen.findByText('Naar Lindelaan 7, Groningen')).toBeVisible();
  expect(screen.getByText('wordt verwerkt')).toBeVisible();
  expect(screen.getByText('op 20-11-2026')).toBeVisible();
  expect(screen.getByText('vanaf 22-11-2026')).toBeVisible();
  expect(screen.getByText('Levering op Molenweg 18 stopt')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Zet in agenda' })).toBeVisible();
});

test('a processed move is shown until its day, a rejected one with the reason', async () => {
  moves([
    filed({ id: 'm-3', state: 'PROCESSED', decided: '2026-11-20T11:00:00Z' }),
    filed({ id: 'm-2', state: 'REJECTED', decided: '2026-11-19T11:00:00Z', reason: 'De aansluiting is afgesloten.' }),
    filed({ id: 'm-1', state: 'PROCESSED', decided: '2025-01-02T11:00:00Z', start_date: '2025-02-01' }),
    filed({ id: 'm-0', state: 'REJECTED', decided: '2025-01-02T11:00:00Z', reason: 'Lang geleden.' }),
  ]);
  show(<AccountMoves hide={() => undefined} />, { at: '/account' });
  expect(await screen.findByText('processed')).toBeVisible();
  expect(screen.getByText('Your move to Lindelaan 7, Groningen is not possible')).toBeVisible();
  expect(screen.getByText('De aansluiting is afgesloten.')).toBeVisible();
  expect(screen.queryByText('Lang geleden.')).toBeNull();
  expect(screen.getAllByRole('button', { name: 'Add to calendar' })).toHaveLength(1);
});

row('9-account-sections', 'closed the section says the next move', async () => {
  moves([filed({ id: 'm-2', start_date: '2027-02-01' }), filed({ id: 'm-1' })]);
  const { container } = show(<AccountMovesSummary />, { at: '/account' });
  await waitFor(() => expect(container).toHaveTextContent('22-11-2026 · Lindelaan 7, Groningen'));
});

test('there is no section without moves', async () => {
  moves([]);
  const hide = vi.fn();
  show(<AccountMoves hide={hide} />, { at: '/account' });
  await waitFor(() => expect(hide).toHaveBeenCalled());
});

test('a failed calendar file shows an error under its button', async () => {
  const api = moves([filed()]);
  show(<AccountMoves hide={() => undefined} />, { at: '/account' });
  api.answers['GET /moves/{id}/calendar'] = refuse(503, 'unavailable');
  await userEvent.click(await screen.findByRole('button', { name: 'Add to calendar' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('We cannot be reached right now.');
});

row('2.3-stop-date-content', 'explains the end date, and what happens without one', () => {
  show(<StopDateNotification params={{}} close={() => undefined} setDirty={() => undefined} />, { at: '/move' });
  expect(screen.getByText(/Delivery there ends on that day/)).toBeVisible();
  expect(screen.getByText(/settle your old address with the start date/)).toBeVisible();
});
