import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, it, vi } from 'vitest';
import ConsentSection from './consent';
import ConsentSummary from './consent-summary';
import remote from './remote';
import { consent, customerApi, eans, show } from './testing';

afterEach(cleanup);

const hide = vi.fn();
const section = <ConsentSection hide={hide} />;
const facts = () => screen.getAllByRole('term').map((t) => [t.textContent, t.nextElementSibling?.textContent]);
/** A fake customer API whose consent is `given`. */
const deciding = (given: boolean) => {
  const api = customerApi({ 'GET /smartmeterreadings/historicaldata': consent(given) });
  api.answers['GET /smartmeterreadings/historicaldata'] = ({ query }: { query: Record<string, string> }) => {
    if (query.consentGiven) given = query.consentGiven === 'true';
    return consent(given, given ? {} : { revokedDateTime: '2026-11-20T10:00:00Z' });
  };
  return api;
};

describe('privacy section', () => {
  row(['2.1-account-privacy-section', '9-consent-version-hidden'], 'per smart meter: give, revoke, and the date', async () => {
    const [electricity, gas] = consent(true).connections;
    if (!electricity || !gas) throw new Error('two connections');
    customerApi({
      'GET /smartmeterreadings/historicaldata': consent(true, {
        connections: [
          electricity,
          { ...gas, consentPresent: false, consentDateTime: null, revokedDateTime: '2026-06-01T10:00:00Z' },
          { ...gas, ean_code: eans.old, supported: false, consentPresent: false, consentDateTime: null },
        ],
      }),
    });
    show(section);
    await screen.findByText('Consent given');
    expect(facts()).toEqual([
      ['Electricity', 'Consent givenon 13-03-2026'],
      ['Gas', 'No consentrevoked on 01-06-2026'],
    ]);
    expect(screen.getByRole('button', { name: 'Revoke consent for Electricity' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Give consent for Gas' })).toBeEnabled();
    expect(screen.getByText(/of the past 24 months/)).toBeVisible();
    expect(remote.slots?.account, '2.1-account-privacy-section').toMatchObject([
      { id: 'consent', title: { id: 'usage.privacy.title' } },
    ]);
    expect((await remote.slots?.account?.[0]?.view())?.default).toBe(ConsentSection);
    expect(document.body, '9-consent-version-hidden').not.toHaveTextContent(electricity.text_version ?? '');
  });

  row('9-account-sections', 'closed it says for what there is consent', async () => {
    const [electricity, gas] = consent(true).connections;
    const none = { consentPresent: false, consentDateTime: null };
    for (const [connections, says] of [
      [[electricity, gas], 'Consent given: Electricity, Gas'],
      [[electricity, { ...gas, ...none }], 'Consent given: Electricity'],
      [[{ ...electricity, ...none }], 'Smart meter: no consent given'],
    ] as const) {
      customerApi({ 'GET /smartmeterreadings/historicaldata': { ...consent(true), connections } });
      const { container } = show(<ConsentSummary />);
      await waitFor(() => expect(container).toHaveTextContent(says, { normalizeWhitespace: true }));
      expect(container.textContent).toBe(says);
      cleanup();
    }
    expect((await remote.slots?.account?.[0]?.summary())?.default).toBe(ConsentSummary);
  });

  row('4-consent-give-revoke', 'is given by a click, revoked after confirmation, for that connection', async () => {
    const api = deciding(false);
    show(section);
    await userEvent.click(await screen.findByRole('button', { name: 'Give consent for Gas' }));
    await waitFor(() => expect(screen.getAllByText('Consent given')).toHaveLength(2));
    expect(api.calls.map((c) => c.query)).toContainEqual({ consentGiven: 'true', ean: eans.gas });
    await userEvent.click(screen.getByRole('button', { name: 'Revoke consent for Electricity' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Revoke your consent?' });
    expect(api.calls.some((c) => c.query.consentGiven === 'false')).toBe(false);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(screen.getAllByText('No consent')).toHaveLength(2));
    expect(api.calls.map((c) => c.query)).toContainEqual({ consentGiven: 'false', ean: eans.electricity });
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  it('is given for all meters at once', async () => {
    const api = deciding(false);
    show(section);
    await userEvent.click(await screen.findByRole('button', { name: 'Give consent for all meters' }));
    await waitFor(() => expect(screen.getAllByText('Consent given')).toHaveLength(2));
    expect(api.calls.map((c) => c.query)).toContainEqual({ consentGiven: 'true' });
    expect(screen.queryByRole('button', { name: 'Give consent for all meters' })).toBeNull();
  });

  it('shows that a decision could not be recorded, and keeps the old one', async () => {
    const api = customerApi();
    show(section);
    await screen.findAllByText('Consent given');
    api.answers['GET /smartmeterreadings/historicaldata'] = ({ query }: { query: Record<string, string> }) =>
      query.consentGiven ? refuse(500, 'internal') : consent(true);
    await userEvent.click(screen.getByRole('button', { name: 'Revoke consent for Gas' }));
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong.');
    expect(screen.getAllByText('Consent given')).toHaveLength(2);
  });

  it('is hidden without connections, and explains why a conventional meter needs no consent', async () => {
    customerApi({ 'GET /smartmeterreadings/historicaldata': consent(false, { connections: [] }) });
    show(section);
    await waitFor(() => expect(hide).toHaveBeenCalled());
    cleanup();
    customerApi({
      'GET /smartmeterreadings/historicaldata': consent(false, {
        connections: consent(false).connections.map((c) => ({ ...c, supported: false })),
      }),
    });
    show(section);
    expect(await screen.findByText(/You have no smart meter/)).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });

  row('9-usage-intervals-basis', 'asks no consent where the contract is the legal basis', async () => {
    const api = customerApi({ 'GET /smartmeterreadings/historicaldata': consent(false) });
    const byContract = { settings: { consent_text_version: '2026-01', history_months: 24, intervals: 'contract' } };
    const closed = show(<ConsentSummary />, byContract);
    show(section, byContract);
    expect(await screen.findByText(/Your contract needs what your smart meter measures/)).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
    expect(api.calls).toHaveLength(1);
    expect(closed.container, '9-usage-intervals-basis: closed it does not say that there is none').toHaveTextContent(/^$/);
  });

  it('an impersonator can only view it', async () => {
    customerApi();
    show(section, {
      portal: {
        session: { id: 's', role: 'customer', name: 'F', impersonator: { name: 'Bram', until: '2026-11-20T11:00:00Z' } },
      },
    });
    for (const button of await screen.findAllByRole('button', { name: /Revoke consent/ }))
      expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getAllByText(/only viewing this portal/)[0]).toBeVisible();
  });
});
