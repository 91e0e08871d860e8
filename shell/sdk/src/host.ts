// @wattle/sdk/host: the shell's side. Remotes cannot import it (shell/sdk/README.md).
export { call, type Host, HostContext, ModuleContext, type Operation, type SlotProps, setTransport, type Transport } from './context';
export * from './manifest';
export { ProblemError, problemOf } from './problem';
export {
  type BlockerFunction,
  createBrowserRouter,
  createMemoryRouter,
  matchPath,
  Navigate,
  NavLink,
  Outlet,
  type RouteObject,
  Link as RouterLink,
  RouterProvider,
  redirect,
  ScrollRestoration,
  UNSAFE_DataRouterContext as DataRouterContext,
  useBlocker,
  useLocation,
  useNavigate,
  useNavigation,
  useParams,
  useRoutes,
} from 'react-router';
export { day as civilDay } from './today';
