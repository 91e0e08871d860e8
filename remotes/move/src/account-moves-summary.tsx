import { CivilDate } from '@wattle/ui';
import { useCurrentMoves } from './account-moves';
import { streetLine } from './address.rules';

/** The next move, shown in the closed section of the account page. */
export default function AccountMovesSummary() {
  const next = useCurrentMoves().moves?.toSorted((a, b) => a.start_date.localeCompare(b.start_date))[0];
  return (
    next && (
      <>
        <CivilDate day={next.start_date} /> · {streetLine(next.new_address)}, {next.new_address.city}
      </>
    )
  );
}
