import type { ReactNode } from 'react';
import type { Challenge } from '../session';

/** The views of sign-in, which change in place (docs/design-of-screens.md). `slot`: a view of a remote, such as reactivating an account. */
export type View =
  | { name: 'sign-in'; notice?: ReactNode }
  | { name: 'forgot' }
  | { name: 'code'; username: string }
  | { name: 'new-password'; challenge: Challenge }
  | { name: 'sign-in-code'; challenge: Challenge }
  | { name: 'slot'; id: string };
