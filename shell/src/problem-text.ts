import type { IntlShape, MessageDescriptor } from 'react-intl';
import { problems } from './problems';

/** Returns the text of one of core's problems, or the label's override of it. */
export function problemOf(intl: IntlShape, { code }: { code: string }): string {
  const text: MessageDescriptor = (problems as Record<string, MessageDescriptor>)[code] ?? problems.unexpected;
  return intl.formatMessage(text);
}
