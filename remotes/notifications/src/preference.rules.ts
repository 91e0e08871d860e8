import type { Preference } from './api';

/** Returns the enabled channels of a kind. */
export const channelsOf = (p: Preference): 'always' | 'both' | 'portal' | 'mail' | 'none' =>
  p.fixed ? 'always' : p.portal && p.mail ? 'both' : p.portal ? 'portal' : p.mail ? 'mail' : 'none';

/** Returns the form's switches by name, such as `news.mail`; fixed kinds have none. */
export const switchesOf = (kinds: readonly Preference[]): Record<string, boolean> =>
  Object.fromEntries(
    kinds
      .filter((p) => !p.fixed)
      .flatMap((p) => [
        [`${p.kind}.portal`, p.portal],
        [`${p.kind}.mail`, p.mail],
      ]),
  );

/** Returns the preferences with the values of the form's switches. */
export const withSwitches = (kinds: readonly Preference[], switches: Record<string, boolean>): Preference[] =>
  kinds.map((p) => ({
    ...p,
    portal: switches[`${p.kind}.portal`] ?? p.portal,
    mail: switches[`${p.kind}.mail`] ?? p.mail,
  }));
