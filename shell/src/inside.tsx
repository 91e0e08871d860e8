import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Path } from '@wattle/sdk';
import {
  clearDrafts,
  createBrowserRouter,
  HostContext,
  type Location,
  matchRoutes,
  ProblemError,
  type RouteObject,
  RouterProvider,
  useLocation,
  useRoutes,
} from '@wattle/sdk/host';
import { ErrorState, LinkProvider, PageColumn, PicturesContext, Toasts } from '@wattle/ui';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { isPublicPath, type OpenOverlay, overlayAt, overlaysOf, parentOf } from './compose';
import { type Shell, useSession, useShell } from './context';
import { Frame, PublicFrame } from './frame/frame';
import { RoutedLink } from './frame/routed-link';
import { useHostValue } from './host';
import { isLabelPage, readable } from './label-pages';
import { useNavigationEffects } from './navigation';
import { openAbove } from './open-above';
import { isOpen } from './open-paths';
import { OverlayView } from './overlay';
import { picturesOf } from './pictures';
import { Relation } from './relation';
import { fallbackOf, type Handle, landingOf, routeTables, ToLanding } from './routes';
import { useSlot } from './slot';

/** The portal except sign-in: one data router, and the query client shared by all remotes. */
export function Inside(): ReactNode {
  const shell = useShell();
  const { session } = shell;
  const now = useRef(shell);
  useEffect(() => {
    now.current = shell;
  });
  const [router] = useState(() =>
    openAbove(
      createBrowserRouter([{ path: '*', element: <Pages />, errorElement: <Failed /> }]),
      (path) => overlayOf(path, now.current) !== undefined,
    ),
  );
  const [queries] = useState(() => {
    const client = newQueries();
    session.onEnd(() => {
      client.clear();
      clearDrafts();
    });
    return client;
  });
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

/** Replaces the whole screen when the failure is not in a part of a page. */
function Failed(): ReactNode {
  return (
    <PageColumn>
      <ErrorState
        title={<FormattedMessage id="shell.part.failed" defaultMessage="This part cannot be shown right now" />}
        onRetry={reload}
      />
    </PageColumn>
  );
}
const reload = () => location.reload();

function newQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // without a connection a page says so immediately, instead of waiting for one (9-offline)
        networkMode: 'always',
        refetchOnReconnect: true,
        // a rejected request (4xx) is not retried
        retry: (failures, cause) =>
          navigator.onLine && failures < 2 && cause instanceof ProblemError && (cause.status === 0 || cause.status >= 500),
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' }, // never sent automatically later
    },
  });
}

/** Returns the overlay of a path for the current session. */
function overlayOf(path: string, { portal, composition, session }: Shell): OpenOverlay | undefined {
  const role = session.get()?.role;
  return isPublicPath(path, composition) || isLabelPage(portal, path, role !== undefined)
    ? undefined
    : overlayAt(path, overlaysOf(composition, role));
}

/**
 * The page at the current path in its frame, and the overlay above it. Without a session, leaving the public pages loads sign-in.
 */
function Pages(): ReactNode {
  const shell = useShell();
  const { portal, composition } = shell;
  const session = useSession();
  const location = useLocation();
  const hasHome = useSlot('home').length > 0;
  const role = session?.role;
  const t = useMemo(
    () => routeTables(composition, { demo: portal.demo, hasHome, role, pages: readable(portal, role !== undefined) }),
    [composition, portal, hasHome, role],
  );
  const landing = landingOf(t, portal.label.landing, role);

  const open = overlayOf(location.pathname, shell);
  const above = (location.state as { background?: Location } | null)?.background;
  const below = open ? (above ?? at(parentOf(open, t.known))) : location;
  const routes = useMemo<RouteObject[]>(
    () => [
      ...t.public,
      ...(role ? [{ path: '/', element: <ToLanding landing={landing} /> }, ...t.signedIn] : []),
      { path: '*', element: <ToLanding landing={fallbackOf(below.pathname, landing, composition)} /> },
    ],
    [t, landing, role, below.pathname, composition],
  );
  const page = useRoutes(routes, below);
  const match = matchRoutes(routes, below)?.at(-1)?.route;
  const handle = match?.handle as Handle | undefined;
  const travel = useNavigationEffects({ page: below, title: open?.overlay.title ?? handle?.title, overlay: open !== undefined });

  const host = useHostValue();
  const pictures = useMemo(() => picturesOf(portal.label, below.pathname), [portal, below.pathname]);
  if (!session && !isOpen(location.pathname, composition, portal)) return <ToSignIn />;
  const isPublic = handle?.access === 'public' || !session;
  return (
    <HostContext value={host}>
      <LinkProvider value={RoutedLink}>
        <PicturesContext value={pictures}>
          {isPublic ? (
            <PublicFrame wide={below.pathname.startsWith('/dev/')}>{page}</PublicFrame>
          ) : (
            <Relation>
              {(unavailable) => (
                <Frame landing={landing} bare={unavailable !== undefined} page={below.pathname as Path}>
                  {unavailable ?? page}
                  {open && !unavailable && <OverlayView open={open} parent={parentOf(open, t.known)} />}
                </Frame>
              )}
            </Relation>
          )}
        </PicturesContext>
        {travel}
        <Toasts />
      </LinkProvider>
    </HostContext>
  );
}

/** Without a session, leads from a public page to any other path: sign-in is a separate screen, without the router. */
function ToSignIn(): ReactNode {
  useEffect(() => location.reload(), []);
  return null;
}

const at = (pathname: string): Location => ({ pathname, search: '', hash: '', state: null, key: 'below' }) as Location;
