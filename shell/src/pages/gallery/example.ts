import type { ComponentType } from 'react';

/** Returns the text in the language of the page. */
export type Say = (nl: string, en: string) => string;

/** The props of every example: texts in the language of the page. The source to copy has the English texts, without `say`. */
export interface Example {
  say: Say;
}

/** A component of the gallery, under its name. */
export interface Entry {
  /** When to use it, in Dutch and English. */
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
  description: string;
}

/** Generated from the sources of a component and its example (tools/gen/kit.mjs). */
export interface Documented {
  /** The entry to import it from. */
  entry: string;
  /** The doc comment in its source. */
  description: string;
  props: readonly Prop[];
  /** The element whose attributes it also accepts. */
  inherits?: string;
  source: string;
}
