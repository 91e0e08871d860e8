import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, type Ref, useEffect, useId, useRef } from 'react';
import styled, { css, keyframes } from 'styled-components';
import { Icon, type IconName } from './icon';
import { Anchor, type AnchorProps } from './link';

/** How prominent a button is. Use at most one `primary` on a screen, and `danger` for actions that cannot be undone. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The element, e.g. for moving focus to it. */
  ref?: Ref<HTMLButtonElement> | undefined;
  /** How prominent the button is. Use at most one `primary` on a screen. */
  variant?: ButtonVariant | undefined;
  /** Icon before the text. */
  icon?: IconName | undefined;
  /** Icon after the text, such as an arrow to the next step. */
  iconEnd?: IconName | undefined;
  /** The form is being sent. The button is natively disabled, keeps its text, and shows a spinner after 300 ms. */
  loading?: boolean | undefined;
  /** Why the button cannot be used now, shown under it. The button stays in the tab order. */
  disabledReason?: ReactNode;
  /**
   * Links to the fields that are missing or wrong, shown under `disabledReason`: usually `<Reasons fields={…} />` of the forms
   * entry. Each link moves focus to its field. Pressing the button then does the same as the first link, unless `onBlocked` is set.
   * Not shown without a `disabledReason`.
   */
  reasons?: ReactNode;
  /** Called instead of `onClick` when the button is pressed while it has a `disabledReason`, e.g. to focus the first error. */
  onBlocked?: (() => void) | undefined;
  /**
   * Whether the button looks enabled while it has a `disabledReason`, because pressing it leads to what is missing. By default true
   * when it has `reasons`.
   */
  looksEnabled?: boolean | undefined;
  /** Makes the button as wide as its container. */
  wide?: boolean | undefined;
  /** Lower and with less padding, for rows and headings. */
  small?: boolean | undefined;
}

/** A button for an action on the page. While it cannot be used, it shows the reason and stays reachable by keyboard. */
export function Button({
  variant = 'secondary',
  icon,
  iconEnd,
  loading = false,
  disabledReason,
  reasons,
  onBlocked,
  looksEnabled = Boolean(reasons),
  wide,
  small,
  ref,
  ...rest
}: ButtonProps) {
  const { children, disabled, onClick, type = 'button', ...props } = rest;
  const reasonId = useId();
  const own = useRef<HTMLButtonElement>(null);
  useKeepFocus(own, loading);
  const blocked = Boolean(disabledReason) && !loading;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!blocked) return onClick?.(event);
    event.preventDefault();
    if (onBlocked) onBlocked();
    else event.currentTarget.parentElement?.querySelector<HTMLElement>('[role=list] a')?.click();
  };
  const setRef = (element: HTMLButtonElement | null) => {
    own.current = element;
    if (typeof ref === 'function') return ref(element);
    if (ref) ref.current = element;
  };
  return (
    <Wrapper $wide={wide}>
      <Pressable
        {...props}
        ref={setRef}
        type={type}
        $variant={variant}
        $small={small}
        $wide={wide}
        $looksEnabled={looksEnabled}
        disabled={disabled || loading}
        aria-disabled={blocked || undefined}
        aria-busy={loading || undefined}
        aria-describedby={[props['aria-describedby'], blocked && reasonId].filter(Boolean).join(' ') || undefined}
        onClick={press}
      >
        {loading ? <Busy aria-hidden="true" /> : icon && <Icon name={icon} />}
        {children}
        {iconEnd && <Icon name={iconEnd} />}
      </Pressable>
      {blocked && (
        <Reason id={reasonId} data-reason>
          {disabledReason}
        </Reason>
      )}
      {blocked && reasons}
    </Wrapper>
  );
}

/** When sending has ended, returns the focus that a natively disabled button has lost, unless another element has taken it. */
function useKeepFocus(button: { current: HTMLButtonElement | null }, loading: boolean) {
  const had = useRef(false);
  if (loading && button.current && document.activeElement === button.current) had.current = true;
  useEffect(() => {
    if (loading || !had.current) return;
    had.current = false;
    const now = document.activeElement;
    if (!now || now === document.body || now === button.current) button.current?.focus();
  }, [loading, button]);
}

export interface LinkButtonProps extends AnchorProps {
  /** The page or file. Portal paths open without a full page load. */
  href: string;
  /** How prominent the link is. Use at most one `primary` on a screen. */
  variant?: ButtonVariant | undefined;
  /** Icon before the text. */
  icon?: IconName | undefined;
  /** Icon after the text. */
  iconEnd?: IconName | undefined;
  /** As wide as its container; by default as wide as its text. */
  wide?: boolean | undefined;
  /** Lower and with less padding; by default false. */
  small?: boolean | undefined;
}

