import type { ReactNode } from 'react';
import type { Challenge } from '../session';

/**
 * The views of sign-in, which replace each other on the same page (docs/design-of-screens.md). `slot` is a remote's view, such as
 * reactivating an account.
 */
export type View =
  | { name: 'sign-in'; notice?: ReactNode }
  | { name: 'forgot' }
  | { name: 'code'; username: string }
  | { name: 'new-password'; challenge: Challenge }
  | { name: 'sign-in-code'; challenge: Challenge }
  | { name: 'slot'; id: string };
