import { CivilDate } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { Shares } from './texts';

/** The next move of shares, shown in the closed section of the account page. */
export default function AccountMovesSummary() {
  const moves = api.useGet('/sustainable/participations/moves').data;
  if (!moves) return null;
  const next = moves.toSorted((a, b) => a.date.localeCompare(b.date))[0];
  return next ? (
    <>
      <CivilDate day={next.date} /> · <Shares n={next.shares} />
    </>
  ) : (
    <FormattedMessage id="marketplace.moves.nothing" defaultMessage="None planned" />
  );
}
