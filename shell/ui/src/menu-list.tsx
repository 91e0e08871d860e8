import { type RefObject, useEffect, useRef } from 'react';
import { MenuItem as AriaItem, Menu as AriaMenu } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import styled from 'styled-components';
import { Icon } from './icon';
import { Anchor, type AnchorProps } from './link';
import type { MenuItem } from './menu-item';

interface MenuListProps {
  label: string;
  items: readonly MenuItem[];
  trigger: RefObject<HTMLElement | null>;
  onClose(): void;
}

/** The open menu; its code is fetched when a menu is first opened. */
export default function MenuList({ label, items, trigger, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // React Aria treats Enter on the trigger as a screen reader click: it moves focus later, and not at all if the trigger has lost
    // focus by then, which happens when the page below becomes inert.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    }, 50);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Float
      aria-label={label}
      triggerRef={trigger}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      placement="bottom end"
      offset={4}
    >
      <List ref={list} aria-label={label} autoFocus="first" onClose={onClose}>
        {items.map((item) => (
          <Item
            key={item.id}
            id={item.id}
            textValue={typeof item.text === 'string' ? item.text : item.id}
            isDisabled={Boolean(item.disabledReason)}
            {...(item.href ? { href: item.href, render: item.current ? drawCurrent : drawLink } : {})}
            onAction={() => item.onSelect?.()}
            $danger={item.tone === 'danger'}
          >
            {item.icon && <Icon name={item.icon} />}
            <span>
              {item.text}
              {item.disabledReason && <Why>{item.disabledReason}</Why>}
            </span>
          </Item>
        ))}
      </List>
    </Float>
  );
}

const drawLink = (props: object) => <Anchor {...(props as AnchorProps)} />;
const drawCurrent = (props: object) => <Anchor {...(props as AnchorProps)} aria-current="page" />;

const Float = styled(Popover)`
  min-width: 220px; max-width: min(360px, calc(100vw - 16px)); background: var(--w-surface); border: 1px solid var(--w-line); border-radius: var(--w-radius-control);
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent); outline: none; overflow: auto;
`;
const List = styled(AriaMenu)`padding: 4px; outline: none;`;
const Item = styled(AriaItem)<{ $danger: boolean }>`
  display: flex; align-items: center; gap: 12px; min-height: 44px; padding: 8px 12px; border-radius: calc(var(--w-radius-control) - 2px); cursor: pointer; text-decoration: none;
  color: ${(p) => (p.$danger ? 'var(--w-negative)' : 'var(--w-text)')};
  &[data-focused], &[data-hovered] { background: var(--w-tint); }
  &[data-pressed] { background: var(--w-tint-strong); }
  &[aria-current] { color: var(--w-primary-ink); font-weight: 600; }
  &[data-focus-visible]:focus-visible { outline-offset: -3px; box-shadow: none; }
  &[data-disabled] { color: var(--w-text-quiet); cursor: not-allowed; }
`;
const Why = styled.small`display: block; font-size: 14px; color: var(--w-text-quiet);`;