/** A link that looks like a button, e.g. for the customer's next step. */
export function LinkButton({ variant = 'secondary', icon, iconEnd, wide, small, children, ...props }: LinkButtonProps) {
  return (
    <PressableLink {...props} $variant={variant} $small={small} $wide={wide}>
      {icon && <Icon name={icon} />}
      {children}
      {iconEnd && <Icon name={iconEnd} />}
    </PressableLink>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** The element, e.g. for moving focus to it. */
  ref?: Ref<HTMLButtonElement> | undefined;
  /** The icon, the only visible content of the button. */
  icon: IconName;
  /** Accessible name. */
  label: string;
  /** Why the button cannot be used now; read by screen readers with its name. */
  disabledReason?: string | undefined;
}

export function IconButton({ icon, label, disabledReason, onClick, type = 'button', ...props }: IconButtonProps) {
  return (
    <Round
      {...props}
      type={type}
      aria-label={disabledReason ? `${label}. ${disabledReason}` : label}
      title={disabledReason ?? label}
      aria-disabled={disabledReason ? true : undefined}
      onClick={disabledReason ? undefined : onClick}
    >
      <Icon name={icon} />
    </Round>
  );
}

type Look = { $variant: ButtonVariant; $small?: boolean | undefined; $wide?: boolean | undefined; $looksEnabled?: boolean };

const variants = {
  primary: css`
    background: var(--w-primary); color: var(--w-on-primary);
    &:hover { background: var(--w-primary-hover); } &:active { background: var(--w-primary-pressed); }
  `,
  secondary: css`
    background: var(--w-surface); color: var(--w-primary-ink); border-color: var(--w-control-line);
    &:hover { background: var(--w-tint); border-color: var(--w-primary-ink); } &:active { background: var(--w-tint-strong); color: var(--w-text); }
  `,
  quiet: css`
    color: var(--w-primary-ink);
    &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); color: var(--w-text); }
  `,
  danger: css`
    background: var(--w-surface); color: var(--w-negative); border-color: var(--w-negative);
    &:hover { background: var(--w-negative-tint); } &:active { background: var(--w-negative); color: #fff; }
  `,
};

const look = css<Look>`
  display: inline-flex; align-items: center; justify-content: center; gap: 8px;
  min-height: ${(p) => (p.$small ? '44px' : '48px')}; padding: 8px ${(p) => (p.$variant === 'quiet' ? '12px' : p.$small ? '16px' : '24px')};
  width: ${(p) => (p.$wide ? '100%' : 'auto')};
  border: 1px solid transparent; border-radius: var(--w-radius-button); font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none;
  transition: background-color 160ms, border-color 160ms, color 160ms;
  ${(p) => variants[p.$variant]}
  &:disabled { cursor: not-allowed; }
  ${(p) => !p.$looksEnabled && "&&[aria-disabled='true'] { cursor: not-allowed; background: var(--w-tint-strong); color: var(--w-text-quiet); border-color: transparent; }"}
  &&[aria-busy='true'] { cursor: progress; }
  &&:disabled:not([aria-busy]) { background: var(--w-tint); color: var(--w-text-quiet); border-color: transparent; }
`;

/** Buttons are not printed (face-print). */
const hiddenInPrint = css`@media print { display: none; }`;
const Pressable = styled.button<Look>`${look}`;
const PressableLink = styled(Anchor)<Look>`${look} ${hiddenInPrint}`;

const Wrapper = styled.span<{ $wide?: boolean | undefined }>`
  display: inline-flex; flex-direction: column; align-items: flex-start; gap: 4px; max-width: 100%;
  width: ${(p) => (p.$wide ? '100%' : 'auto')};
  ${hiddenInPrint}
`;

/** The reason under a control that is currently unavailable. */
export const Reason = styled.span`font-size: 14px; color: var(--w-text-quiet); font-weight: 400;`;

const appear = keyframes`from { opacity: 0; } to { opacity: 1; }`;
const turn = keyframes`to { transform: rotate(1turn); }`;
const Busy = styled.span`
  width: 20px; height: 20px; flex: none; border-radius: 50%; border: 2px solid currentColor; border-right-color: transparent;
  animation: ${appear} 1ms 300ms both, ${turn} 800ms linear infinite;
  @media (prefers-reduced-motion: reduce) { border-style: dotted; }
`;

const Round = styled.button`
  display: inline-grid; place-items: center; width: 44px; height: 44px; flex: none; border-radius: var(--w-radius-button); color: var(--w-text);
  transition: background-color 160ms;
  &:hover { background: var(--w-tint); } &:active { background: var(--w-tint-strong); }
  &[aria-disabled='true'], &:disabled { color: var(--w-text-quiet); cursor: not-allowed; opacity: .6; }
  ${hiddenInPrint}
`;
