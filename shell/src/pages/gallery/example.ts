import type { ComponentType } from 'react';

/** Returns the text in the language of the page. */
export type Say = (nl: string, en: string) => string;

/** The props of every example: texts in the language of the page. The source to copy has the English ones, without `say`. */
export interface Example {
  say: Say;
}

/** A component of the gallery, under its name. */
export interface Entry {
  /** When to use it: in Dutch and in English. */
  use: readonly [nl: string, en: string];
  view: ComponentType<Example>;
}

export interface Group {
  id: string;
  title: readonly [nl: string, en: string];
  entries: Readonly<Record<string, Entry>>;
}

export interface Prop {
  name: string;
  type: string;
  optional?: true;
  default?: string;
  about: string;
}

/** What is generated from the sources of a component and of its example (tools/gen/kit.mjs). */
export interface Documented {
  /** The entry to import it from. */
  entry: string;
  /** The comment in its source. */
  about: string;
  props: readonly Prop[];
  /** It also takes the attributes of this element. */
  inherits?: string;
  source: string;
}
