import { anyUnsaved, type Location, ScrollRestoration, useBlocker } from '@wattle/sdk/host';
import { ConfirmDialog, focusTitle } from '@wattle/ui';
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
export function useTravel({ page, title, overlay }: { page: Location; title: MessageDescriptor | undefined; overlay: boolean }): ReactNode {
  const intl = useIntl();
  const { portal } = useShell();
  const label = portal.label.page_title || portal.label.name;
  const name = title && intl.formatMessage(title);
  // face-title
  useEffect(() => {
    document.title = name ? `${name} | ${label}` : label;
  }, [name, label]);

  const first = useRef(true);
  // face-focus: after navigation to the heading; a closed overlay gives focus back by itself, because the page stays
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const main = document.getElementById('content');
    if (!main || page.hash || focusTitle(main)) return;
    const watch = new MutationObserver(() => {
      if (focusTitle(main)) stop();
    });
    watch.observe(main, { childList: true, subtree: true });
    const timer = setTimeout(() => stop(), patience);
    const stop = () => {
      watch.disconnect();
      clearTimeout(timer);
    };
    return stop;
  }, [page.pathname]);

  useDeployment(page.pathname, overlay);
  // face-unsaved: only leaving the address asks; a filter in the query loses nothing
  const blocker = useBlocker(({ currentLocation, nextLocation }) => anyUnsaved() && currentLocation.pathname !== nextLocation.pathname);
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
