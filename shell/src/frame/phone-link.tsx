import { TextLink } from '@wattle/ui/start';
import type { ReactElement } from 'react';
import { useShell } from '../context';

/** The phone number of the label's customer service, on one line. */
export function PhoneLink(): ReactElement {
  const { phone } = useShell().portal.label;
  return (
    <TextLink href={`tel:${phone.replace(/[^\d+]/g, '')}`} style={{ whiteSpace: 'nowrap' }}>
      {phone}
    </TextLink>
  );
}
