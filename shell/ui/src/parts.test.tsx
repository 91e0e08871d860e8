import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { expect, test, vi } from 'vitest';
import { Button, IconButton, LinkButton } from './button';
import { DataTable } from './data-table';
import { Accordion, Disclosure } from './disclosure';
import { Facts } from './facts';
import { icons } from './icons';
import { first } from './icons-first';
import { lazily } from './lazily';
import { LinkProvider, PhoneLink, TextLink } from './link';
import { Big } from './numbers';
import { Pagination, pagesAround } from './pagination';
import { ErrorState } from './states';
import { Stepper } from './stepper';
import { Segmented, Tabs } from './tabs';
import { draw, styles } from './test-render';

const user = userEvent.setup();

test('a blocked control is focusable, explains why, and does nothing', async () => {
  const pressed = vi.fn();
  draw(
    <>
      <Button onClick={pressed} disabledReason="Kies eerst een adres.">
        In winkelmand
      </Button>
      <IconButton icon="edit" label="Wijzig telefoon" disabledReason="Je kijkt mee." onClick={pressed} />
    </>,
  );
  await user.tab();
  expect(screen.getByRole('button', { name: 'In winkelmand' })).toHaveFocus();
  expect(screen.getByRole('button', { name: 'In winkelmand' })).toHaveAccessibleDescription('Kies eerst een adres.');
  await user.keyboard('{Enter}');
  await user.tab();
  expect(screen.getByRole('button', { name: 'Wijzig telefoon. Je kijkt mee.' })).toHaveFocus();
  await user.keyboard(' ');
  expect(pressed).not.toHaveBeenCalled();
});

row('9-brand-buttons', 'every button, and every link that looks like one, has the corners of the label', () => {
  document.documentElement.style.setProperty('--w-radius-button', '7px');
  for (const variant of ['primary', 'secondary'] as const) {
    draw(
      <>
        <Button variant={variant}>knop</Button>
        <LinkButton variant={variant} href="/usage">
          koppeling
        </LinkButton>
        <IconButton icon="edit" label="teken" />
      </>,
    );
    for (const text of ['knop', 'koppeling'])
      expect(getComputedStyle(screen.getByText(text).closest('a, button') as Element).borderRadius, `${variant} ${text}`).toBe(
        '7px',
      );
    expect(getComputedStyle(screen.getByRole('button', { name: 'teken' })).borderRadius).toBe('7px');
    cleanup();
  }
  document.documentElement.style.removeProperty('--w-radius-button');
});

test('links in the portal use the router, others do not', () => {
  draw(
    <LinkProvider
      value={(props) => (
        <a data-routed {...props}>
          {props.children}
        </a>
      )}
    >
      <TextLink href="/invoices">Facturen</TextLink>
      <TextLink href="/api/v0/files/1">Bestand</TextLink>
      <TextLink href="/terms" external>
        Voorwaarden
      </TextLink>
    </LinkProvider>,
  );
  expect(screen.getByRole('link', { name: 'Facturen' })).toHaveAttribute('data-routed');
  expect(screen.getByRole('link', { name: 'Bestand' })).not.toHaveAttribute('data-routed');
  const outside = screen.getByRole('link', { name: 'Voorwaarden (opent in een nieuw tabblad)' });
  expect(outside).not.toHaveAttribute('data-routed');
  expect(outside).toHaveAttribute('rel', 'noopener noreferrer');
});

test('a phone number is shown as it is dialed here, on one line, and calls the number', () => {
  draw(
    <>
      <PhoneLink number="+31501234567" />
      <PhoneLink number="050 123 45 68" />
    </>,
  );
  const [stored, written] = screen.getAllByRole('link');
  expect([stored?.textContent, stored?.getAttribute('href')]).toEqual(['0501234567', 'tel:+31501234567']);
  expect([written?.textContent, written?.getAttribute('href')]).toEqual(['050 123 45 68', 'tel:0501234568']);
  expect(getComputedStyle(written as Element).whiteSpace).toBe('nowrap');
});

