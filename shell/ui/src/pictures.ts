import { createContext } from 'react';

/** The drawings of the kit. */
export type IllustrationName = 'empty' | 'error' | 'sent' | 'mill' | 'sun' | 'house';

/** URLs of the label's own pictures. */
export interface Pictures {
  /** Drawings instead of those of the kit. */
  illustrations?: Readonly<Partial<Record<IllustrationName, string>>> | undefined;
  /** A photo above the title of the current page. */
  photo?: string | undefined;
  /** A drawing next to the title of the current page. */
  drawing?: string | undefined;
}

/** The shell provides the label's pictures to `Illustration` and `Page`. */
export const PicturesContext = createContext<Pictures>({});
