import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { beforeEach, describe, expect } from 'vitest';
import MovePage from './move-page';
import { agreement, customerApi, enter, filed, fillIn, home, show } from './testing';

beforeEach(() => sessionStorage.clear());

const only = (commodity: 'ELECTRICITY' | 'GAS') => [
  { ...home, connections: home.connections.filter((c) => c.commodity === commodity) },
];
const gas = 'There is gas at this address too: it does not move with you';
const explanation = () => screen.queryByText(/does not move with you/);

describe('energy at the new address that the agreement does not include', () => {
  row(
    '9-move-other-energy',
    'gas, with an agreement for electricity only: on the address page, the summary and the result',
    async () => {
      const api = customerApi({ 'GET /agreements': [agreement('A-1', { addresses: only('ELECTRICITY') })] });
      show(<MovePage />);
      expect(explanation()).toBeNull();
      await fillIn();
      expect(screen.getByText(gas), 'on the summary').toBeVisible();
      expect(screen.getByText(/Take out a contract for gas that starts on the day you get the keys/)).toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Back' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Back' }));
      expect(await screen.findByText(gas), 'on the address page').toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Next' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Next' }));
      api.answers['GET /moves'] = [filed({ commodities: ['ELECTRICITY'] })];
      await userEvent.click(await screen.findByRole('button', { name: 'Request this move' }));
      expect(await screen.findByText('Thank you, your move has been requested')).toBeVisible();
      expect(screen.getByText(gas), 'on the result').toBeVisible();
      expect(api.calls.find((c) => c.method === 'PUT')?.body).toMatchObject({ commodities: ['ELECTRICITY'] });
    },
  );

  row('9-move-other-energy', 'electricity, with an agreement for gas only', async () => {
    customerApi({ 'GET /agreements': [agreement('A-1', { addresses: only('GAS') })] });
    show(<MovePage />);
    await enter('9731ab', '7');
    expect(await screen.findByText('There is electricity at this address too: it does not move with you')).toBeVisible();
  });

  row('9-move-other-energy', 'another agreement of the customer for it must be moved as well', async () => {
    customerApi({
      'GET /agreements': [
        agreement('A-1', { addresses: only('ELECTRICITY') }),
        agreement('G-1', { name: 'Gas van ons', addresses: only('GAS') }),
        agreement('G-0', { name: 'Gas van toen', addresses: only('GAS'), status: 'TERMINATED' }),
      ],
    });
    show(<MovePage />);
    await userEvent.click(await screen.findByRole('radio', { name: 'Vast A-1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await enter('9731ab', '7');
    expect(await screen.findByText(/a contract of its own, Gas van ons\. Request a move for that one as well/)).toBeVisible();
    expect(screen.queryByText(/Take out a contract/)).toBeNull();
  });

  row('9-move-other-energy', 'shows nothing when everything moves, or when there is no gas', async () => {
    customerApi();
    const { unmount } = show(<MovePage />);
    await fillIn();
    expect(explanation()).toBeNull();
    unmount();
    sessionStorage.clear();
    customerApi({ 'GET /agreements': [agreement('A-1', { addresses: only('ELECTRICITY') })] });
    show(<MovePage />);
    await enter('9746te', '21');
    expect(await screen.findByText('Zonneweide 21')).toBeVisible();
    expect(explanation()).toBeNull();
  });
});
