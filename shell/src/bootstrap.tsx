import type { Locale } from '@wattle/sdk';
import { clearDrafts, ProblemError, setTransport } from '@wattle/sdk/host';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { GlobalStyle } from '@wattle/ui/start';
import { type ReactNode, StrictMode, Suspense, startTransition, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { ShellTexts } from './context';
import { Remotes } from './federation';
import { shellTexts, startLocale, storeLocale } from './locale';
import { Cards, StartFailed } from './pages/outside';
import { fetchPortal, isPortal, loadPortal, type NoPortal, type Portal } from './portal';
import { Session } from './session';

interface Started {
  portal: Portal;
  session: Session;
  remotes: Remotes;
  queries: QueryClient;
  now(): number;
  startProblem?: string;
}

const started = performance.now();
let locale: Locale = startLocale();
document.documentElement.lang = locale;

async function start(portal: Portal): Promise<Started> {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // what the customer did wrong does not get better by trying again
        retry: (failures, cause) => failures < 2 && cause instanceof ProblemError && (cause.status === 0 || cause.status >= 500),
        refetchOnWindowFocus: false,
      },
    },
  });
  const session = new Session({
    logoutUrl: portal.label.logout_url ?? '/',
    locale: () => locale,
    clear() {
      queries.clear();
      clearDrafts();
    },
  });
  setTransport(session);
  let startProblem: string | undefined;
  await session.start({ demo: portal.demo, describe: async (token) => (await fetchPortal(token)).session }).catch((cause: unknown) => {
    startProblem = cause instanceof ProblemError ? cause.code : 'network';
  });
  if (session.endedByItself()) startProblem = 'session_expired';
  const serverThen = Date.parse(portal.now);
  const deviceThen = Date.now() - (performance.now() - started);
  return {
    portal,
    session,
    remotes: new Remotes(portal.remotes),
    queries,
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
    // a transition: what is on screen, and what was typed there, stays until the texts have come (face-lang)
    void shellTexts(next).then(() => startTransition(() => set(next)));
  }, []);
  return (
    <Suspense fallback={null}>
      <ShellTexts portal={shell?.portal ?? null} locale={now}>
        <GlobalStyle />
        {shell ? (
          <QueryClientProvider client={shell.queries}>
            <App {...shell} locale={now} setLocale={setLocale} />
          </QueryClientProvider>
        ) : outside?.labels ? (
          <Cards labels={outside.labels} locale={now} setLocale={setLocale} />
        ) : (
          <StartFailed locale={now} setLocale={setLocale} />
        )}
      </ShellTexts>
    </Suspense>
  );
}

async function main(): Promise<void> {
  const texts = shellTexts(locale); // at the same time as the session
  const found = await loadPortal().catch(() => null);
  const shell = found && isPortal(found) ? await start(found) : undefined;
  await texts.catch(() => undefined); // without them the English of the source shows
  const place = document.getElementById('root');
  if (!place) throw new Error('index.html has no #root');
  createRoot(place).render(
    <StrictMode>
      {shell ? <Root shell={shell} /> : <Root outside={found && !isPortal(found) ? found : null} />}
    </StrictMode>,
  );
}
void main();
