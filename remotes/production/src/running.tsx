import { useSettings } from '@wattle/sdk';
import { Button, formatDay, formatEnergy, formatNumber, Small, useToasts } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Settings } from './api';
import { percentOf } from './view.rules';

/** Minimum number of measured hours in a week, because fewer are not representative: five days. */
const minHours = 120;

/**
 * A text for members to share: in how many of the measured hours of the last week their project produced, and how much
 * (9-production-running). It contains nothing about the member. It is not shown if too little was measured.
 */
export default function Running({ code, name, type }: { code: string; name: string; type: string }) {
  const intl = useIntl();
  const toasts = useToasts();
  const { household_use } = useSettings<Settings>();
  const { data } = api.useGet('/sustainable/production/{project}/running', { path: { project: code } }, { empty: [404] });
  if (!data || data.hours < minHours || data.producing === 0) return null;
  const households = Math.round(data.production / ((household_use * 7) / 365));
  const text = intl.formatMessage(
    {
      id: 'production.running',
      defaultMessage:
        '{type, select, WIND {{name} was turning in {percent, select, 100 {every hour} other {{percent}% of the hours}} of the last seven days} other {{name} produced power in {percent, select, 100 {every hour} other {{percent}% of the hours}} of the last seven days}} and generated {made}{some, select, yes {, as much as {households} households use in that time} other {}}.',
    },
    {
      type,
      name,
      percent: percentOf(data.producing, data.hours),
      made: formatEnergy(data.production, 'kWh'),
      households: formatNumber(households),
      some: households > 1 ? 'yes' : 'no',
    },
  );
  const share = async () => {
    const { origin: url } = location;
    if (navigator.share) return navigator.share({ text, url }).catch(() => undefined); // the dialog was closed without a choice
    try {
      await navigator.clipboard.writeText(`${text} ${url}`);
      toasts.show({
        kind: 'alert',
        tone: 'good',
        text: intl.formatMessage({ id: 'production.running.copied', defaultMessage: 'Copied. Paste it where you like.' }),
      });
    } catch {
      toasts.show({
        kind: 'alert',
        tone: 'bad',
        text: intl.formatMessage({
          id: 'production.running.failed',
          defaultMessage: 'Copying did not work. You can select the text.',
        }),
      });
    }
  };
  return (
    <Line>
      <div>
        <p>{text}</p>
        <Small>
          <FormattedMessage
            id="production.running.basis"
            defaultMessage="{from} to {until}: {producing} of {hours} measured hours with production."
            values={{ from: formatDay(data.from), until: formatDay(data.until), producing: data.producing, hours: data.hours }}
          />
        </Small>
      </div>
      <Button small icon="message" onClick={() => void share()}>
        <FormattedMessage id="production.running.share" defaultMessage="Tell others" />
      </Button>
    </Line>
  );
}

const Line = styled.div`
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 12px 24px; margin-top: 16px; padding-top: 16px; border-top: 1px solid var(--w-line);
  > div { flex: 1 1 280px; }
`;
