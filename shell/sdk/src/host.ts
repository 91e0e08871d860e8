// @wattle/sdk/host: the shell's side. Remotes cannot import it (shell/sdk/README.md).
export { type Above, anyUnsaved, clearDrafts } from './hooks';
export { call, type Host, HostContext, ModuleContext, type Operation, type SlotProps, setTransport, type Transport } from './context';
export * from './manifest';
export { ProblemError, problemOf } from './problem';
export {
  type BlockerFunction,
  createBrowserRouter,
  createMemoryRouter,
  type Location,
  matchPath,
  matchRoutes,
  Navigate,
  NavLink,
  Outlet,
  type RouteObject,
  Link as RouterLink,
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
export { day as civilDay } from './today';
