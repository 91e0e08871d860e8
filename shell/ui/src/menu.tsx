import { type ReactElement, type Ref, useRef, useState } from 'react';
import { IconButton } from './button';
import { lazily } from './lazily';
import type { MenuItem } from './menu-item';

/** What a button of your own needs to open a Menu. */
export interface MenuTriggerProps {
  /** Where the menu opens, and where focus returns when it closes. */
  ref: Ref<HTMLButtonElement>;
  /** Tells screen readers that the button opens a menu. */
  'aria-haspopup': 'menu';
  /** Whether the menu is open. */
  'aria-expanded': boolean;
  /** Opens and closes the menu. */
  onClick(): void;
  /** Fetches the code of the menu before it is opened. */
  onPointerEnter(): void;
  /** Fetches the code of the menu before it is opened. */
  onFocus(): void;
}

export interface MenuProps {
  /** Name of the button and of the menu, for screen readers. */
  label: string;
  /** The items, in the order shown. */
  items: readonly MenuItem[];
  /** Replaces the button with three dots; spread the props on a `<button>` or kit Button. */
  trigger?: ((props: MenuTriggerProps) => ReactElement) | undefined;
}

const MenuList = lazily(() => import('./menu-list'));

/** A few actions in a menu behind one button. */
export function Menu({ label, items, trigger }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const prefetchCode = () => void MenuList.load().catch(() => {}); // a prefetch: opening retries
  const props: MenuTriggerProps = {
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    onClick: () => setOpen(!open),
    onPointerEnter: prefetchCode,
    onFocus: prefetchCode,
  };
  return (
    <>
      {trigger ? trigger(props) : <IconButton icon="more" label={label} {...props} />}
      {open && <MenuList label={label} items={items} trigger={button} onClose={() => setOpen(false)} />}
    </>
  );
}
