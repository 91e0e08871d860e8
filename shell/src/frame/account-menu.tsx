import { Icon, Menu, VisuallyHidden } from '@wattle/ui';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { useSession, useShell } from '../context';

/** Returns the initials of the first and last word of a name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.]+/).filter((w) => /\p{L}/u.test(w));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((w) => w?.[0]?.toUpperCase() ?? '').join('');
}

/** 2.5-account-menu: links to the account page and to signing out. */
export function AccountMenu({ to }: { to: string | undefined }): ReactElement | null {
  const intl = useIntl();
  const session = useSession();
  const shell = useShell();
  if (!session) return null;
  const label = intl.formatMessage({ id: 'shell.account_menu', defaultMessage: 'Your account' });
  return (
    <Menu
      label={label}
      items={[
        ...(to
          ? [
              {
                id: 'account',
                text: intl.formatMessage({ id: 'shell.account', defaultMessage: 'Account' }),
                icon: 'user' as const,
                href: to,
              },
            ]
          : []),
        {
          id: 'sign-out',
          text: intl.formatMessage({ id: 'shell.sign_out', defaultMessage: 'Sign out' }),
          icon: 'sign-out' as const,
          onSelect: () => void shell.session.signOut(),
        },
      ]}
      trigger={(props) => (
        <Trigger type="button" {...props}>
          <VisuallyHidden>
            {label}: {session.name}
          </VisuallyHidden>
          <Circle aria-hidden>{initialsOf(session.name)}</Circle>
          <Name aria-hidden>{session.name}</Name>
          <Icon name="down" size={16} />
        </Trigger>
      )}
    />
  );
}

const Trigger = styled.button`
  display: flex; align-items: center; gap: 8px; color: inherit; min-height: 44px; border-radius: var(--w-radius-control); padding: 0 4px;
  @media (max-width: 767px) { svg { display: none; } }
`;
const Circle = styled.span`
  display: grid; place-items: center; width: 36px; height: 36px; border-radius: 50%; font-size: 14px; font-weight: 600;
  border: 1.5px solid currentColor;
`;
const Name = styled.span`
  max-width: 220px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  @media (max-width: 1099px) { display: none; }
`;
