import { useIntl } from 'react-intl';
import { useSession, useShell } from './context';

/** Returns the part of the day in a time zone, for the greeting. */
export function partOfDay(now: number, zone: string): 'morning' | 'afternoon' | 'evening' {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(now));
  return hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
}

/** Returns the greeting for the current time of day, with the customer's first name if it is known (9-greeting-name). */
export function useGreeting(): string {
  const intl = useIntl();
  const { portal, now } = useShell();
  const session = useSession();
  const part = partOfDay(now(), portal.zone);
  const name = session?.preferred_name ?? session?.name ?? '';
  return part === 'morning'
    ? intl.formatMessage({ id: 'shell.greeting.morning', defaultMessage: 'Good morning, {name}' }, { name })
    : part === 'afternoon'
      ? intl.formatMessage({ id: 'shell.greeting.afternoon', defaultMessage: 'Good afternoon, {name}' }, { name })
      : intl.formatMessage({ id: 'shell.greeting.evening', defaultMessage: 'Good evening, {name}' }, { name });
}
