import type { Path } from '@wattle/sdk';
import type { Host } from '@wattle/sdk/host';
import { showToast } from '@wattle/ui';
import { useMemo } from 'react';
import { useSession, useShell } from './context';
import { preload } from './preload';
import { Slot } from './slot';

/** Returns what the shell provides to the SDK. */
export function useHostValue(): Host {
  const { portal, composition, remotes, locale, now } = useShell();
  const session = useSession();
  return useMemo<Host>(() => {
    const { label } = portal;
    return {
      portal: {
        locale,
        kind: label.kind,
        timeZone: portal.zone,
        demo: portal.demo,
        landing: label.landing as Path,
        projects: portal.projects ?? {},
        label: {
          key: label.key,
          name: label.name,
          email: label.email,
          phone: label.phone,
          hours: label.hours,
          ...(label.privacy_url ? { privacyUrl: label.privacy_url } : {}),
        },
        session: session && {
          id: session.id,
          role: session.role,
          name: session.name,
          preferredName: session.preferred_name,
          ...(session.impersonator ? { impersonator: session.impersonator } : {}),
        },
      },
      draftScope: `${label.key}:${session?.account ?? ''}`,
      now,
      settings: portal.settings,
      operations: portal.operations,
      overlays: composition.overlays,
      notify: (n) => void showToast(n),
      preload: (path) => preload(path, { composition, remotes, locale }),
      Slot,
    };
  }, [portal, session, composition, remotes, locale, now]);
}
