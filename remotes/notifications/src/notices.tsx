import { clockAt, type Path, usePortal } from '@wattle/sdk';
import { focusTitle, formatDay, Notice } from '@wattle/ui';
import { useCallback, useLayoutEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { useDismissed } from './dismissed';
import { Fold } from './fold';
import { Message } from './message';
import { isShownOn } from './notice.rules';

/** Notices and market messages on their pages, until they are dismissed on this device (2.1-notices-place). */
export default function Notices({ page, hold }: { page: Path; hold?: () => () => void }) {
  const intl = useIntl();
  const { locale, timeZone } = usePortal();
  const list = api.useGet('/sustainable/notices', { query: { locale } });
  const [dismissed, dismiss] = useDismissed();
  // When notices cannot be loaded the page is shown without them.
  const known = list.data ?? [];
  const shown = known.filter((n) => !dismissed.includes(n.id) && isShownOn(n, page));
  const [all, setAll] = useState(false);
  const [drawn, setDrawn] = useState(0);
  const onDrawn = useCallback(() => setDrawn((n) => n + 1), []);
  const waits = list.isPending || drawn < shown.length;
  useLayoutEffect(() => (waits ? hold?.() : undefined), [waits, hold]);
  if (shown.length === 0) return null;
  return (
    <Top $all={all} aria-label={intl.formatMessage({ id: 'notifications.notices', defaultMessage: 'Notices' })}>
      {shown.map((n) => (
        <Notice
          key={n.id}
          title={n.title}
          onClose={() => {
            dismiss(
              n.id,
              known.map((one) => one.id),
            );
            focusTitle(); // the button that had focus was removed
          }}
        >
          <Fold title={n.title} others={all ? 0 : shown.length - 1} onOthers={() => setAll(true)}>
            <Message html={n.message} onDrawn={onDrawn} />
            {n.kind === 'market_message' && (
              <Kind>
                <FormattedMessage
                  id="notifications.market_message"
                  defaultMessage="Market message of {day}"
                  values={{ day: formatDay(clockAt(n.publication_date_time, timeZone).day) }}
                />
              </Kind>
            )}
          </Fold>
        </Notice>
      ))}
    </Top>
  );
}

/** Margins and width of a page; inside a page those of its column. On a phone there is one until all are asked for (9-notice-one). */
const Top = styled.section<{ $all: boolean }>`
  --column: 1080px;
  main:has([data-width='text']) & { --column: 720px; }
  main:has([data-width='form']) & { --column: 560px; }
  display: flex; flex-direction: column; gap: 12px; width: 100%; max-width: calc(var(--column) + 2 * var(--w-page-x, 32px)); padding: 24px var(--w-page-x, 32px) 0;
  @media (max-width: 1099px) { padding-inline: var(--w-page-x, 24px); max-width: calc(var(--column) + 2 * var(--w-page-x, 24px)); }
  @media (max-width: 767px) { padding: 16px 16px 0; max-width: none; ${(p) => !p.$all && '> :nth-child(n + 2) { display: none; }'} }
  main [data-width] & { padding: 0; max-width: none; }
`;
const Kind = styled.p`margin-top: 8px; font-size: 14px; color: var(--w-text-quiet);`;
