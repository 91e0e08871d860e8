import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import { Relation } from './relation';
import { customer, drawInShell, setWidth } from './test-shell';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const operations = { 'account.getRelation': { access: 'customer', effect: 'read', impersonation: true } } as const;

row('8-relation-load-failed', 'not synced has a text of its own; a failure has a retry; staff have no relation', async () => {
  setWidth(1280);
  const asked: string[] = [];
  let status = 404;
  const show = (role: 'customer' | 'staff') =>
    drawInShell(<Relation>{(unavailable) => unavailable ?? <p>menu and content</p>}</Relation>, {
      session: { ...customer, role },
      portal: { operations } as never,
      answer: (path) => {
        asked.push(path);
        return [status, status === 200 ? {} : { status, code: 'internal', title: 'x' }];
      },
    });
  const titles = { 404: 'We are still getting your details ready', 500: 'We cannot get your details right now' };
  for (const [answered, title, retries] of [
    [404, titles[404], 0],
    [500, titles[500], 1],
    [503, titles[500], 1],
  ] as const) {
    status = answered;
    show('customer');
    expect(await screen.findByText(title), `${answered}`).toBeVisible();
    expect(document.querySelector('h1')).toHaveTextContent('Your details are not available');
    expect(screen.queryByText('menu and content'), `${answered}`).toBeNull();
    expect(screen.queryAllByText('Try again'), `${answered}`).toHaveLength(retries);
    if (answered !== 503) cleanup();
  }
  status = 200;
  fireEvent.click(screen.getByText('Try again'));
  expect(await screen.findByText('menu and content')).toBeVisible();
  await waitFor(() => expect(asked).toHaveLength(4));
  cleanup();
  status = 500;
  show('staff');
  expect(screen.getByText('menu and content'), 'staff').toBeVisible();
  await new Promise((done) => void setImmediate(done));
  expect(asked, 'staff ask for none').toHaveLength(4);
});
