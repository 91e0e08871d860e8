import { type ReactElement, type Ref, useRef, useState } from 'react';
import { IconButton } from './button';
import { lazily } from './lazily';
import type { MenuItem } from './menu-item';

/** The props that a custom button needs to open a Menu. */
export interface MenuTriggerProps {
  /** The element at which the menu opens, and to which focus returns when it closes. */
  ref: Ref<HTMLButtonElement>;
  /** Tells screen readers that the button opens a menu. */
  'aria-haspopup': 'menu';
  /** Whether the menu is open. */
  'aria-expanded': boolean;
  /** Opens or closes the menu. */
  onClick(): void;
  /** Prefetches the menu's code. */
  onPointerEnter(): void;
  /** Prefetches the menu's code. */
  onFocus(): void;
}

export interface MenuProps {
  /** Name of the button and of the menu, for screen readers. */
  label: string;
  /** The items, in the order shown. */
  items: readonly MenuItem[];
  /** Renders another button instead of the three dots; spread the props on a `<button>` or a Button of the kit. */
  trigger?: ((props: MenuTriggerProps) => ReactElement) | undefined;
}

const MenuList = lazily(() => import('./menu-list'));

/** A menu with a few actions behind one button. */
export function Menu({ label, items, trigger }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const prefetchCode = () => void MenuList.load().catch(() => {}); // only a prefetch: opening the menu tries again
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
