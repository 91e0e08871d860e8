import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { createIntl, type IntlConfig } from 'react-intl';
import { afterEach, describe, expect } from 'vitest';
import ContactPage from './contact-page';
import { formatDays } from './hours';
import { openingStateOf } from './hours.rules';
import en from './messages/en.json';
import nl from './messages/nl.json';
import ServiceTile from './service-tile';
import { customerApi, show } from './testing';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('contact page', () => {
  row('2.1-contact-info', 'shows e-mail, phone and opening hours of the label', async () => {
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

  row('2.1-contact-form-subjects', 'offers six subjects', async () => {
    customerApi();
    show(<ContactPage />);
    const choices = within(await screen.findByLabelText('Subject')).getAllByRole<HTMLOptionElement>('option');
    expect(choices.map((o) => [o.value, o.textContent])).toEqual([
      ['', 'Choose a subject'],
      ['payments', 'Payments'],
      ['products', 'Products'],
      ['usage', 'Usage'],
      ['relocation', 'Moving home'],
      ['suggestion', 'Suggestion or complaint'],
      ['other', 'Something else'],
    ]);
  });

  row(
    ['2.1-contact-form-fields', '8-msg-required', '9-unavailable-kept'],
    'both fields are required, the input stays, and a notice shows the result',
    async () => {
      let answer: unknown = refuse(503, 'unavailable');
      const api = customerApi({ 'POST /relations/contact': () => answer });
      show(<ContactPage />);
      const send = await screen.findByRole('button', { name: 'Send' });
      await userEvent.click(send);
      expect(screen.getByLabelText('Subject')).toHaveAccessibleDescription(/Choose a subject/);
      expect(screen.getByLabelText('Your message')).toHaveAccessibleDescription(/Write your message/);
      expect(api.calls.filter((c) => c.method === 'POST')).toEqual([]);

      await userEvent.selectOptions(screen.getByLabelText('Subject'), 'suggestion');
      await userEvent.type(screen.getByLabelText('Your message'), 'De molen piept.');
      await userEvent.click(send);
      expect(await screen.findByText('Your message has not been sent')).toBeVisible();
      expect(screen.queryByText('Your message has been sent')).toBeNull();
      expect(screen.getByRole('alert'), '9-unavailable-kept').toHaveTextContent('We cannot be reached right now');
      expect(screen.getByLabelText('Your message'), '9-unavailable-kept').toHaveValue('De molen piept.');
      expect(screen.getByLabelText('Subject'), '9-unavailable-kept').toHaveValue('suggestion');

      answer = undefined;
      await userEvent.click(send);
      expect(await screen.findByText('Your message has been sent')).toBeVisible();
      expect(screen.queryByText('Your message has not been sent')).toBeNull();
      expect(api.calls.at(-1)?.body).toEqual({ subject: 'suggestion', message: 'De molen piept.' });
      await waitFor(() => expect(screen.getByLabelText('Your message')).toHaveValue(''));
      expect(sessionStorage).toHaveLength(0);
    },
  );

  row('2.1-contact-form-fields', 'an unfinished message is kept when the page is left', async () => {
    customerApi();
    const { unmount } = show(<ContactPage />);
    await userEvent.type(await screen.findByLabelText('Your message'), 'Klopt mijn');
    unmount();
    show(<ContactPage />);
    expect(await screen.findByLabelText('Your message')).toHaveValue('Klopt mijn');
  });
});

row(
  ['2.1-dashboard-service-tile', '9-service-reopens'],
  'shows phone, today’s hours and whether it is open now, by the server’s clock',
  async () => {
    customerApi();
    for (const [now, today, open] of [
      ['2026-11-20T10:00:00Z', 'Today 08:30 to 17:00', 'Open'], // a Friday, 11:00 in Amsterdam
      ['2026-11-20T07:29:59Z', 'Opens today at 08:30', 'Closed'],
      ['2026-11-20T07:30:00Z', 'Today 08:30 to 17:00', 'Open'],
      ['2026-11-20T16:00:00Z', 'Opens on Monday at 08:30', 'Closed'],
      ['2026-11-21T10:00:00Z', 'Opens on Monday at 08:30', 'Closed today'],
      ['2026-11-22T10:00:00Z', 'Opens tomorrow at 08:30', 'Closed today'],
    ] as const) {
      const { unmount } = show(<ServiceTile />, { now });
      expect(await screen.findByText(today), now).toBeVisible();
      expect(screen.getByText(open), now).toBeVisible();
      expect(screen.getByRole('link', { name: '050 123 45 67' })).toBeVisible();
      unmount();
    }
  },
);

row('9-service-reopens', 'the contact page shows it too, in the current language; nothing without hours by weekday', async () => {
  const label = { key: '9999', name: 'N', email: 'n@n.example', phone: '0501234567' };
  const lunch = [
    { text: 'Ma', from: '09:00', to: '12:00', days: [1] },
    { text: 'Ma', from: '13:00', to: '17:00', days: [1] },
    { text: 'Rest', from: '', to: '', days: [2, 3, 4, 5, 6, 7] },
  ];
  for (const [now, said] of [
    ['2026-11-16T11:30:00Z', 'Opent vandaag om 13:00'], // a Monday, 12:30 in Amsterdam
    ['2026-11-16T16:00:00Z', 'Opent volgende week maandag om 09:00'],
    ['2026-11-17T09:00:00Z', 'Opent op maandag om 09:00'],
    ['2026-11-22T22:59:00Z', 'Opent morgen om 09:00'],
  ] as const) {
    const { unmount } = show(<ContactPage />, { now, locale: 'nl', portal: { label: { ...label, hours: lunch } } });
    expect(await screen.findByText(said), now).toBeVisible();
    unmount();
  }
  for (const hours of [[{ text: 'Feestdagen', from: '', to: '' }], [{ text: 'Nooit', from: '', to: '', days: [1, 2] }], []]) {
    const { unmount } = show(<ContactPage />, { locale: 'nl', portal: { label: { ...label, hours } } });
    expect(screen.queryByText(/Opent/)).toBeNull();
    unmount();
  }
});

row('9-service-reopens', 'the next opening is the first one in the future, whatever the hours', () => {
  const clock = (h: number) => `${String(h).padStart(2, '0')}:00`;
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  for (let i = 0; i < 500; i++) {
    const hours = Array.from({ length: 1 + random(3) }, () => {
      const from = random(20);
      return { text: 'x', from: clock(from), to: clock(from + 1 + random(3)), days: [1 + random(7), 1 + random(7)] };
    });
    const now = { weekday: 1 + random(7), time: clock(random(24)) };
    const reach = openingStateOf(hours, now);
    // every hour for eight days
    const open = (hour: number) => {
      const day = ((now.weekday - 1 + Math.floor(hour / 24)) % 7) + 1;
      return hours.some((h) => h.days.includes(day) && h.from <= clock(hour % 24) && clock(hour % 24) < h.to);
    };
    const start = Number(now.time.slice(0, 2));
    const first = Array.from({ length: 24 * 9 }, (_, n) => start + n).find(open);
    expect(reach?.open, JSON.stringify({ hours, now })).toBe(first === start);
    if (first !== undefined && first > start)
      expect([reach?.next?.days, reach?.next?.time], JSON.stringify({ hours, now })).toEqual([
        Math.floor(first / 24),
        clock(first % 24),
      ]);
  }
});

row('2.1-contact-info', 'days are in the current language; without weekdays the label’s own text is shown', () => {
  const intl = (locale: 'nl' | 'en') =>
    createIntl({ locale, messages: locale === 'nl' ? nl : en, onError: () => undefined } as IntlConfig);
  for (const [days, dutch, english] of [
    [[1, 2, 3, 4], 'Maandag tot en met donderdag', 'Monday to Thursday'],
    [[5], 'Vrijdag', 'Friday'],
    [[6, 7], 'Zaterdag en zondag', 'Saturday and Sunday'],
    [[5, 1, 2, 3], 'Maandag tot en met woensdag en vrijdag', 'Monday to Wednesday and Friday'],
  ] as const) {
    expect(formatDays(intl('nl'), days)).toBe(dutch);
    expect(formatDays(intl('en'), days)).toBe(english);
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
