import { TextLink } from '@wattle/ui/start';
import type { ReactElement } from 'react';
import { FormattedMessage } from 'react-intl';
import { useShell } from '../context';

/** face-statement: a link to the portal's accessibility statement, or to the label's own. */
export function StatementLink(): ReactElement {
  const { url } = useShell().portal.label.accessibility;
  return (
    <TextLink href={url ?? '/accessibility'} external={Boolean(url)}>
      <FormattedMessage id="shell.accessibility.title" defaultMessage="Accessibility" />
    </TextLink>
  );
}
