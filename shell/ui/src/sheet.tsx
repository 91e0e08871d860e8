import { useState } from 'react';
import { lazily } from './lazily';
import type { SheetProps } from './sheet-props';

const SheetPanel = lazily(() => import('./sheet-panel'));

/** Prefetches the code of overlays; call it when the page is idle. */
export const loadOverlays = (): Promise<unknown> => SheetPanel.load();

/**
 * An overlay: 520 px wide at the right, full-screen on a phone. Escape and the close button close it (2.3-close-escape). Focus
 * stays inside, and then returns to the control that opened it. In the footer, Save is at the left and Cancel to its right.
 */
export function Sheet({ isOpen = true, ...props }: SheetProps) {
  // The code is fetched when the sheet first opens; after that the sheet stays mounted, so that closing can be animated.
  const [opened, setOpened] = useState(isOpen);
  if (isOpen && !opened) setOpened(true);
  return opened ? <SheetPanel isOpen={isOpen} {...props} /> : null;
}
