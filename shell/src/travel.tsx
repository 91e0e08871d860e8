import { anyUnsaved, type Location, ScrollRestoration, useBlocker } from '@wattle/sdk/host';
import { ConfirmDialog } from '@wattle/ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { type MessageDescriptor, useIntl } from 'react-intl';
import { useShell } from './context';
import { fetchPortal } from './portal';

/** How long a heading that is still loading is waited for, in milliseconds. */
const patience = 10_000;
/** At most one look a minute for a newer front end. */
const look = 60_000;

/**
 * What happens around navigation: document title, focus, scroll position, the question about unsaved changes, and a full load
 * after a deployment. Returns what has to be drawn.
 */
export function useTravel({
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
  // face-focus: after navigation to the heading; a closed overlay gives focus back by itself, because the page stays
  useEffect(() => {
    if (shown.current === page.pathname) return;
    shown.current = page.pathname;
    const main = document.getElementById('content');
    if (!main || page.hash || focusHeading(main)) return;
    const watch = new MutationObserver(() => {
      if (focusHeading(main)) stop();
    });
    watch.observe(main, { childList: true, subtree: true });
    const timer = setTimeout(() => stop(), patience);
    const stop = () => {
      watch.disconnect();
      clearTimeout(timer);
    };
    return stop;
  }, [page.pathname, page.hash]);

  useDeployment(page.pathname, overlay);
  // face-unsaved: a filter in the query loses nothing, and neither does an overlay above the page
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
      <ScrollRestoration getKey={(l) => (l.state as { background?: Location } | null)?.background?.key ?? l.key} />
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

/** The page that a location shows, below an overlay too. */
const pageOf = (l: Location): string => (l.state as { background?: Location } | null)?.background?.pathname ?? l.pathname;

/** Without scrolling: where the page stands is ScrollRestoration's business (face-scroll). False when there is no heading yet. */
function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector<HTMLElement>('h1[data-title]');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

/** face-deploy: a tab notices a newer front end in the background and loads it at the next navigation, with nothing on it to lose. */
function useDeployment(pathname: string, overlay: boolean): void {
  const { portal } = useShell();
  const state = useRef({ path: pathname, looked: 0, newer: false });
  useEffect(() => {
    const s = state.current;
    if (s.path === pathname) return;
    s.path = pathname;
    if (s.newer && !overlay && !anyUnsaved()) {
      location.reload();
      return;
    }
    if (s.newer || Date.now() - s.looked < look) return;
    s.looked = Date.now();
    fetchPortal().then(
      (fresh) => {
        s.newer = fresh.build !== portal.build;
      },
      () => undefined, // the next navigation looks again
    );
  }, [pathname, overlay, portal.build]);
}
