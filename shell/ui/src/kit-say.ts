import { useIntl } from 'react-intl';

/** The texts of /dev/kit stand where they are used, in both languages: a page of examples needs no catalogue. */
export type Say = (nl: string, en: string) => string;

export function useSay(): Say {
  const { locale } = useIntl();
  return (nl, en) => (locale.startsWith('en') ? en : nl);
}
