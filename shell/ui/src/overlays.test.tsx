import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { Button } from './button';
import { TextLink } from './link';
import { Menu } from './menu';
import { loadOverlays, Sheet } from './sheet';
import { SheetFooter, useSheetClose } from './sheet-footer';
import { draw } from './test-render';
import { Tip } from './tip';
import { Tooltip } from './tooltip';

const user = userEvent.setup();
beforeAll(() => loadOverlays(), 30_000);

function Cancel() {
  return <Button onClick={useSheetClose()}>Annuleren</Button>;
}

function Page({ dirty, onClose = () => {} }: { dirty?: boolean; onClose?(): void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Wijzigen</Button>
      <Sheet
        title="E-mailadres wijzigen"
        isOpen={open}
        dirty={dirty}
        onClose={() => {
          setOpen(false);
          onClose();
        }}
      >
        <input aria-label="E-mailadres" />
        <SheetFooter>
          <Button variant="primary">Opslaan</Button>
          <Cancel />
        </SheetFooter>
      </Sheet>
    </>
  );
}
const open = async () => {
  await user.click(screen.getByRole('button', { name: 'Wijzigen' }));
  return screen.findByRole('dialog', { name: 'E-mailadres wijzigen' });
};

test('a sheet closes with Escape, the close button and Cancel, and focus returns to its trigger', async () => {
  draw(<Page />);
  for (const close of [
    () => user.keyboard('{Escape}'),
    () => user.click(screen.getByRole('button', { name: 'Sluiten' })),
    () => user.click(screen.getByRole('button', { name: 'Annuleren' })),
  ]) {
    const sheet = await open();
    await waitFor(() => expect(sheet).toContainElement(document.activeElement as HTMLElement));
    await close();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Wijzigen' })).toHaveFocus());
  }
});

test('a sheet with changes asks for confirmation before it closes', async () => {
  const closed = vi.fn();
  draw(<Page dirty onClose={closed} />);
  await open();
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog', { name: 'Weggaan zonder op te slaan?' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Verder bewerken' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(closed).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Annuleren' }));
  await user.click(await screen.findByRole('button', { name: 'Niet opslaan' }));
  expect(closed).toHaveBeenCalledOnce();
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
});

test('Save is before Cancel', async () => {
  draw(<Page />);
  await open();
  const [save, cancel] = [screen.getByRole('button', { name: 'Opslaan' }), screen.getByRole('button', { name: 'Annuleren' })];
  expect(save.compareDocumentPosition(cancel) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test('a tip opens on hover, focus and tap, and stays 100 ms after both have left', () => {
  vi.useFakeTimers();
  draw(
    <Tooltip text="Staat op je factuur">
      <button type="button">Wat is dit?</button>
    </Tooltip>,
  );
  const trigger = screen.getByRole('button');
  const tip = () => screen.queryByText('Staat op je factuur');
  const wait = (time: number) => act(() => void vi.advanceTimersByTime(time));
  fireEvent.pointerEnter(trigger.parentElement as HTMLElement, { pointerType: 'mouse' });
  expect(tip()).not.toBeNull();
  expect(trigger).toHaveAccessibleDescription('Staat op je factuur');
  act(() => trigger.focus());
  fireEvent.pointerLeave(trigger.parentElement as HTMLElement, { pointerType: 'mouse' });
  wait(1000);
  expect(tip()).not.toBeNull(); // the trigger still has focus
  act(() => trigger.blur());
  wait(99);
  expect(tip()).not.toBeNull();
  wait(1);
  expect(tip()).toBeNull();
  fireEvent.click(trigger);
  expect(tip()).not.toBeNull();
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(tip()).toBeNull();
  vi.useRealTimers();
});

test('a tip with a link: hover, focus and tap open it, the link is focusable, it stays 100 ms after both have left', async () => {
  vi.useFakeTimers();
  draw(
    <>
      <Tip label="Over deze cijfers">
        <TextLink href="/invoices">Bekijk je facturen</TextLink>
      </Tip>
      <button type="button">Verder</button>
    </>,
  );
  const trigger = screen.getByRole('button', { name: 'Over deze cijfers' });
  const wrap = trigger.parentElement as HTMLElement;
  const link = () => screen.queryByRole('link', { name: 'Bekijk je facturen', hidden: true });
  const wait = (time: number) => act(() => void vi.advanceTimersByTime(time));
  expect(trigger).toHaveAttribute('aria-expanded', 'false');

  fireEvent.pointerEnter(wrap, { pointerType: 'mouse' });
  expect(link()).not.toBeNull();
  expect(trigger).toHaveAttribute('aria-controls', link()?.parentElement?.id);
  fireEvent.pointerLeave(wrap, { pointerType: 'mouse' });
  wait(60);
  fireEvent.pointerEnter(wrap, { pointerType: 'mouse' }); // the pointer moves from the trigger to the tooltip
  wait(1000);
  expect(link()).not.toBeNull();
  fireEvent.pointerLeave(wrap, { pointerType: 'mouse' });
  wait(99);
  expect(link()).not.toBeNull();
  wait(1);
  expect(link()).toBeNull();

  act(() => trigger.focus());
  link()?.closest('[popover]')?.setAttribute('style', 'display: block'); // jsdom does not show popovers
  act(() => link()?.focus()); // what Tab would do
  wait(1000);
  expect(link()).toHaveFocus();
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(link()).toBeNull();
  expect(trigger).toHaveFocus();

  fireEvent.click(trigger);
  expect(link()).not.toBeNull();
  fireEvent.pointerDown(screen.getByText('Verder'));
  expect(link()).toBeNull();
  vi.useRealTimers();
});

test('a menu opens with the keyboard, runs an action, and returns focus', async () => {
  const chosen = vi.fn();
  draw(
    <Menu
      label="Meer acties"
      items={[
        { id: 'edit', text: 'Wijzigen', onSelect: chosen },
        { id: 'get', text: 'Downloaden', disabledReason: 'De factuur wordt nog gemaakt.' },
      ]}
    />,
  );
  const trigger = screen.getByRole('button', { name: 'Meer acties' });
  act(() => trigger.focus());
  await user.keyboard('{Enter}');
  await screen.findByRole('menu', {}, { timeout: 8000 });
  expect(screen.getByRole('menuitem', { name: 'Downloaden De factuur wordt nog gemaakt.' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await user.keyboard('{Enter}');
  expect(chosen).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(() => expect(trigger).toHaveFocus());
});
