import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { HostContext } from '@wattle/sdk/host';
import { LinkLook, Toasts } from '@wattle/ui';
import { type ReactElement, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import type { SlotEntry } from '../compose';
import { useHostValue } from '../host';
import { SlotView } from '../slot';

/** A remote's view in sign-in, such as reactivating an account. */
export default function SignInSlot({ item, back }: { item: SlotEntry; back(): void }): ReactElement {
  const [queries] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queries}>
      <HostContext value={useHostValue()}>
        <SlotView slot="sign-in" item={item} props={{ back }} frame={({ children }) => children} />
        <div>
          <LinkLook onClick={back}>
            <FormattedMessage id="shell.back_to_sign_in" defaultMessage="Back to sign in" />
          </LinkLook>
        </div>
        <Toasts />
      </HostContext>
    </QueryClientProvider>
  );
}
