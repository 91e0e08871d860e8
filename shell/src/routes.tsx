import type { Path } from '@wattle/sdk';
import { type Manifest, Navigate, type RouteObject } from '@wattle/sdk/host';
import { PageColumn, Skeleton } from '@wattle/ui';
import type { ReactElement } from 'react';
import { defineMessages, type MessageDescriptor } from 'react-intl';
import { type Composition, isPublicPath, matches } from './compose';
import { helpPath, pagePath, titleOf } from './label-pages';
import { lazyPage } from './lazy-page';
import { Part } from './part';
import type { LabelPage } from './portal';
import type { SessionInfo } from './session';

export type Handle = { title?: MessageDescriptor; module?: string; access: 'public' | 'customer' | 'staff' };

const titles = defineMessages({
  dashboard: { id: 'shell.dashboard.title', defaultMessage: 'Overview' },
  home: { id: 'shell.home.title', defaultMessage: 'Home' },
  notFound: { id: 'shell.notfound.title', defaultMessage: 'Page not found' },
  accessibility: { id: 'shell.accessibility.title', defaultMessage: 'Accessibility' },
  verify: { id: 'shell.verify.title', defaultMessage: 'Confirm your email address' },
  help: { id: 'shell.help.title', defaultMessage: 'Help' },
  construction: { id: 'shell.construction.title', defaultMessage: 'We will be back soon' },
  kit: { id: 'shell.kit.title', defaultMessage: 'Kit' },
});

const Dashboard = lazyPage(() => import(/* webpackChunkName: "dashboard" */ './pages/dashboard'));
const Home = lazyPage(() => import(/* webpackChunkName: "home" */ './pages/home'));
const NotFound = lazyPage(() => import(/* webpackChunkName: "pages" */ './pages/not-found'));
const Verify = lazyPage(() => import(/* webpackChunkName: "public" */ './pages/verify'));
const Accessibility = lazyPage(() => import(/* webpackChunkName: "statement" */ './pages/accessibility'));
const LabelText = lazyPage(() => import(/* webpackChunkName: "label-page" */ './pages/label-text'));
const HelpList = lazyPage(() => import(/* webpackChunkName: "label-page" */ './pages/help-list'));
const Construction = lazyPage(() => import(/* webpackChunkName: "public" */ './pages/under-construction'));
const Kit = lazyPage(() => import(/* webpackChunkName: "kit" */ './pages/gallery/gallery'));

export interface RouteTables {
  public: RouteObject[];
  signedIn: RouteObject[];
  /** Returns whether there is a signed-in page at this path. */
  known(path: string): boolean;
}

/** Returns the pages of this label for a session: those of the shell and of the remotes. It does not need the remotes' code. */
export function routeTables(
  c: Composition,
  o: { demo: boolean; hasHome: boolean; role: SessionInfo['role'] | undefined; pages?: readonly LabelPage[] },
): RouteTables {
  const remote = (access: 'public' | 'customer' | 'staff'): RouteObject[] =>
    c.routes
      .filter((r) => (r.access ?? 'customer') === access)
      .map((r) => ({
        path: r.path,
        // a signed-in customer sees such a page inside the frame
        handle: {
          title: r.title,
          module: r.module,
          access: r.framed && o.role === 'customer' ? 'customer' : access,
        } satisfies Handle,
        element: (
          <Part
            key={`${r.module} ${r.path}`}
            module={r.module}
            id={r.path}
            pick={(remote) => remote.routes?.find((x) => x.path === r.path)?.page}
            waiting={
              <PageColumn width="wide">
                <Skeleton shape="title" />
              </PageColumn>
            }
          />
        ),
      }));
  const own = (
    path: string,
    title: MessageDescriptor,
    element: ReactElement,
    access: Handle['access'] = 'customer',
  ): RouteObject => ({
    path,
    element,
    handle: { title, access } satisfies Handle,
  });
  const open = [
    own('/verify/*', titles.verify, <Verify />, 'public'),
    // a signed-in customer sees this page inside the frame
    own('/accessibility', titles.accessibility, <Accessibility />, o.role ? 'customer' : 'public'),
    ...(o.pages ?? []).map((p) => own(pagePath(p), titleOf(p), <LabelText key={p.slug} />, o.role ? 'customer' : 'public')),
    ...(o.pages?.some((p) => p.place === 'help')
      ? [own(helpPath, titles.help, <HelpList />, o.role ? 'customer' : 'public')]
      : []),
    own('/under-construction', titles.construction, <Construction />, 'public'),
    ...(o.demo ? [own('/dev/kit', titles.kit, <Kit />, 'public')] : []),
    ...remote('public'),
  ];
  const others = remote(o.role === 'staff' ? 'staff' : 'customer');
  const signedIn = [
    // staff have other pages; in a label without staff pages an empty overview is better than a blank page
    ...(o.role === 'staff' && others.length > 0 ? [] : [own('/dashboard', titles.dashboard, <Dashboard />)]),
    ...(o.hasHome ? [own('/home', titles.home, <Home />)] : []),
    own('/notfound', titles.notFound, <NotFound />),
    ...others,
  ];
  return { public: open, signedIn, known: (path) => signedIn.some((r) => matches(r.path ?? '', path)) };
}

/** Returns the first page of a session: the label's landing page, or the first page that exists. Staff start at /staff. */
export function landingOf(t: RouteTables, landing: string, role: SessionInfo['role'] | undefined): Path {
  if (role === 'staff') {
    if (t.known('/staff')) return '/staff';
    const first = t.signedIn.find((r) => (r.handle as Handle).access === 'staff' && !r.path?.includes(':'))?.path;
    if (first) return first as Path;
  }
  return (t.known(landing) ? landing : '/dashboard') as Path;
}

/** 2.4-public-unknown and 2.1-unknown-path */
export const fallbackOf = (pathname: string, landing: Path, c: Pick<Composition, 'publicFirst'>): Path =>
  isPublicPath(pathname, c) ? '/' : landing;

export function ToLanding({ landing }: { landing: Path }): ReactElement {
  return <Navigate to={landing} replace />;
}

export const manifestsOf = (remotes: readonly { manifest: Manifest }[]): Manifest[] => remotes.map((r) => r.manifest);
