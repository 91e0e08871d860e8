import { useIntl } from 'react-intl';

/** Returns the text in the current language. The texts of /dev/kit are written where they are used: examples need no catalog. */
export type Say = (nl: string, en: string) => string;

export function useSay(): Say {
  const { locale } = useIntl();
  return (nl, en) => (locale.startsWith('en') ? en : nl);
}
