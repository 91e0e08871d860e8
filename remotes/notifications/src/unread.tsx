import { Link, useLocation } from '@wattle/sdk';
import { Icon, VisuallyHidden } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';

/** The bell in the header: a link to the messages, with the number of unread ones (2.5-notifications-unread). */
export default function Unread() {
  const unread = api.useGet('/sustainable/notifications/unread');
  const { pathname } = useLocation();
  const { isStale, isFetching, refetch } = unread;
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched again after navigation, when the data is stale
  useEffect(() => {
    if (isStale && !isFetching) void refetch();
  }, [pathname]);
  const count = unread.data?.count ?? 0;
  return (
    <Bell to="/notifications">
      <Icon name="bell" size={24} />
      <VisuallyHidden>
        <FormattedMessage
          id="notifications.bell"
          defaultMessage="{count, plural, =0 {Messages} one {Messages: # unread} other {Messages: # unread}}"
          values={{ count }}
        />
      </VisuallyHidden>
      {count > 0 && <Count aria-hidden="true">{count > 99 ? '99+' : count}</Count>}
    </Bell>
  );
}

const Bell = styled(Link)`
  position: relative; display: grid; place-items: center; width: 44px; height: 44px; border-radius: var(--w-radius-control); color: inherit;
  &:hover { background: color-mix(in oklch, currentColor 12%, transparent); }
`;
const Count = styled.span`
  position: absolute; top: 2px; right: 0; min-width: 20px; padding: 0 5px; border-radius: 999px; background: var(--w-on-header); color: var(--w-header);
  font-size: 14px; line-height: 20px; font-weight: 600; text-align: center;
`;
