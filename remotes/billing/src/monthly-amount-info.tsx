import { Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';

/** 2.3-overlay-monthly-amount-info */
export default function MonthlyAmountInfo() {
  return (
    <Stack gap={24}>
      <p>
        <FormattedMessage
          id="billing.info.intro"
          defaultMessage="You pay your energy in twelve equal parts. That way the winter does not come as a surprise on your bill."
        />
      </p>
      <Points>
        <li>
          <h3>
            <FormattedMessage id="billing.info.how" defaultMessage="How we work it out" />
          </h3>
          <p>
            <FormattedMessage
              id="billing.info.how_text"
              defaultMessage="We estimate what you will use in a year, from your meter readings and what you used before. That times your prices, with taxes and grid costs, is what the year costs. We divide what is still open of it by the months until the annual statement."
            />
          </p>
        </li>
        <li>
          <h3>
            <FormattedMessage id="billing.info.settle" defaultMessage="What happens once a year" />
          </h3>
          <p>
            <FormattedMessage
              id="billing.info.settle_text"
              defaultMessage="On your annual statement we compare what you paid with what you used. Paid too much? You get it back. Paid too little? You pay the difference."
            />
          </p>
        </li>
        <li>
          <h3>
            <FormattedMessage id="billing.info.change" defaultMessage="When to change it" />
          </h3>
          <p>
            <FormattedMessage
              id="billing.info.change_text"
              defaultMessage="If you use more or less than before, for example with solar panels, a heat pump or somebody moving in or out. While you choose, you see what it means for your annual statement."
            />
          </p>
        </li>
      </Points>
    </Stack>
  );
}

const Points = styled.ol`
  list-style: none; display: flex; flex-direction: column; gap: 24px; counter-reset: point;
  > li { padding-left: 44px; position: relative; counter-increment: point; }
  > li::before { content: counter(point); position: absolute; left: 0; top: 0; width: 32px; height: 32px; border-radius: 50%; display: grid; place-items: center; background: var(--w-tint-strong); font-weight: 600; }
  h3 { font-size: 16px; line-height: 32px; }
`;
