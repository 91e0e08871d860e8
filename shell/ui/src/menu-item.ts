import type { ReactNode } from 'react';
import type { IconName } from './icon';

/** An item of a Menu: a link or an action. */
export interface MenuItem {
  /** Unique in the menu. */
  id: string;
  /** The visible text. */
  text: ReactNode;
  /** Icon before the text. */
  icon?: IconName | undefined;
  /** Makes the item a link to this page; without it the item calls `onSelect`. */
  href?: string | undefined;
  /** The link is that of the current page. */
  current?: boolean | undefined;
  /** `danger` makes the item red, for actions that cannot be undone. */
  tone?: 'danger' | undefined;
  /** Why the item cannot be chosen now, shown under it. */
  disabledReason?: string | undefined;
  /** Called when the item is chosen. */
  onSelect?: (() => void) | undefined;
}
