import type { Locale } from '@wattle/sdk';
import { type ReactElement, type ReactNode, use, useMemo } from 'react';
import { useIntl } from 'react-intl';
import { Texted } from './context';
import type { Texts } from './locale';

const loaded = new Map<Locale, Promise<Texts>>();

/** Loads the texts of pages that are rarely opened, once per language. */
function laterTexts(locale: Locale): Promise<Texts> {
  let texts = loaded.get(locale);
  if (!texts) {
    const load = () =>
      locale === 'nl'
        ? import(/* webpackChunkName: "nl.later" */ './messages/compiled/nl.later.json')
        : import(/* webpackChunkName: "en.later" */ './messages/compiled/en.later.json');
    texts = load()
      .catch(load) // one retry
      .then((m) => m.default as Texts);
    texts.catch(() => loaded.delete(locale));
    loaded.set(locale, texts);
  }
  return texts;
}

/**
 * Adds the texts of a page that is rarely opened (`later` in tools/messages.mjs), which are not among those of every page
 * (9-later-texts). A label's own text stays the one that is shown.
 */
export function LaterTexts({ children }: { children: ReactNode }): ReactElement {
  const { locale, messages } = useIntl();
  const language: Locale = locale.startsWith('en') ? 'en' : 'nl';
  const later = use(laterTexts(language));
  const all = useMemo(() => ({ ...later, ...messages }), [later, messages]);
  return <Texted locale={language} texts={all} children={children} />;
}
