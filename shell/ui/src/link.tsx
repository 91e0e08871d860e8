import { type AnchorHTMLAttributes, type ComponentType, createContext, type ReactNode, type Ref, use } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Icon } from './icon';
import { formatPhone } from './tel';
import { VisuallyHidden } from './visually-hidden';

export type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** The `<a>` element, e.g. for moving focus to it. */
  ref?: Ref<HTMLAnchorElement>;
};

const LinkContext = createContext<ComponentType<AnchorProps> | null>(null);

/** Provides the link component of the shell's router, which renders kit links whose `href` starts with `/`. */
export const LinkProvider = LinkContext.Provider;

/** An unstyled `<a>`, rendered by the router for portal pages. The browser itself handles API paths, downloads and new tabs. */
export function Anchor(props: AnchorProps) {
  const Routed = use(LinkContext);
  const inside = props.href?.startsWith('/') && !props.href.startsWith('/api/') && !props.target && props.download === undefined;
  return Routed && inside ? <Routed {...props} /> : <a {...props} />;
}

export interface TextLinkProps extends AnchorProps {
  /** The page, file or address. Portal paths open without a full page load. */
  href: string;
  /** Opens the link in a new tab, and announces this to screen readers. */
  external?: boolean | undefined;
  /** The text of the link. */
  children: ReactNode;
}

export function TextLink({ external, children, ...props }: TextLinkProps) {
  const intl = useIntl();
  if (!external) return <Underlined {...props}>{children}</Underlined>;
  return (
    <Underlined {...props} target="_blank" rel="noopener noreferrer">
      {children} <Icon name="external" size={16} />
      <VisuallyHidden>{intl.formatMessage({ id: 'ui.new_tab', defaultMessage: '(opens in a new tab)' })}</VisuallyHidden>
    </Underlined>
  );
}

export interface PhoneLinkProps {
  /** The number as it is stored or as the label writes it: `+31501234567` or `050 123 45 67`. */
  number: string;
}

/** A phone number on one line, which calls it. */
export function PhoneLink({ number }: PhoneLinkProps) {
  return <Unbroken href={`tel:${number.replace(/[^\d+]/g, '')}`}>{formatPhone(number)}</Unbroken>;
}

const Underlined = styled(Anchor)`
  color: var(--w-primary-ink); border-radius: 4px;
  &:hover { text-decoration-thickness: 2px; }
  svg { display: inline-block; vertical-align: -2px; }
`;
const Unbroken = styled(Underlined)`white-space: nowrap;`;

/** A button that looks like a link, for an action on the page. */
export const LinkLook = styled.button.attrs({ type: 'button' })`
  color: var(--w-primary-ink); text-decoration: underline 1px; text-underline-offset: .2em; border-radius: 4px;
  min-height: 24px;
  &:hover { text-decoration-thickness: 2px; }
  &:active { color: var(--w-text); }
  &[aria-disabled='true'], &:disabled { color: var(--w-text-quiet); cursor: not-allowed; }
`;
