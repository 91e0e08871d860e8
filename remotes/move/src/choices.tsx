import { CivilDate } from '@wattle/ui';
import { type ReactNode, useId } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { type Address, streetLine, townLine } from './address.rules';
import { isDay } from './dates.rules';
import type { PageProps } from './page-props';
import { Quiet } from './texts';
import { newAddressOf, placesOf } from './wizard.rules';

type Place = Pick<Address, 'street' | 'house_number' | 'house_number_extension' | 'zip_code' | 'city'>;

/** An address on two lines. */
export const Lines = ({ address }: { address: Place }) => (
  <>
    {streetLine(address)}
    <br />
    {townLine(address)}
  </>
);

/**
 * What has been chosen so far: at the right of the form in a wide window, and with `narrow` above the buttons in others
 * (9-move-choices).
 */
export function Choices({ draft, known, chosen, narrow }: Pick<PageProps, 'draft' | 'known' | 'chosen'> & { narrow?: boolean }) {
  const title = useId();
  const [old] = placesOf(chosen);
  const to = newAddressOf(draft, known.lookup);
  const items: [label: ReactNode, value: ReactNode][] = [
    [<FormattedMessage key="c" id="move.agreement.label" defaultMessage="Contract" />, chosen?.name],
    [<FormattedMessage key="o" id="move.old_address" defaultMessage="Old address" />, old && <Lines address={old} />],
    [<FormattedMessage key="n" id="move.new_address" defaultMessage="New address" />, to?.street && <Lines address={to} />],
    [
      <FormattedMessage key="s" id="move.summary.start" defaultMessage="New address from" />,
      isDay(draft.start) && <CivilDate day={draft.start} />,
    ],
    ...(isDay(draft.stop)
      ? [
          [
            <FormattedMessage key="e" id="move.summary.stop" defaultMessage="Old address until" />,
            <CivilDate key="d" day={draft.stop} />,
          ] as [ReactNode, ReactNode],
        ]
      : []),
  ];
  return (
    <Box aria-labelledby={title} $narrow={narrow}>
      <h3 id={title}>
        <FormattedMessage id="move.moves" defaultMessage="Your move" />
      </h3>
      <dl>
        {[...items.entries()].map(([place, [label, value]]) => (
          <div key={place}>
            <dt>{label}</dt>
            <dd>
              {value || (
                <Quiet as="span">
                  <FormattedMessage id="move.choices.later" defaultMessage="not filled in yet" />
                </Quiet>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}

const Box = styled.section<{ $narrow: boolean | undefined }>`
  padding: 16px 20px; border-radius: var(--w-radius); background: var(--w-tint);
  h3 { font-size: 16px; margin-bottom: 8px; } dl { display: grid; gap: 12px; } dt { font-size: 14px; color: var(--w-text-quiet); }
  @media (min-width: 1280px) { position: absolute; top: 0; left: calc(100% + 40px); width: 320px; padding: 24px; h3 { font: 600 20px/1.2 var(--w-font-heading); margin-bottom: 16px; } }
  @media (max-width: 1279px) { ${(p) => !p.$narrow && 'display: none;'} }
`;
