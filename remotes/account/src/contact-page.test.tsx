import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { createIntl, type IntlConfig } from 'react-intl';
import { afterEach, describe, expect } from 'vitest';
import { row } from '../../../tools/row';
import ContactPage from './contact-page';
import { wordDays } from './hours';
import en from './messages/en.json';
import nl from './messages/nl.json';
import ServiceTile from './service-tile';
import { customerApi, show } from './testing';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('contact page', () => {
  row('2.1-contact-info', 'e-mail, phone and opening hours of the label', async () => {
    customerApi();
    show(<ContactPage />);
    const service = await screen.findByRole('region', { name: 'Customer service' });
    expect(within(service).getByRole('link', { name: '050 123 45 67' })).toHaveAttribute('href', 'tel:0501234567');
    expect(within(service).getByRole('link', { name: /klantenservice@noorderwind\.example/ })).toHaveAttribute(
      'href',
      'mailto:klantenservice@noorderwind.example',
    );
    expect(within(service).getByRole('listitem')).toHaveTextContent('Monday to Friday08:30 to 17:00');
  });

  row('2.1-contact-form-subjects', 'six subjects', async () => {
    customerApi();
    show(<ContactPage />);
    const choices = within(await screen.findByLabelText('Subject')).getAllByRole('option');
    expect(choices.slice(1).map((o) => o.textContent)).toEqual([
      'Payments',
      'Products',
      'Usage',
      'Moving home',
      'Suggestion or complaint',
      'Something else',
    ]);
  });

  row(
    ['2.1-contact-form-fields', '8-msg-required'],
    'both fields are required; what was typed stays; a notice tells the outcome',
    async () => {
      let answer: unknown = refuse(503, 'unavailable');
      const api = customerApi({ 'POST /relations/contact': () => answer });
      show(<ContactPage />);
      const send = await screen.findByRole('button', { name: 'Send' });
      await userEvent.click(send);
      expect(screen.getByLabelText('Subject')).toHaveAccessibleDescription(/Fill in this field/);
      expect(screen.getByLabelText('Your message')).toHaveAccessibleDescription(/Fill in this field/);
      expect(api.calls.filter((c) => c.method === 'POST')).toEqual([]);

      await userEvent.selectOptions(screen.getByLabelText('Subject'), 'suggestion');
      await userEvent.type(screen.getByLabelText('Your message'), 'De molen piept.');
      await userEvent.click(send);
      expect(await screen.findByText('Your message has not been sent')).toBeVisible();
      expect(screen.getByLabelText('Your message')).toHaveValue('De molen piept.');

      answer = undefined;
      await userEvent.click(send);
      expect(await screen.findByText('Your message has been sent')).toBeVisible();
      expect(api.calls.at(-1)?.body).toEqual({ subject: 'suggestion', message: 'De molen piept.' });
      await waitFor(() => expect(screen.getByLabelText('Your message')).toHaveValue(''));
      expect(sessionStorage).toHaveLength(0);
    },
  );

  row('2.1-contact-form-fields', 'half a message is there again after leaving the page', async () => {
    customerApi();
    const { unmount } = show(<ContactPage />);
    await userEvent.type(await screen.findByLabelText('Your message'), 'Klopt mijn');
    unmount();
    show(<ContactPage />);
    expect(await screen.findByLabelText('Your message')).toHaveValue('Klopt mijn');
  });
});

row('2.1-dashboard-service-tile', 'phone, the hours of today and whether it is open now, by the server’s clock', async () => {
  customerApi();
  for (const [now, today, open] of [
    ['2026-11-20T10:00:00Z', 'Today 08:30 to 17:00', 'Open'], // a Friday, 11:00 in Amsterdam
    ['2026-11-20T07:29:59Z', 'Today 08:30 to 17:00', 'Closed'],
    ['2026-11-20T07:30:00Z', 'Today 08:30 to 17:00', 'Open'],
    ['2026-11-20T16:00:00Z', 'Today 08:30 to 17:00', 'Closed'],
    ['2026-11-21T10:00:00Z', 'Closed today', 'Closed today'],
  ] as const) {
    const { unmount } = show(<ServiceTile />, { now });
    expect(await screen.findByText(today), now).toBeVisible();
    expect(screen.getByText(open), now).toBeVisible();
    expect(screen.getByRole('link', { name: '050 123 45 67' })).toBeVisible();
    unmount();
  }
});

row('2.1-contact-info', 'the days in words of the language; the label’s own words where it gives no weekdays', () => {
  const intl = (locale: 'nl' | 'en') =>
    createIntl({ locale, messages: locale === 'nl' ? nl : en, onError: () => undefined } as IntlConfig);
  for (const [days, dutch, english] of [
    [[1, 2, 3, 4], 'Maandag tot en met donderdag', 'Monday to Thursday'],
    [[5], 'Vrijdag', 'Friday'],
    [[6, 7], 'Zaterdag en zondag', 'Saturday and Sunday'],
    [[5, 1, 2, 3], 'Maandag tot en met woensdag en vrijdag', 'Monday to Wednesday and Friday'],
  ] as const) {
    expect(wordDays(intl('nl'), days)).toBe(dutch);
    expect(wordDays(intl('en'), days)).toBe(english);
  }
  customerApi();
  show(<ContactPage />, {
    portal: {
      label: {
        key: '9999',
        name: 'N',
        email: 'n@n.example',
        phone: '0501234567',
        hours: [{ text: 'Feestdagen', from: '', to: '' }],
      },
    },
  });
  expect(screen.getByText('Feestdagen')).toBeVisible();
});
