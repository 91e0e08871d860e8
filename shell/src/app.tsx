import type { Locale } from '@wattle/sdk';
import { createBrowserRouter, RouterProvider, useLocation } from '@wattle/sdk/host';
import { type ReactElement, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react';
import { compose, isPublicPath, type Place } from './compose';
import { type Shell, ShellContext, useSession, useShell } from './context';
import type { Remotes } from './federation';
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

/** The portal of a label: one data router, below which the address decides between sign-in and everything else. */
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
  const [router] = useState(() => createBrowserRouter([{ path: '*', element: <Gate /> }]));
  return (
    <ShellContext value={shell}>
      <RouterProvider router={router} />
    </ShellContext>
  );
}

let code: Promise<() => ReactNode> | undefined;
/** Frame, pages and overlays: what sign-in does without. */
export function loadInside(): Promise<() => ReactNode> {
  code ??= import(/* webpackChunkName: "inside" */ './inside').then((m) => m.Inside);
  code.catch(() => {
    code = undefined;
  });
  return code;
}

/** 2.1-signed-in-guard: without a session every address that is not public shows sign-in, and stays in the address bar. */
function Gate(): ReactNode {
  const session = useSession();
  const { pathname } = useLocation();
  const { portal } = useShell();
  const open = isPublicPath(pathname) || (portal.demo && pathname.startsWith('/dev/')) || usePublic(pathname);
  useEffect(() => {
    // while the customer types, the next screen is fetched
    if (!session) void loadInside().catch(() => undefined);
  }, [session]);
  if (!session && !open) return <SignIn />;
  return (
    <Suspense fallback={null}>
      <Opened />
    </Suspense>
  );
}

/** A remote may declare further public pages. */
function usePublic(pathname: string): boolean {
  return useShell().composition.routes.some((r) => r.access === 'public' && r.path === pathname);
}

function Opened(): ReactNode {
  const Inside = use(loadInside());
  return <Inside />;
}

