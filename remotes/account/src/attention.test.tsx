import { cleanup, screen, waitFor } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import AccountAttention from './attention';
import { customerApi, show } from './testing';

afterEach(cleanup);

row('9-dashboard-attention', 'pending changes of e-mail address and phone number need attention, others do not', async () => {
  customerApi({
    'GET /relations/email': { change_email: 'nieuw@voorbeeld.example' },
    'GET /relations/phonenumber': { phone_number: '0687654321' },
  });
  show(<AccountAttention />);
  expect(await screen.findByRole('link', { name: /email address is being changed to nieuw@/ })).toHaveAttribute(
    'href',
    '/account#account.contact-info',
  );
  expect(await screen.findByRole('link', { name: /phone number is being changed to 06/ })).toHaveAttribute(
    'href',
    '/account#account.contact-info',
  );
  cleanup();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const api = customerApi();
    show(<AccountAttention />);
    await waitFor(() => expect(api.calls.length).toBeGreaterThanOrEqual(2));
    await vi.advanceTimersByTimeAsync(50); // the responses have been handled
    expect(screen.queryAllByRole('listitem')).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
