import type { createBrowserRouter, OverlayState } from '@wattle/sdk/host';

type Router = ReturnType<typeof createBrowserRouter>;

/** Milliseconds in which the sheet itself may return focus. */
const sheetPause = 50;
/** Milliseconds after which going back is considered failed, because there is no previous page. */
const backTimeout = 500;
let opener: Element | null = null;

/**
 * Opens overlays above the current page, whichever link, menu or call opens them: the page stays mounted, and closing returns to it
 * and to the control that opened the overlay (9-overlay-return).
 */
export function openAbove(router: Router, isOverlay: (path: string) => boolean): Router {
  const navigate = router.navigate as (to: unknown, options?: { replace?: boolean; state?: unknown }) => Promise<void>;
  let goingBack: Promise<unknown> | undefined;
  router.navigate = (async (to: unknown, options: { replace?: boolean; state?: OverlayState | null } = {}) => {
    if (typeof to === 'number') {
      // the browser goes back asynchronously: navigation by a form that has just closed must wait for that
      goingBack = Promise.race([arrival(router), new Promise((late) => setTimeout(late, backTimeout))]);
      return navigate(to);
    }
    if (goingBack) await goingBack;
    goingBack = undefined;
    const path = typeof to === 'string' ? to.replace(/[?#].*/, '') : (to as { pathname?: string } | null)?.pathname;
    const { location } = router.state;
    if (!path || !isOverlay(path) || isOverlay(location.pathname)) return navigate(to, options);
    opener = openerOf(document.activeElement);
    return navigate(to, options.replace ? options : { ...options, state: { background: location, ...options.state } });
  }) as Router['navigate'];
  return router;
}

/** Resolves when the router has changed its location, or asks for confirmation of unsaved changes. */
const arrival = (router: Router): Promise<void> =>
  new Promise((done) => {
    const stop = router.subscribe(() => {
      stop();
      done();
    });
  });

/** Returns the control that should get focus again: for a control in a menu, which closes, the button that opens the menu. */
const openerOf = (control: Element | null): Element | null =>
  control?.closest('[role=menu], [role=dialog]') ? document.querySelector('[aria-haspopup][aria-expanded=true]') : control;

/** If focus would be lost, moves it to the control that opened the overlay, or else to the title of the page below. */
export function returnFocus(): void {
  const to = opener?.isConnected ? opener : document.querySelector('h1[data-title]');
  setTimeout(() => {
    if (document.activeElement === document.body) (to as HTMLElement | null)?.focus();
  }, sheetPause);
}
