import { anyUnsaved, type Location, ScrollRestoration, useBlocker } from '@wattle/sdk/host';
import { ConfirmDialog } from '@wattle/ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { type MessageDescriptor, useIntl } from 'react-intl';
import { useShell } from './context';
import { customerPortal, fetchPortal } from './portal';

/** Milliseconds to wait for a heading that is still loading. */
const headingTimeout = 10_000;
/** Minimum time between two checks for a newer front end, in milliseconds. */
const deploymentCheckInterval = 60_000;

/**
 * Handles navigation: document title, focus, scroll position, confirmation of unsaved changes, and a full load after a deployment.
 * Returns the elements to render.
 */
export function useNavigationEffects({
  page,
  title,
  overlay,
}: {
  page: Location;
  title: MessageDescriptor | undefined;
  overlay: boolean;
}): ReactNode {
  const intl = useIntl();
  const { portal } = useShell();
  const label = portal.label.page_title || portal.label.name;
  const name = title && intl.formatMessage(title);
  // face-title
  useEffect(() => {
    document.title = name ? `${name} | ${label}` : label;
  }, [name, label]);

  const shown = useRef(page.pathname);
  // face-focus: after navigation the heading gets focus; closing an overlay needs nothing, because the page stayed mounted
  useEffect(() => {
    if (shown.current === page.pathname) return;
    shown.current = page.pathname;
    const main = document.getElementById('content');
    if (!main || page.hash || focusHeading(main)) return;
    const watch = new MutationObserver(() => {
      if (focusHeading(main)) stop();
    });
    watch.observe(main, { childList: true, subtree: true });
    const timer = setTimeout(() => stop(), headingTimeout);
    const stop = () => {
      watch.disconnect();
      clearTimeout(timer);
    };
    return stop;
  }, [page.pathname, page.hash]);

  useDeployment(page.pathname, overlay);
  // face-unsaved: changing the query or opening an overlay above the page loses no changes
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      (anyUnsaved('page') && pageOf(from) !== pageOf(to)) || (anyUnsaved('overlay') && from.pathname !== to.pathname),
  );
  useEffect(() => {
    const ask = (e: BeforeUnloadEvent) => {
      if (anyUnsaved()) e.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return (
    <>
      <ScrollRestoration getKey={scrollKey} />
      <ConfirmDialog
        isOpen={blocker.state === 'blocked'}
        title={intl.formatMessage({ id: 'shell.leave.title', defaultMessage: 'Leave without saving?' })}
        confirm={intl.formatMessage({ id: 'shell.leave.confirm', defaultMessage: 'Leave' })}
        cancel={intl.formatMessage({ id: 'shell.leave.cancel', defaultMessage: 'Stay' })}
        tone="danger"
        onConfirm={() => blocker.proceed?.()}
        onClose={() => blocker.reset?.()}
      >
        {intl.formatMessage({ id: 'shell.leave.text', defaultMessage: 'What you changed on this page has not been saved.' })}
      </ConfirmDialog>
    </>
  );
}

/** Returns the path of the page at a location, also if an overlay is above it. */
const pageOf = (l: Location): string => (l.state as { background?: Location } | null)?.background?.pathname ?? l.pathname;

/**
 * Returns the key of a scroll position: the page's place in the history. An overlay has the position of the page below it. The
 * first page of each document always has the same key, so its path is used.
 */
function scrollKey(l: Pick<Location, 'key' | 'pathname' | 'state'>): string {
  const at = (l.state as { background?: Location } | null)?.background ?? l;
  return at.key === 'default' ? at.pathname : at.key;
}

/**
 * Focuses the heading without scrolling, because ScrollRestoration sets the position (face-scroll). Returns false if there is none
 * yet.
 */
function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector<HTMLElement>('h1[data-title]');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

/** face-deploy: checks for a newer front end in the background, and loads it at the next navigation that would not lose changes. */
function useDeployment(pathname: string, overlay: boolean): void {
  const { portal, session } = useShell();
  const state = useRef({ path: pathname, looked: 0, newer: false });
  useEffect(() => {
    const s = state.current;
    if (s.path === pathname) return;
    s.path = pathname;
    if (s.newer && !overlay && !anyUnsaved()) {
      location.reload();
      return;
    }
    if (s.newer || Date.now() - s.looked < deploymentCheckInterval) return;
    s.looked = Date.now();
    const signedIn = session.get() !== null;
    (signedIn ? customerPortal(session) : fetchPortal()).then(
      (fresh) => {
        // with an expired token, the response is the one without a session
        if (!signedIn || fresh.session) s.newer = fresh.build !== portal.build;
      },
      () => undefined, // the next navigation checks again
    );
  }, [pathname, overlay, portal.build, session]);
}
