import type { Locale } from '@wattle/sdk';
import { ProblemError, setTransport } from '@wattle/sdk/host';
import { GlobalStyle } from '@wattle/ui/start';
import { lazy, type ReactNode, StrictMode, Suspense, startTransition, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { ShellTexts } from './context';
import { Remotes } from './federation';
import { shellTexts, startLocale, storeLocale } from './locale';
import { customerPortal, fetchPortal, isPortal, loadPortal, type NoPortal, type Portal } from './portal';
import { Session } from './session';

interface Started {
  portal: Portal;
  session: Session;
  remotes: Remotes;
  now(): number;
  startProblem?: string;
}

const NoLabel = lazy(() => import(/* webpackChunkName: "outside" */ './pages/no-label'));
const started = performance.now();
let locale: Locale = startLocale();
document.documentElement.lang = locale;

async function start(portal: Portal): Promise<Started> {
  const session = new Session({
    logoutUrl: portal.label.logout_url ?? '/',
    locale: () => locale,
    // 10-version-canary-page: this page has everyone's remotes; those of a canary customer require a new document
    signedIn: async (token) => {
      if (!portal.canary) return;
      const own = await fetchPortal(token).catch(() => portal);
      if (own.build === portal.build) return;
      location.reload();
      await new Promise(() => undefined);
    },
  });
  setTransport(session);
  let startProblem: string | undefined;
  await session
    .start({ demo: portal.demo, describe: async (token) => (await fetchPortal(token)).session })
    .catch((cause: unknown) => {
      startProblem = cause instanceof ProblemError ? cause.code : 'network';
    });
  startProblem = session.takeEndReason() ?? startProblem;
  const own = portal.canary && session.get() ? await customerPortal(session).catch(() => portal) : portal;
  const serverThen = Date.parse(portal.now);
  const deviceThen = Date.now() - (performance.now() - started);
  return {
    portal: own,
    session,
    remotes: new Remotes(own.remotes),
    now: () => serverThen + (Date.now() - deviceThen),
    ...(startProblem ? { startProblem } : {}),
  };
}

function Root({ shell, outside }: { shell?: Started; outside?: NoPortal | null }): ReactNode {
  const [now, set] = useState(locale);
  useEffect(() => {
    document.documentElement.lang = now;
  }, [now]);
  const setLocale = useCallback((next: Locale) => {
    storeLocale(next);
    locale = next;
    // a transition: the current screen and its input stay until the texts have loaded (face-lang)
    void shellTexts(next).then(() => startTransition(() => set(next)));
  }, []);
  return (
    <Suspense fallback={null}>
      <ShellTexts portal={shell?.portal ?? null} locale={now}>
        <GlobalStyle />
        {shell ? (
          <App {...shell} locale={now} setLocale={setLocale} />
        ) : (
          <NoLabel labels={outside?.labels} locale={now} setLocale={setLocale} />
        )}
      </ShellTexts>
    </Suspense>
  );
}

async function main(): Promise<void> {
  const texts = shellTexts(locale); // loads in parallel with the session
  const found = await loadPortal().catch(() => null);
  const shell = found && isPortal(found) ? await start(found) : undefined;
  await texts.catch(() => undefined); // retried when the texts are rendered
  // undefined if the connection is not secure: the browser then shows its own page without a connection (9-offline-page)
  if (shell) void navigator.serviceWorker?.register(`/offline.js?locale=${locale}`).catch(() => {});
  const place = document.getElementById('root');
  if (!place) throw new Error('index.html has no #root');
  createRoot(place).render(
    <StrictMode>{shell ? <Root shell={shell} /> : <Root outside={found && !isPortal(found) ? found : null} />}</StrictMode>,
  );
}
void main();
