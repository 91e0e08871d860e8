import { cloneElement, type ReactElement, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import styled from 'styled-components';

export interface TooltipProps {
  /** The text that is shown on hover and focus. */
  text: ReactNode;
  /** One focusable element. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>;
  /** Milliseconds that the tooltip stays open after pointer and focus have left it and its trigger (2.1-usage-tooltip). */
  delay?: number | undefined;
}

/** A short explanation, shown on hover, focus and tap; Escape closes it. Use `Tip` for an explanation with a link. */
export function Tooltip({ text, children, delay }: TooltipProps) {
  const id = useId();
  const { open, wrap, events } = useHover(delay);
  return (
    <Wrap ref={wrap} {...events}>
      {cloneElement(children, { 'aria-describedby': open ? id : undefined })}
      {open && (
        <Float id={id} role="tooltip" trigger={wrap}>
          {text}
        </Float>
      )}
    </Wrap>
  );
}

/**
 * The tooltip is open while the pointer or focus is in the wrapper of trigger and tooltip, and for `delay` ms after both have left
 * (2.1-usage-tooltip). Escape and a press elsewhere close it immediately.
 */
export function useHover(delay = 100) {
  const [open, setOpen] = useState(false);
  const wrap = useRef<HTMLSpanElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const inside = useRef({ pointer: false, focus: false });

  const stay = useCallback(() => {
    clearTimeout(leaving.current);
    setOpen(true);
  }, []);
  const leave = useCallback(() => {
    clearTimeout(leaving.current);
    if (inside.current.pointer || inside.current.focus) return;
    leaving.current = setTimeout(() => setOpen(false), delay);
  }, [delay]);
  useEffect(() => () => clearTimeout(leaving.current), []);
  useEffect(() => {
    if (!open) return;
    const close = () => {
      clearTimeout(leaving.current);
      setOpen(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation(); // so that the surrounding sheet stays open
      const focused = document.activeElement;
      // focus moves from the closing tooltip back to the trigger
      if (focused?.closest('[popover]') && wrap.current?.contains(focused))
        wrap.current.querySelector<HTMLElement>('button, a')?.focus();
      close();
    };
    const elsewhere = (event: PointerEvent) => {
      if (event.target instanceof Node && !wrap.current?.contains(event.target)) close();
    };
    document.addEventListener('keydown', key, true);
    document.addEventListener('pointerdown', elsewhere);
    return () => {
      document.removeEventListener('keydown', key, true);
      document.removeEventListener('pointerdown', elsewhere);
    };
  }, [open]);

  const events = {
    onPointerEnter: (event: PointerMove) => {
      if (event.pointerType === 'touch') return;
      inside.current.pointer = true;
      stay();
    },
    onPointerLeave: (event: PointerMove) => {
      if (event.pointerType === 'touch') return;
      inside.current.pointer = false;
      leave();
    },
    onFocus: () => {
      inside.current.focus = true;
      stay();
    },
    onBlur: () => {
      inside.current.focus = false;
      leave();
    },
    onClick: stay,
  };
  return { open, wrap, events };
}
type PointerMove = { pointerType: string };

interface FloatProps {
  id: string;
  role?: 'tooltip' | undefined;
  trigger: { current: HTMLElement | null };
  children: ReactNode;
}

/** The card next to a trigger, above everything else on the page. */
export function Float({ id, role, trigger, children }: FloatProps) {
  return (
    <Card id={id} role={role} popover="manual" ref={(tip) => show(tip, trigger.current)}>
      {children}
    </Card>
  );
}

/** Places the tooltip above the trigger, or below it when there is no room, always inside the window. */
function show(tip: HTMLElement | null, trigger: HTMLElement | null) {
  if (!tip || !trigger) return;
  tip.showPopover?.();
  const at = (trigger.firstElementChild ?? trigger).getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const above = at.top - size.height - 8;
  const left = at.left + at.width / 2 - size.width / 2;
  tip.style.top = `${above >= 8 ? above : at.bottom + 8}px`;
  tip.style.left = `${Math.max(8, Math.min(left, window.innerWidth - size.width - 8))}px`;
}

const Wrap = styled.span`display: inline-flex;`;
const Card = styled.span`
  position: fixed; inset: auto; margin: 0; border: 1px solid var(--w-line); width: max-content; max-width: min(320px, calc(100vw - 16px));
  padding: 12px 16px; border-radius: var(--w-radius-control); background: var(--w-surface); color: var(--w-text); font-size: 14px; font-weight: 400; text-align: left;
  box-shadow: 0 8px 32px color-mix(in oklch, var(--w-text) 18%, transparent);
  &::before { content: ''; position: absolute; inset: -10px; z-index: -1; }
`;
