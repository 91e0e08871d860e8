import { createContext, type ReactNode, use, useState } from 'react';
import styled from 'styled-components';
import { lazily } from './lazily';

export interface SheetProps {
  /** Heading, which also names the sheet for screen readers. */
  title: ReactNode;
  /** Whether it is shown. Change it, in place of removing the component, so that closing is animated. */
  isOpen?: boolean | undefined;
  /** Called on Escape and by the close button; with `from="bottom"` also on a click outside. */
  onClose(): void;
  /** The content, often a Form. */
  children: ReactNode;
  /** The sticky bar at the bottom, when the buttons are not inside a Form (otherwise use SheetFooter). */
  footer?: ReactNode;
  /** There are unsaved changes: closing asks for confirmation (face-unsaved). */
  dirty?: boolean | undefined;
  /** The form is being sent: the sheet cannot be closed. */
  busy?: boolean | undefined;
  /** `bottom`: slides up to 88% of the window, for the menu of a phone. */
  from?: 'right' | 'bottom' | undefined;
}

const SheetPanel = lazily(() => import('./sheet-panel'));

/** Prefetches the code of overlays; call it when the page is idle. */
export const loadOverlays = (): Promise<unknown> => SheetPanel.load();

/**
 * The frame of an overlay: 520 px wide at the right, the whole screen on a phone. Escape and the close button close it
 * (2.3-close-escape); focus stays inside and returns to the control that opened it. In the footer Save is at the left, Cancel to its right.
 */
export function Sheet({ isOpen = true, ...props }: SheetProps) {
  // The code is fetched when the sheet first opens; after that the sheet stays mounted, so that closing can be animated.
  const [opened, setOpened] = useState(isOpen);
  if (isOpen && !opened) setOpened(true);
  return opened ? <SheetPanel isOpen={isOpen} {...props} /> : null;
}

const CloseContext = createContext<() => void>(() => {});
export const SheetCloseProvider = CloseContext.Provider;
/** Returns a function that closes the surrounding sheet, after confirmation when there are unsaved changes: for a Cancel button. */
export const useSheetClose = (): (() => void) => use(CloseContext);

/** The sticky bar of a sheet, 80 px; may stand inside a Form. */
export const SheetFooter = styled.div.attrs({ 'data-sheet-footer': true } as object)`
  position: sticky; bottom: 0; z-index: 1; display: flex; align-items: flex-start; gap: 8px 12px; flex-wrap: wrap; min-height: 80px;
  padding: 16px 24px max(16px, env(safe-area-inset-bottom)); margin: auto -24px 0; background: var(--w-surface); border-top: 1px solid var(--w-line);
  [data-reason] { width: max-content; max-width: min(360px, 75vw); margin-right: calc(-1 * min(360px, 75vw)); }
  @media (max-width: 767px) { padding-inline: 16px; margin: auto -16px 0; }
`;
