// @wattle/sdk/host: the part of the SDK for the shell. Remotes cannot import it (shell/sdk/README.md).

export {
  type BlockerFunction,
  createBrowserRouter,
  createMemoryRouter,
  Link as RouterLink,
  type Location,
  matchPath,
  matchRoutes,
  Navigate,
  NavLink,
  Outlet,
  type RouteObject,
  RouterProvider,
  redirect,
  ScrollRestoration,
  useBlocker,
  useLocation,
  useNavigate,
  useNavigation,
  useParams,
  useRoutes,
} from 'react-router';
export {
  call,
  type Host,
  HostContext,
  ModuleContext,
  type Operation,
  type SlotProps,
  setTransport,
  type Transport,
} from './context';
export { anyUnsaved, clearDrafts, type OverlayState, useUnsavedIn } from './hooks';
export { intlLocale } from './intl-locale';
export * from './manifest';
export { ProblemError, problemOf } from './problem';
export { day as civilDay } from './today';