test('tabs move with the arrow keys and wrap around', async () => {
  draw(
    <Tabs
      label="Soort"
      tabs={[
        { id: 'use', title: 'Verbruik', content: '312 kWh' },
        { id: 'feed', title: 'Teruglevering', content: '46 kWh' },
      ]}
    />,
  );
  await user.tab();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'Teruglevering' })).toHaveFocus();
  expect(screen.getByRole('tabpanel', { name: 'Teruglevering' })).toHaveTextContent('46 kWh');
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'Verbruik' })).toHaveAttribute('aria-selected', 'true');
});

test('a segmented control is a group of radio buttons', async () => {
  const changed = vi.fn();
  draw(
    <Segmented
      label="Periode"
      value="day"
      onChange={changed}
      options={[
        { value: 'day', text: 'Dag' },
        { value: 'year', text: 'Jaar' },
      ]}
    />,
  );
  await user.click(within(screen.getByRole('radiogroup', { name: 'Periode' })).getByRole('radio', { name: 'Jaar' }));
  expect(changed).toHaveBeenCalledExactlyOnceWith('year');
});

test('in a single accordion opening one closes the others, and all can be closed', async () => {
  draw(
    <Accordion single>
      <Disclosure title="Een" defaultOpen>
        eerste
      </Disclosure>
      <Disclosure title="Twee">tweede</Disclosure>
    </Accordion>,
  );
  const head = (name: string) => screen.getByRole('button', { name });
  expect(screen.getByText('eerste')).toBeVisible();
  await user.click(head('Twee'));
  expect(screen.getByText('eerste')).not.toBeVisible();
  expect(head('Twee')).toHaveAttribute('aria-expanded', 'true');
  await user.click(head('Twee'));
  expect(head('Een')).toHaveAttribute('aria-expanded', 'false');
  expect(head('Twee')).toHaveAttribute('aria-expanded', 'false');
});

test('a pending change is shown next to the current value', () => {
  draw(<Facts items={[{ label: 'E-mailadres', value: 'oud@voorbeeld.nl', pending: 'nieuw@voorbeeld.nl' }]} />);
  expect(screen.getByText('oud@voorbeeld.nl')).toBeVisible();
  expect(screen.getByText('wordt gewijzigd in nieuw@voorbeeld.nl')).toBeVisible();
});

test('an error offers a retry', async () => {
  const again = vi.fn();
  draw(<ErrorState onRetry={again} />);
  expect(screen.getByRole('alert')).toHaveTextContent('Er is niets verloren.');
  await user.click(screen.getByRole('button', { name: 'Probeer opnieuw' }));
  expect(again).toHaveBeenCalledOnce();
});

row('9-offline', 'without a connection an error says so, and retries by itself when there is one', async () => {
  const again = vi.fn();
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const goes = (to: boolean) => {
    online.mockReturnValue(to);
    act(() => void dispatchEvent(new Event(to ? 'online' : 'offline')));
  };
  draw(
    <ErrorState title="Je verbruik kon niet worden geladen" onRetry={again}>
      De rest werkt
    </ErrorState>,
  );
  const said = screen.getByRole('alert');
  expect(said.textContent, '9-offline').toBe(
    'Je hebt geen verbindingEr is niets verloren. Dit laadt vanzelf zodra je weer verbinding hebt.Probeer opnieuw',
  );
  expect(again).not.toHaveBeenCalled();
  goes(true);
  await waitFor(() => expect(again, '9-offline').toHaveBeenCalledOnce(), { timeout: 3000 });
  expect(said).toHaveTextContent('Je verbruik kon niet worden geladen');
  goes(false);
  expect(said).toHaveTextContent('Je hebt geen verbinding');
  expect(again).toHaveBeenCalledOnce();
  online.mockRestore();
});

