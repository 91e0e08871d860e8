import { LinkButton, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

/** On /home: a link to the move wizard. */
export default function Teaser() {
  return (
    <Stack gap={16}>
      <p>
        <FormattedMessage
          id="move.teaser"
          defaultMessage="Take your contract with you to your new address. It takes a few minutes."
        />
      </p>
      <div>
        <LinkButton href="/move" icon="move" small>
          <FormattedMessage id="move.teaser_link" defaultMessage="Report a move" />
        </LinkButton>
      </div>
    </Stack>
  );
}
