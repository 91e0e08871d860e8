import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { afterEach, expect, test } from 'vitest';
import AccountPage from './account-page';
import type { AccessEntry } from './api';
import { customerApi, opened, show } from './testing';

afterEach(cleanup);

const section = () => opened(/Who viewed your details|Wie heeft je gegevens bekeken/);
const looks: AccessEntry[] = [
  { at: '2026-11-20T09:00:00Z', who: 'staff', name: 'Sanne Wiersma', what: 'impersonation.used', until: '2026-11-20T09:30:00Z' },
  { at: '2026-11-19T09:00:00Z', who: 'key', name: 'erp', what: 'change.processed', kind: 'billing.iban' },
  { at: '2026-11-18T09:00:00Z', who: 'auto', what: 'change.rejected', kind: 'account.phone' },
  { at: '2026-11-17T09:00:00Z', who: 'staff', what: 'marketplace.seen' },
];

test('shows who viewed or changed the data and when, in both languages', async () => {
  customerApi({ 'GET /account/access-log': { items: looks } });
  show(<AccountPage />);
  expect((await within(await section()).findAllByRole('listitem')).map((i) => i.textContent.trim())).toEqual([
    'Looked along with your portalCustomer service, Sanne Wiersma20-11-2026, 10:00 to 10:30 at most',
    'Carried out: account numberThe back office, erp19-11-2026, 10:00',
    'Rejected: phone numberBy itself18-11-2026, 10:00',
    'Did something for youCustomer service17-11-2026, 10:00',
  ]);
  cleanup();
  show(<AccountPage />, { locale: 'nl' });
  expect((await within(await section()).findAllByRole('listitem'))[0]).toHaveTextContent(
    'Meegekeken in je portaalKlantenservice, Sanne Wiersma20-11-2026, 10:00 tot uiterlijk 10:30',
  );
});

test('has pages; an empty log shows a text', async () => {
  const api = customerApi({
    'GET /account/access-log': ({ query }: { query: Record<string, string> }) =>
      query.after ? { items: looks.slice(1, 2) } : { items: looks.slice(0, 1), next: '7' },
  });
  show(<AccountPage />);
  await userEvent.click(await within(await section()).findByRole('button', { name: 'Older' }));
  expect(await screen.findByText('Carried out: account number')).toBeVisible();
  expect(api.calls.at(-1)?.query).toMatchObject({ after: '7', limit: '5' });
  await userEvent.click(within(await section()).getByRole('button', { name: 'Newer' }));
  expect(await screen.findByText('Looked along with your portal')).toBeVisible();
  cleanup();
  customerApi();
  show(<AccountPage />);
  expect(await within(await section()).findByText('Nobody has looked at your details yet.')).toBeVisible();
});

test('a log that cannot be loaded leaves the page usable and offers a retry', async () => {
  const api = customerApi({ 'GET /account/access-log': refuse(503, 'unavailable') });
  show(<AccountPage />);
  const again = await within(await section()).findByRole('button', { name: 'Try again' });
  expect(screen.getByRole('region', { name: 'Contact details' })).toBeVisible();
  api.answers['GET /account/access-log'] = { items: looks };
  await userEvent.click(again);
  expect(await screen.findByText('Looked along with your portal')).toBeVisible();
});
