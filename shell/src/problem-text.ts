import type { IntlShape, MessageDescriptor } from 'react-intl';
import { problems } from './problems';

/** The text of a problem that core refuses with; the label may have put its own in its place. */
export function problemOf(intl: IntlShape, { code }: { code: string }): string {
  const text: MessageDescriptor = (problems as Record<string, MessageDescriptor>)[code] ?? problems.unexpected;
  return intl.formatMessage(text);
}
