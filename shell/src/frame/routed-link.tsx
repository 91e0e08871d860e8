import { RouterLink } from '@wattle/sdk/host';
import type { AnchorProps } from '@wattle/ui';
import type { ReactNode } from 'react';
import { useShell } from '../context';
import { preload } from '../preload';

/** Draws the kit's links through the router and fetches what is behind them on hover, focus and touch. */
export function RoutedLink({ href = '/', ...props }: AnchorProps): ReactNode {
  const shell = useShell();
  const load = () => preload(href, shell);
  return <RouterLink {...props} to={href} onPointerEnter={load} onFocus={load} onTouchStart={load} />;
}
