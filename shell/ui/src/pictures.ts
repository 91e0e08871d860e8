import { createContext } from 'react';

/** The kit's illustrations. */
export type IllustrationName = 'empty' | 'error' | 'sent' | 'mill' | 'sun' | 'house';

/** URLs of the label's own pictures. */
export interface Pictures {
  /** Illustrations that replace those of the kit. */
  illustrations?: Readonly<Partial<Record<IllustrationName, string>>> | undefined;
  /** A photo above the title of the current page. */
  photo?: string | undefined;
  /** An illustration next to the title of the current page. */
  drawing?: string | undefined;
}

/** The pictures of the label, which the shell provides to `Illustration` and `Page`. */
export const PicturesContext = createContext<Pictures>({});
