// A question about unsaved changes whose dialog could not be fetched before the connection went away.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import { draw } from './test-render';

afterEach(() => {
  vi.restoreAllMocks();
  vi.doUnmock('./dialog-panel');
  vi.resetModules();
});

row('9-offline', 'without its code the browser asks, so that the form can be left', async () => {
  vi.resetModules(); // other files have loaded it
  vi.doMock('./dialog-panel', () => {
    throw new Error('no connection');
  });
  const { useConfirmLeave } = await import('./confirm-leave');
  function Form({ onLeave }: { onLeave(): void }) {
    const { ask, dialog } = useConfirmLeave(true);
    return (
      <>
        <button type="button" onClick={() => ask(onLeave)}>
          Weg
        </button>
        {dialog}
      </>
    );
  }
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const asked = vi.spyOn(window, 'confirm').mockReturnValueOnce(false).mockReturnValueOnce(true);
  const left = vi.fn();
  draw(<Form onLeave={left} />);
  const leave = screen.getByRole('button', { name: 'Weg' });
  await userEvent.click(leave);
  expect(asked).toHaveBeenCalledWith('Wat je hier hebt gewijzigd, is nog niet opgeslagen.');
  expect(left).not.toHaveBeenCalled();
  await userEvent.click(leave);
  expect(left).toHaveBeenCalledOnce();
});
