import type { Locale, Remote } from '@wattle/sdk';
import { intlLocale, ModuleContext } from '@wattle/sdk/host';
import { createContext, type ReactElement, type ReactNode, use, useContext, useMemo, useSyncExternalStore } from 'react';
import { IntlProvider } from 'react-intl';
import type { Composition, Place } from './compose';
import type { Remotes } from './federation';
import { titleTexts } from './label-pages';
import { shellTexts, type Texts } from './locale';
import type { Portal } from './portal';
import type { Session, SessionInfo } from './session';
import { trees } from './texts';

export interface Shell {
  portal: Portal;
  session: Session;
  remotes: Remotes;
  locale: Locale;
  setLocale(locale: Locale): void;
  place: Place;
  composition: Composition;
  /** The current time according to the server's clock, in milliseconds since 1970. */
  now(): number;
  /** Error code of a failed session start; shown on the sign-in page. */
  startProblem?: string;
}

export const ShellContext = createContext<Shell | null>(null);
export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('used outside of the shell');
  return shell;
}

export function useSession(): SessionInfo | null {
  const { session } = useShell();
  return useSyncExternalStore(session.subscribe, session.get);
}

interface PortalTexts {
  /** Title and menu texts of all remotes. */
  titles: Texts;
  /** The label's own texts. */
  own: Texts;
}
const given = new WeakMap<Portal, Map<Locale, Promise<PortalTexts>>>();

/** Returns the texts in the portal response, parsed. */
function loadPortalTexts(portal: Portal, locale: Locale): Promise<PortalTexts> {
  const known = given.get(portal) ?? new Map<Locale, Promise<PortalTexts>>();
  given.set(portal, known);
  let texts = known.get(locale);
  if (!texts) {
    const titles = Object.assign({}, ...portal.remotes.map((r) => r.manifest.titles[locale])) as Texts;
    texts = Promise.all([trees(titles), trees(portal.messages[locale] ?? {})]).then(([titles, own]) => ({
      titles: { ...titles, ...titleTexts(portal.pages, locale) },
      own,
    }));
    known.set(locale, texts);
  }
  return texts;
}

/** Provides the texts of shell, kit and menus, with the label's overrides. Suspends while a language is loading. */
export function ShellTexts({
  portal,
  locale,
  children,
}: {
  portal: Portal | null;
  locale: Locale;
  children: ReactNode;
}): ReactElement {
  const own = use(shellTexts(locale));
  const label = portal && use(loadPortalTexts(portal, locale));
  const all = useMemo(() => ({ ...own, ...label?.titles, ...label?.own }), [own, label]);
  return <Texted locale={locale} texts={all} children={children} />;
}

const remoteTexts = new Map<string, Promise<Texts>>();
/** Loads the texts of a module: either all, or only those of its slot views. */
function textsOf(remotes: Remotes, key: string, locale: Locale, slot = false): Promise<Texts> {
  const id = `${key} ${locale}${slot ? ' slots' : ''}`;
  let texts = remoteTexts.get(id);
  if (!texts) {
    texts = remotes.get(key).then(async (r: Remote) => {
      if (slot && !r.slotMessages) return textsOf(remotes, key, locale);
      const inSlots = r.slotMessages?.(locale);
      const all = await Promise.all(slot ? [inSlots] : [inSlots, r.messages(locale)]);
      return trees(Object.assign({}, ...all.map((texts) => texts?.default)) as Texts);
    });
    texts.catch(() => undefined);
    remoteTexts.set(id, texts);
  }
  return texts;
}
/** Lets the next use of a module retry texts that failed to load. */
export async function forgetTexts(key: string): Promise<void> {
  for (const [id, texts] of remoteTexts) if (id.startsWith(`${key} `)) await texts.catch(() => remoteTexts.delete(id));
}
/** Loads the texts of a module before they are rendered. */
export const preloadTexts = (remotes: Remotes, key: string, locale: Locale): Promise<unknown> => textsOf(remotes, key, locale);

/**
 * Provides the texts of a remote: those of kit and shell, titles of items in its slots, its own texts, and the label's overrides.
 * @param slot whether the children are a slot view, which only needs the slot texts
 */
export function ModuleScope(p: { module: string; slot: boolean; children: ReactNode }): ReactElement {
  const { module, children } = p;
  const { portal, remotes, locale } = useShell();
  const shell = use(shellTexts(locale));
  const own = use(textsOf(remotes, module, locale, p.slot));
  const label = use(loadPortalTexts(portal, locale));
  const all = useMemo(() => ({ ...shell, ...label.titles, ...own, ...label.own }), [shell, label, own]);
  return (
    <ModuleContext value={module}>
      <Texted locale={locale} texts={all} children={children} />
    </ModuleContext>
  );
}

/** Provides the texts and their number format. */
export function Texted({ locale, texts, children }: { locale: Locale; texts: Texts; children: ReactNode }): ReactElement {
  return (
    <IntlProvider locale={intlLocale(locale)} defaultLocale="en" messages={texts as Record<string, string>} onError={missing}>
      {children}
    </IntlProvider>
  );
}
const missing = (e: { code: string; message: string }) => {
  if (e.code !== 'MISSING_DATA') console.warn(e.message);
};
