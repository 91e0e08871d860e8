import { type ReactElement, type ReactNode, type Ref, useRef, useState } from 'react';
import { IconButton } from './button';
import type { IconName } from './icon';
import { lazily } from './lazily';

export interface MenuItem {
  id: string;
  text: ReactNode;
  icon?: IconName | undefined;
  href?: string | undefined;
  tone?: 'danger' | undefined;
  /** Reason why the item cannot be chosen now, shown under it. */
  why?: string | undefined;
  onSelect?: (() => void) | undefined;
}

export interface MenuTriggerProps {
  ref: Ref<HTMLButtonElement>;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onClick(): void;
  onPointerEnter(): void;
  onFocus(): void;
}

export interface MenuProps {
  label: string;
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
