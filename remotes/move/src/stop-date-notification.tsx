import { type OverlayProps, useToday } from '@wattle/sdk';
import { Button, formatDay, Stack, useSheetClose } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { addDays, earliestStart } from './dates.rules';

/** 2.3-overlay-stop-date, 2.3-stop-date-content */
export default function StopDateNotification(_: OverlayProps) {
  const close = useSheetClose();
  const start = earliestStart(useToday());
  return (
    <Stack gap={24}>
      <p>
        <FormattedMessage
          id="move.stop.intro"
          defaultMessage="The end date is the last day on which we supply your old address. Delivery there ends on that day."
        />
      </p>
      <Points>
        <li>
          <h3>
            <FormattedMessage id="move.stop.empty" defaultMessage="You leave it empty" />
          </h3>
          <p>
            <FormattedMessage
              id="move.stop.empty_text"
              defaultMessage="We settle your old address with the start date at your new address. You pay for one home at a time."
            />
          </p>
        </li>
        <li>
          <h3>
            <FormattedMessage id="move.stop.filled" defaultMessage="You fill it in" />
          </h3>
          <p>
            <FormattedMessage
              id="move.stop.filled_text"
              defaultMessage="You keep energy at both addresses until that day, for example because you are still decorating. Say you start on {start} and end on {stop}: in between we supply both, and you pay for both."
              values={{ start: formatDay(start), stop: formatDay(addDays(start, 14)) }}
            />
          </p>
        </li>
        <li>
          <h3>
            <FormattedMessage id="move.stop.after" defaultMessage="What comes after" />
          </h3>
          <p>
            <FormattedMessage
              id="move.stop.after_text"
              defaultMessage="Write down your meter readings on the last day. With them we make the final statement of your old address."
            />
          </p>
        </li>
      </Points>
      <div>
        <Button onClick={close}>
          <FormattedMessage id="move.close" defaultMessage="Close" />
        </Button>
      </div>
    </Stack>
  );
}

const Points = styled.ul`
  list-style: none; display: flex; flex-direction: column; gap: 24px;
  h3 { font-size: 16px; }
`;
