import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, type Ref, useEffect, useId, useRef } from 'react';
import styled, { css, keyframes } from 'styled-components';
import { Icon, type IconName } from './icon';
import { Anchor, type AnchorProps } from './link';

/** How much a button stands out: one `primary` on a screen, `danger` for what cannot be undone. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The element, e.g. to move focus to it. */
  ref?: Ref<HTMLButtonElement> | undefined;
  /** Use one primary button a screen. */
  variant?: ButtonVariant | undefined;
  /** Icon before the text. */
  icon?: IconName | undefined;
  /** Icon after the text, such as an arrow to the next step. */
  iconEnd?: IconName | undefined;
  /** The form is being sent: natively disabled, the text stays, a spinner appears after 300 ms. */
  loading?: boolean | undefined;
  /** Reason why the button cannot be used now, shown under it. The button stays in the tab order. */
  why?: ReactNode;
  /**
   * With a `why` about fields of a form: `<Reasons fields={…} />` of @wattle/ui/forms, a list of links under the `why`, one for each field
   * that is missing or wrong, which moves focus to the field. A press on the button then does what the first link does, unless there is an
   * `onBlocked`. Without a `why` it is not shown.
   */
  reasons?: ReactNode;
  /** Called instead when the button is pressed while it has a `why`, e.g. to move focus to the first error. */
  onBlocked?: (() => void) | undefined;
  /** A press leads to what is missing, so the button does not look dead while it has a `why`; by default when it has `reasons`. */
  leads?: boolean | undefined;
  /** As wide as what it is in. */
  wide?: boolean | undefined;
  /** Lower and with less space around the text, for rows and headings. */
  small?: boolean | undefined;
}

/** A button for something that happens on the page. While it cannot be used it says why, and stays reachable by keyboard. */
export function Button({
  variant = 'secondary',
  icon,
  iconEnd,
  loading = false,
  why,
  reasons,
  onBlocked,
  leads = Boolean(reasons),
  wide,
  small,
  ref,
  ...rest
}: ButtonProps) {
  const { children, disabled, onClick, type = 'button', ...props } = rest;
  const reason = useId();
  const own = useRef<HTMLButtonElement>(null);
  useKeepFocus(own, loading);
  const blocked = Boolean(why) && !loading;
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
        $leads={leads}
        disabled={disabled || loading}
        aria-disabled={blocked || undefined}
        aria-busy={loading || undefined}
        aria-describedby={[props['aria-describedby'], blocked && reason].filter(Boolean).join(' ') || undefined}
        onClick={press}
      >
        {loading ? <Busy aria-hidden="true" /> : icon && <Icon name={icon} />}
        {children}
        {iconEnd && <Icon name={iconEnd} />}
      </Pressable>
      {blocked && (
        <Reason id={reason} data-reason>
          {why}
        </Reason>
      )}
      {blocked && reasons}
    </Wrapper>
  );
}

/** Returns focus to a natively disabled button, which loses it, when sending has ended and nothing else took focus. */
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
  /** The page or file. Paths of the portal are opened without a new document. */
  href: string;
  /** How much the link stands out; at most one `primary` on a screen. */
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

/** A link that looks like a button, for the next step of the customer. */
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
  /** The element, e.g. to move focus to it. */
  ref?: Ref<HTMLButtonElement> | undefined;
  /** The icon, which is all that is visible. */
  icon: IconName;
  /** Accessible name. */
  label: string;
  /** Reason why the button cannot be used now; read with its name. */
  why?: string | undefined;
}

export function IconButton({ icon, label, why, onClick, type = 'button', ...props }: IconButtonProps) {
  return (
    <Round
      {...props}
      type={type}
      aria-label={why ? `${label}. ${why}` : label}
      title={why ?? label}
      aria-disabled={why ? true : undefined}
      onClick={why ? undefined : onClick}
    >
      <Icon name={icon} />
    </Round>
  );
}

type Look = { $variant: ButtonVariant; $small?: boolean | undefined; $wide?: boolean | undefined; $leads?: boolean };

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
  ${(p) => !p.$leads && "&&[aria-disabled='true'] { cursor: not-allowed; background: var(--w-tint-strong); color: var(--w-text-quiet); border-color: transparent; }"}
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

/** The reason under a control that cannot be used now. */
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
