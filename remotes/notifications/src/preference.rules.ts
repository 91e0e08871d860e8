import type { Preference } from './api';

/** What of a kind is switched on, in a word. */
export const ways = (p: Preference): 'always' | 'both' | 'portal' | 'mail' | 'none' =>
  p.fixed ? 'always' : p.portal && p.mail ? 'both' : p.portal ? 'portal' : p.mail ? 'mail' : 'none';

/** The switches of a form by name, `news.mail`; fixed kinds have none. */
export const switchesOf = (kinds: readonly Preference[]): Record<string, boolean> =>
  Object.fromEntries(
    kinds
      .filter((p) => !p.fixed)
      .flatMap((p) => [
        [`${p.kind}.portal`, p.portal],
        [`${p.kind}.mail`, p.mail],
      ]),
  );

/** The preferences as the switches of a form have them. */
export const withSwitches = (kinds: readonly Preference[], switches: Record<string, boolean>): Preference[] =>
  kinds.map((p) => ({
    ...p,
    portal: switches[`${p.kind}.portal`] ?? p.portal,
    mail: switches[`${p.kind}.mail`] ?? p.mail,
  }));
