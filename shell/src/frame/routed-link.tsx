import { RouterLink } from '@wattle/sdk/host';
import type { AnchorProps } from '@wattle/ui';
import type { ReactNode } from 'react';
import { useShell } from '../context';
import { preload } from '../preload';

/** Renders the kit's links with the router, and loads the code of their target on hover, focus and touch. */
export function RoutedLink({ href = '/', ...props }: AnchorProps): ReactNode {
  const shell = useShell();
  const load = () => preload(href, shell);
  return <RouterLink {...props} to={href} onPointerEnter={load} onFocus={load} onTouchStart={load} />;
}
