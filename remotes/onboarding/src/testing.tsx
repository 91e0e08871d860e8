// Shared by this remote's tests: a fake visitor API, and a page around the tested component.

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { FakePortal, type FakePortalProps, type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import en from './messages/en.json';
import nl from './messages/nl.json';
import { solver } from './proof.rules';

export const molenweg = {
  street: 'Molenweg',
  houseNumber: '12',
  houseNumberAddition: '',
  city: 'Grootegast',
  postcode: '9861GT',
};

/** A fake API in which only Molenweg 12 exists; `more` adds or replaces responses. */
export const visitorApi = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'POST /account/request/challenge': { challenge: 'one', bits: 4, expires: '2026-11-20T11:00:00Z' },
    'POST /account/request': () => new Response(null, { status: 201 }),
    'POST /reactivate/begin': () => new Response(null, { status: 202 }),
    'POST /reactivate/finish/{token}': { reactivated: true },
    'POST /lambda/address-validation/postcode': ({ body }: FakeRequest) => {
      const asked = body as Record<string, string>;
      return asked.zipCode === '9861GT' && asked.houseNumber === '12' && asked.houseNumberExtension === ''
        ? molenweg
        : refuse(404, 'move.address_unknown');
    },
    ...more,
  });

/** English texts of core's error codes, as in the shell. */
const core = {
  required: 'Fill in this field.',
  too_many_calls: 'That went rather fast.',
  unavailable: 'We cannot be reached right now.',
  unexpected: 'Something went wrong.',
};

/** Shows the current path. */
export const CurrentPath = () => <output data-testid="where">{useLocation().pathname}</output>;

/** Renders in English by default, because the requirements quote the English texts. There is no session. */
export function show(what: ReactElement, props: Partial<FakePortalProps> = {}) {
  const messages = props.locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core };
  return render(
    <FakePortal
      module="onboarding"
      locale="en"
      at="/register"
      messages={messages}
      settings={{ registration: true, reactivation_address: false }}
      {...props}
      portal={{ session: null, ...props.portal }}
    >
      {what}
      <CurrentPath />
    </FakePortal>,
  );
}

export const field = (label: RegExp | string) => screen.findByLabelText(label);
export async function fill(label: RegExp | string, text: string): Promise<void> {
  const input = await field(label);
  await userEvent.clear(input);
  if (text) await userEvent.paste(text);
  await userEvent.tab();
}

/** A fake Worker that runs proof.worker.ts on the test's thread. */
export class FakeWorker {
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  terminate(): void {}
  postMessage({ challenge, bits }: { challenge: string; bits: number }): void {
    const solution = solver(challenge, bits)(100_000) ?? '';
    setTimeout(() => this.onmessage?.({ data: solution }));
  }
}
