import { createContext, use } from 'react';
import styled from 'styled-components';

const CloseContext = createContext<() => void>(() => {});
export const SheetCloseProvider = CloseContext.Provider;
/**
 * Returns a function that closes the surrounding sheet, after confirmation if there are unsaved changes. Use it for a Cancel
 * button.
 */
export const useSheetClose = (): (() => void) => use(CloseContext);

/** The sticky bar of a sheet, 80 px high; may be inside a Form. */
export const SheetFooter = styled.div.attrs({ 'data-sheet-footer': true } as object)`
  position: sticky; bottom: 0; z-index: 1; display: flex; align-items: flex-start; gap: 8px 12px; flex-wrap: wrap; min-height: 80px;
  padding: 16px 24px max(16px, env(safe-area-inset-bottom)); margin: auto -24px 0; background: var(--w-surface); border-top: 1px solid var(--w-line);
  [data-reason] { width: max-content; max-width: min(360px, 75vw); margin-right: calc(-1 * min(360px, 75vw)); }
  @media (max-width: 767px) { padding-inline: 16px; margin: auto -16px 0; }
`;
