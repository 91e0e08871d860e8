import { TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

/** On /home: a link to the move wizard. */
export default function Teaser() {
  return (
    <>
      <p>
        <FormattedMessage
          id="move.teaser"
          defaultMessage="Take your contract with you to your new address. It takes a few minutes."
        />
      </p>
      <TextLink href="/move">
        <FormattedMessage id="move.teaser_link" defaultMessage="Report a move" />
      </TextLink>
    </>
  );
}
