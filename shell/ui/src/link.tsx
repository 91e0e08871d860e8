import { type AnchorHTMLAttributes, type ComponentType, createContext, type ReactNode, type Ref, use } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Icon } from './icon';
import { VisuallyHidden } from './visually-hidden';

export type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** The `<a>`, e.g. to move focus to it. */
  ref?: Ref<HTMLAnchorElement>;
};

const LinkContext = createContext<ComponentType<AnchorProps> | null>(null);

/** Provides the link of the shell's router; kit links whose `href` starts with `/` are drawn with it. */
export const LinkProvider = LinkContext.Provider;

/** An unstyled `<a>`, drawn by the router for pages of the portal. The browser itself handles API paths, downloads and new tabs. */
export function Anchor(props: AnchorProps) {
  const Routed = use(LinkContext);
  const inside = props.href?.startsWith('/') && !props.href.startsWith('/api/') && !props.target && props.download === undefined;
  return Routed && inside ? <Routed {...props} /> : <a {...props} />;
}

export interface TextLinkProps extends AnchorProps {
  /** The page, file or address. Paths of the portal are opened without a new document. */
  href: string;
  /** Opens in a new tab, and announces that. */
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

const Underlined = styled(Anchor)`
  color: var(--w-primary-ink); border-radius: 4px;
  &:hover { text-decoration-thickness: 2px; }
  svg { display: inline-block; vertical-align: -2px; }
`;

/** A button that looks like a link, for an action on the page. */
export const LinkLook = styled.button.attrs({ type: 'button' })`
  color: var(--w-primary-ink); text-decoration: underline 1px; text-underline-offset: .2em; border-radius: 4px;
  min-height: 24px;
  &:hover { text-decoration-thickness: 2px; }
  &:active { color: var(--w-text); }
  &[aria-disabled='true'], &:disabled { color: var(--w-text-quiet); cursor: not-allowed; }
`;
