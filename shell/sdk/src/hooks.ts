import { useCallback, useContext, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { defineMessages, useIntl } from 'react-intl';
import { useLocation, useNavigate } from 'react-router';
import { currentTransport, ModuleContext, type Notification, type Portal, useHost } from './context';
import { overlayPath } from './manifest';

export function usePortal(): Portal {
  return useHost().portal;
}

/**
 * Returns the settings of this module that the browser may see (in Go: fields tagged `browser:"true"`). S is a schema in
 * api.gen.ts.
 */
export function useSettings<S>(): S {
  const host = useHost();
  return (host.settings[useContext(ModuleContext)] ?? {}) as S;
}

export function useNotify(): (n: Notification) => void {
  return useHost().notify;
}

const reasons = defineMessages({
  unavailable: { id: 'core.may.unavailable', defaultMessage: 'This is not available here.' },
  signIn: { id: 'core.may.sign_in', defaultMessage: 'Sign in first to do this.' },
  staff: { id: 'core.may.staff', defaultMessage: 'Only our colleagues can do this.' },
  customer: { id: 'core.may.customer', defaultMessage: 'Only a customer can do this.' },
  impersonator: {
    id: 'core.may.impersonator',
    defaultMessage: 'You are only viewing this portal, so you cannot change anything.',
  },
});

/** Returns whether this session may call an operation (x-access, impersonation, label). Show `reason` on the disabled control. */
export function useMay(operation: string): { ok: true } | { ok: false; reason: string } {
  const { operations, portal } = useHost();
  const intl = useIntl();
  const op = operations[operation];
  const blocked = (() => {
    if (!op) return reasons.unavailable;
    if (op.access === 'public') return null;
    if (!portal.session) return reasons.signIn;
    if ((op.access === 'staff' || op.access === 'key') && portal.session.role !== 'staff') return reasons.staff;
    // core's operations for customers, such as signing out other sessions, are also for staff
    if (op.access === 'customer' && portal.session.role !== 'customer' && !operation.startsWith('core.')) return reasons.customer;
    if (portal.session.impersonator && op.effect === 'write' && !op.impersonation) return reasons.impersonator;
    return null;
  })();
  return blocked ? { ok: false, reason: intl.formatMessage(blocked) } : { ok: true };
}

/** Router state of an open overlay; the page below it stays mounted. */
export interface OverlayState {
  background?: { pathname: string; search: string; hash: string; key: string; state: unknown };
}

export function useOverlay(): { open(name: string, params?: Record<string, string>): void } {
  const { overlays } = useHost();
  const location = useLocation();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      open(name, params) {
        const overlay = overlays.find((o) => o.name === name);
        if (!overlay) throw new Error(`no overlay ${name} in this label`);
        const above = (location.state as OverlayState | null)?.background;
        const below = above ?? location;
        const view = below.pathname.split('/')[1] ?? '';
        navigate(overlayPath(view, overlay, params), {
          state: { background: below } satisfies OverlayState,
          replace: above !== undefined,
        });
      },
    }),
    [overlays, location, navigate],
  );
}

/**
 * Returns a function that translates a problem for customers: the text with the problem's code as its id, from this module or the
 * shell, or a general text if there is none. The codes of a module begin with its key.
 */
export function useProblemText(): (p: { code: string }) => string {
  const intl = useIntl();
  return useCallback(
    (p) => {
      const text = { id: p.code in intl.messages ? p.code : 'unexpected' };
      return intl.formatMessage(text);
    },
    [intl],
  );
}

const prefix = 'wattle:draft:';
const drafts = new EventTarget();

/** Removes all drafts of this tab. */
export function clearDrafts(): void {
  for (const k of Object.keys(sessionStorage)) if (k.startsWith(prefix)) sessionStorage.removeItem(k);
  drafts.dispatchEvent(new Event('change'));
}

/**
 * Returns [value, set, clear] of a draft for a wizard or form, kept per tab, label and subject in sessionStorage until sign-out.
 */
export function useDraft<T>(key: string, empty: T): readonly [T, (next: T) => void, () => void] {
  const { draftScope } = useHost();
  const name = `${prefix}${draftScope}:${useContext(ModuleContext)}:${key}`;
  const subscribe = useCallback((on: () => void) => {
    drafts.addEventListener('change', on);
    return () => drafts.removeEventListener('change', on);
  }, []);
  const stored = useSyncExternalStore(subscribe, () => sessionStorage.getItem(name));
  const [start] = useState(empty);
  const value = useMemo(() => {
    try {
      return stored === null ? start : (JSON.parse(stored) as T);
    } catch {
      return start;
    }
  }, [stored, start]);
  const write = useCallback(
    (next: T | undefined) => {
      if (next === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, JSON.stringify(next));
      drafts.dispatchEvent(new Event('change'));
    },
    [name],
  );
  const clear = useCallback(() => write(undefined), [write]);
  return [value, write, clear];
}

const unsaved = new Map<string, 'page' | 'overlay'>();
/** Returns whether a page or overlay has unsaved changes; the shell then asks for confirmation before it navigates. */
export const anyUnsaved = (where?: 'page' | 'overlay'): boolean =>
  where ? [...unsaved.values()].includes(where) : unsaved.size > 0;

/** Works like useUnsaved for a page or an overlay. Returns a function that clears the mark immediately, after a confirmed close. */
export function useUnsavedIn(where: 'page' | 'overlay', dirty: boolean): () => void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    unsaved.set(id, where);
    return () => void unsaved.delete(id);
  }, [dirty, id, where]);
  return useCallback(() => void unsaved.delete(id), [id]);
}

/**
 * Asks for confirmation before the customer leaves the page while `dirty` is true (row face-unsaved). In an overlay use its
 * setDirty.
 */
export function useUnsaved(dirty: boolean): void {
  useUnsavedIn('page', dirty);
}

/**
 * Signs out, as a sign-out in another tab and a 401 after a failed refresh also do. It aborts calls, sends POST sign-out, clears
 * drafts, storage and queries, and calls location.replace(logout_redirect_url ?? '/'), because only a new document resets
 * module-level state.
 */
export function signOut(): Promise<never> {
  return currentTransport().signOut();
}
