import { createContext, type ReactNode, use, useState } from 'react';
import styled from 'styled-components';
import { lazily } from './lazily';

export interface SheetProps {
  title: ReactNode;
  isOpen?: boolean | undefined;
  onClose(): void;
  children: ReactNode;
  /** The sticky bar below, when the buttons are not inside a Form (else: SheetFooter). */
  footer?: ReactNode;
  /** Something was typed: closing asks first (face-unsaved). */
  dirty?: boolean | undefined;
  /** Being sent: it cannot be closed. */
  busy?: boolean | undefined;
  /** `bottom` rises to 88% of the window: the menu of a phone. */
  from?: 'right' | 'bottom' | undefined;
}

const SheetPanel = lazily(() => import('./sheet-panel'));

/** Fetches the code of overlays before the first one opens; call it when the page has come to rest. */
export const loadOverlays = (): Promise<unknown> => SheetPanel.load();

/**
 * The frame of an overlay: 520 px from the right, the whole screen on a phone. Escape and the cross close it (2.3-close-escape), focus stays inside
 * and goes back to what opened it. Save stands left in the footer, Cancel right of it.
 */
export function Sheet({ isOpen = true, ...props }: SheetProps) {
  // Nothing is fetched for a sheet that never opens; once opened it stays drawn, so that it can leave the way it came.
  const [opened, setOpened] = useState(isOpen);
  if (isOpen && !opened) setOpened(true);
  return opened ? <SheetPanel isOpen={isOpen} {...props} /> : null;
}

const CloseContext = createContext<() => void>(() => {});
export const SheetCloseProvider = CloseContext.Provider;
/** Closes the sheet around it, asking first when there are unsaved changes: for a Cancel button. */
export const useSheetClose = (): (() => void) => use(CloseContext);

/** The sticky bar of a sheet, 80 px; may stand inside a Form. */
export const SheetFooter = styled.div.attrs({ 'data-sheet-footer': true } as object)`
  position: sticky; bottom: 0; z-index: 1; display: flex; align-items: flex-start; gap: 8px 12px; flex-wrap: wrap; min-height: 80px;
  padding: 16px 24px max(16px, env(safe-area-inset-bottom)); margin: auto -24px 0; background: var(--w-surface); border-top: 1px solid var(--w-line);
  [data-reason] { width: max-content; max-width: min(360px, 75vw); margin-right: calc(-1 * min(360px, 75vw)); }
  @media (max-width: 767px) { padding-inline: 16px; margin: auto -16px 0; }
`;
