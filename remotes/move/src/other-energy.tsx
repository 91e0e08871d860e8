import { Notice } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { OtherCommodity } from './wizard.rules';

/** Explains that the new address has gas or electricity that the agreement does not cover, and what the customer can do. */
export function OtherEnergy({ others, live }: { others: readonly OtherCommodity[]; live?: boolean }) {
  return others.map(({ commodity, contract }) => (
    <Notice
      key={commodity}
      tone="warning"
      {...(live ? { live } : {})}
      title={
        <FormattedMessage
          id="move.other_energy"
          defaultMessage="{commodity, select, GAS {There is gas at this address too: it does not move with you} other {There is electricity at this address too: it does not move with you}}"
          values={{ commodity }}
        />
      }
    >
      {contract ? (
        <FormattedMessage
          id="move.other_energy.own"
          defaultMessage="{commodity, select, GAS {For gas you have a contract of its own, {contract}} other {For electricity you have a contract of its own, {contract}}}. Request a move for that one as well."
          values={{ commodity, contract }}
        />
      ) : (
        <FormattedMessage
          id="move.other_energy.none"
          defaultMessage="{commodity, select, GAS {Your contract is for electricity only. Take out a contract for gas that starts on the day you get the keys, with us or elsewhere; without one the grid operator can shut the gas off.} other {Your contract is for gas only. Take out a contract for electricity that starts on the day you get the keys, with us or elsewhere; without one the grid operator can shut the electricity off.}}"
          values={{ commodity }}
        />
      )}
    </Notice>
  ));
}
