import type { Locale } from '@wattle/sdk';

const key = 'wattle:locale';
const known = (tag: string | null | undefined): Locale | undefined => {
  const language = tag?.slice(0, 2).toLowerCase();
  return language === 'nl' || language === 'en' ? language : undefined;
};

/** 1-language-resolution: the stored choice, otherwise the browser's language if it is supported, otherwise Dutch. */
export const resolveLocale = (stored: string | null, browser: string | undefined): Locale =>
  known(stored) ?? known(browser) ?? 'nl';

export const startLocale = (): Locale => resolveLocale(read(), navigator.language);
/** 4-language-stored */
export function storeLocale(locale: Locale): void {
  try {
    localStorage.setItem(key, locale);
  } catch {
    // a browser without storage keeps the choice for this document
  }
}
function read(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export type Texts = Record<string, unknown>;
const loaded = new Map<Locale, Promise<Texts>>();

/** Loads the texts of shell and kit, once per language. */
export function shellTexts(locale: Locale): Promise<Texts> {
  let texts = loaded.get(locale);
  if (!texts) {
    texts = (
      locale === 'nl'
        ? import(/* webpackChunkName: "nl" */ './messages/compiled/nl.json')
        : import(/* webpackChunkName: "en" */ './messages/compiled/en.json')
    ).then((m) => m.default as Texts);
    texts.catch(() => loaded.delete(locale));
    loaded.set(locale, texts);
  }
  return texts;
}
