// Shared by this remote's tests: fake customer and staff APIs, and a page around the tested component.

import { render } from '@testing-library/react';
import { FakePortal, type FakePortalProps, type FakeRequest, fakeApi } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import type { Notice, Notification, Preference } from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';

export const notification = (id: string, more: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'project',
  title: `Bericht ${id}`,
  message: `<p>Alles over <strong>${id}</strong>.</p>`,
  preview: `Alles over ${id}.`,
  projects: [],
  project_codes: [],
  publication_date_time: '2026-11-19T09:00:00+01:00',
  read: false,
  ...more,
});
export const westerwind = { projects: ['Windpark Westerwind'], project_codes: ['W-1'] };
export const zonneveld = { projects: ['Zonneveld Oost'], project_codes: ['Z-1'] };

export const notice = (id: string, more: Partial<Notice> = {}): Notice => ({
  id,
  kind: 'notice',
  title: `Mededeling ${id}`,
  message: `<p>Over ${id}.</p>`,
  labels: [],
  publication_date_time: '2026-11-19T00:00:00+01:00',
  until: null,
  pages: [],
  ...more,
});

export const preferences = (): Preference[] => [
  { kind: 'project', portal: true, mail: true, fixed: false },
  { kind: 'news', portal: true, mail: false, fixed: false },
  { kind: 'market', portal: false, mail: false, fixed: false },
  { kind: 'security', portal: true, mail: true, fixed: true },
  { kind: 'contract', portal: true, mail: true, fixed: true },
  { kind: 'payment', portal: true, mail: true, fixed: true },
];

/** A fake API of a customer with these notifications; a read one stays read. */
export function customerApi(all: Notification[], more: Record<string, unknown> = {}) {
  return fakeApi({
    'GET /sustainable/notifications': () => all,
    'GET /sustainable/notifications/unread': () => ({ count: all.filter((n) => !n.read).length }),
    'POST /sustainable/notifications/{id}/read': ({ params }: FakeRequest) => {
      const n = all.find((one) => one.id === params.id);
      if (n) n.read = true;
      return undefined;
    },
    'GET /sustainable/notifications/preferences': { kinds: preferences() },
    'GET /sustainable/notices': [],
    ...more,
  });
}

/** English texts of core's error codes, as in the shell. */
const core = {
  required: 'Fill in this field.',
  invalid: 'This is not right.',
  unavailable: 'We cannot be reached right now.',
  network: 'There is no connection.',
  unexpected: 'Something unexpected happened.',
  'core.may.impersonator': 'You are only viewing this portal, so you cannot change anything.',
};

const write = { access: 'customer', effect: 'write', impersonation: false } as const;
/** A support session during impersonation, which does not allow writes; every operation is a write. */
export const impersonated: Partial<FakePortalProps> = {
  portal: { session: { id: 'customer-1', role: 'customer', name: 'J. de Vries', impersonator: { name: 'S', until: '' } } },
  operations: new Proxy({}, { get: () => write }),
};
/** A staff session. */
export const staff: Partial<FakePortalProps> = {
  portal: { session: { id: 's', role: 'staff', name: 'Ravi Ramdin' } },
  operations: new Proxy({}, { get: () => ({ access: 'key', effect: 'write', impersonation: false }) }),
};

/** Renders in English by default. */
export function show(what: ReactElement, { portal, ...props }: Partial<FakePortalProps> = {}) {
  const locale = props.locale ?? 'en';
  return render(
    <FakePortal
      module="notifications"
      at="/notifications"
      messages={locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core }}
      overlays={[{ name: 'message-preferences' }]}
      {...props}
      locale={locale}
      portal={{ locale, ...portal }}
    >
      {what}
    </FakePortal>,
  );
}
