import { Sparkline } from '@wattle/charts';
import type { ReactElement } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';

export default function Tile(): ReactElement {
  const intl = useIntl();
  return (
    <>
      <Sparkline
        values={[3, 2, null, 1]}
        label={intl.formatMessage({ id: 'acme.trend', defaultMessage: 'Gas use falls from month to month' })}
      />
      <Quiet>
        <FormattedMessage id="acme.tile" defaultMessage="Your heat pump saves gas." />
      </Quiet>
    </>
  );
}

const Quiet = styled.p`color: var(--w-text-quiet);`;
