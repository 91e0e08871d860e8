import { useToday } from '@wattle/sdk';
import { Attention, CivilDate } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { streetLine } from './address.rules';
import { api } from './api';

/** Moves that are being processed or are in the future (9-dashboard-attention). */
export default function MoveAttention() {
  const today = useToday();
  const moves = api.useGet('/moves').data ?? [];
  return moves
    .filter((m) => m.state === 'PENDING' || (m.state === 'PROCESSED' && m.start_date >= today))
    .map((m) => (
      <Attention
        key={m.id}
        icon="move"
        href="/account#move.moves"
        hint={
          m.state === 'PENDING' && <FormattedMessage id="move.attention.pending" defaultMessage="We are processing your move" />
        }
      >
        <FormattedMessage
          id="move.attention.ahead"
          defaultMessage="You move to {address} on {day}"
          values={{ address: `${streetLine(m.new_address)}, ${m.new_address.city}`, day: <CivilDate day={m.start_date} /> }}
        />
      </Attention>
    ));
}