row(
  '9-offline',
  'what cannot be fetched without a connection leaves the page as it is, and comes when there is one',
  async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const load = vi.fn(() =>
      navigator.onLine ? Promise.resolve({ default: () => <p>Venster</p> }) : Promise.reject(new Error('no connection')),
    );
    const awaits = vi.spyOn(globalThis, 'addEventListener');
    const Part = lazily(load);
    draw(
      <>
        <p>Pagina</p>
        <Part />
      </>,
    );
    await waitFor(() => expect(awaits).toHaveBeenCalledWith('online', expect.anything(), { once: true }));
    expect(screen.getByText('Pagina'), '9-offline').toBeVisible();
    online.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    expect(await screen.findByText('Venster'), '9-offline').toBeVisible();
    expect(screen.getByText('Pagina')).toBeVisible();
    online.mockRestore();
  },
);

test('pages are announced and can be opened; at most seven are shown', () => {
  const go = vi.fn();
  draw(<Pagination page={2} pageSize={10} total={37} onPage={go} />);
  expect(screen.getByText('11–20 van 37')).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Volgende pagina' }));
  fireEvent.click(screen.getByRole('button', { name: 'Pagina 4' }));
  fireEvent.click(screen.getByRole('button', { name: 'Pagina 2' }));
  expect(go.mock.calls).toEqual([[3], [4]]);
  expect(pagesAround(1, 14)).toEqual([1, 2, 3, 4, 5, null, 14]);
  expect(pagesAround(7, 14)).toEqual([1, null, 6, 7, 8, null, 14]);
  expect(pagesAround(14, 14)).toEqual([1, null, 10, 11, 12, 13, 14]);
  for (let page = 1; page <= 30; page++) expect(pagesAround(page, 30)).toHaveLength(7);
});

test('a table stays a table, and keeps its name while empty or loading', () => {
  const columns = [
    { id: 'kind', title: 'Soort', cell: (one: { kind: string }) => one.kind },
    { id: 'get', title: 'Download', quiet: true, cell: () => <IconButton icon="download" label="Download" /> },
  ];
  const { rerender } = draw(
    <DataTable label="Facturen" columns={columns} rows={[{ kind: 'Termijn' }]} rowKey={(one) => one.kind} />,
  );
  expect(screen.getByRole('table', { name: 'Facturen' })).toBeVisible();
  expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual(['Soort', 'Download']);
  rerender(<DataTable label="Facturen" columns={columns} rows={[]} rowKey={(one) => one.kind} empty="Nog geen facturen" />);
  expect(screen.getByText('Nog geen facturen')).toBeVisible();
  rerender(
    <DataTable label="Facturen" columns={columns} rows={[]} rowKey={(one) => one.kind} loading empty="Nog geen facturen" />,
  );
  expect(screen.getByRole('status')).toHaveTextContent('Facturen');
});

test('a stepper marks the current step and links to steps that may be opened', async () => {
  const back = vi.fn();
  draw(<Stepper current={1} steps={[{ title: 'Oud adres', onSelect: back }, { title: 'Nieuw adres' }, { title: 'Datum' }]} />);
  await user.click(screen.getByRole('button', { name: /Oud adres/ }));
  expect(back).toHaveBeenCalledOnce();
  expect(screen.getAllByRole('listitem')[1]).toHaveAttribute('aria-current', 'step');
  expect(screen.getByText(/Stap 2 van 3/)).toHaveTextContent('Stap 2 van 3: Nieuw adres');
});

test('there are at most 60 icons', () => {
  expect(Object.keys(first).length + Object.keys(icons).length).toBeLessThanOrEqual(60);
  expect(Object.keys(first).filter((name) => name in icons)).toEqual([]);
});

row('9-brand-link-color', 'links, quiet buttons and large numbers have the color', () => {
  const { container } = draw(
    <>
      <Button variant="quiet">Meer</Button>
      <TextLink href="/x">Bekijk</TextLink>
      <Big>12</Big>
    </>,
  );
  for (const name of ['button', 'a', 'p'])
    expect(styles(container.querySelector(name), 'color'), name).toContainEqual(['', 'var(--w-primary-ink)']);
});
