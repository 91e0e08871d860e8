import type { Locale } from '@wattle/sdk';
import { type ReactElement, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react';
import { compose, type Place } from './compose';
import { type Shell, ShellContext, useSession, useShell } from './context';
import type { Remotes } from './federation';
import { isOpen } from './open-paths';
import type { Portal } from './portal';
import { useScreen } from './screen';
import type { Session } from './session';
import { SignIn } from './sign-in/sign-in';

export interface AppProps {
  portal: Portal;
  session: Session;
  remotes: Remotes;
  now(): number;
  startProblem?: string;
  locale: Locale;
  setLocale(locale: Locale): void;
}

/** The portal of a label: renders sign-in or the signed-in part, depending on session and path. */
export function App(p: AppProps): ReactElement {
  const mobile = useScreen() === 'mobile';
  const place = useMemo<Place>(() => ({ kind: p.portal.label.kind, settings: p.portal.settings, mobile }), [p.portal, mobile]);
  const composition = useMemo(
    () =>
      compose(
        p.portal.remotes.map((r) => r.manifest),
        place,
      ),
    [p.portal, place],
  );
  const shell: Shell = { ...p, place, composition };
  return (
    <ShellContext value={shell}>
      <Gate />
    </ShellContext>
  );
}

let code: Promise<() => ReactNode> | undefined;
/** Loads router, frame, pages and overlays, which sign-in does not need. Retries once. */
function loadInside(): Promise<() => ReactNode> {
  const load = () => import(/* webpackChunkName: "inside" */ './inside').then((m) => m.Inside);
  code ??= load().catch(load);
  return code;
}

/** 2.1-signed-in-guard: without a session every path that is not public shows sign-in; the address bar keeps the path. */
function Gate(): ReactNode {
  const session = useSession();
  const { portal, composition } = useShell();
  const [open] = useState(() => isOpen(location.pathname, composition, portal));
  useEffect(() => {
    if (session) return;
    // prefetches the next screen when the customer starts to fill in the form
    const prefetch = () => void loadInside().catch(() => undefined);
    addEventListener('focusin', prefetch, { once: true });
    return () => removeEventListener('focusin', prefetch);
  }, [session]);
  if (!session && !open) return <SignIn />;
  return (
    <Suspense fallback={null}>
      <Opened />
    </Suspense>
  );
}

function Opened(): ReactNode {
  const Inside = use(loadInside());
  return <Inside />;
}
