import type { Slots } from '@wattle/sdk';
import { Notice, TextLink } from '@wattle/ui';
import { useLayoutEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { line, Title } from './texts';

/** Shows current outages above every page except the outages page. If the request fails, the page is shown without the banner. */
export default function Banner({ page, hold }: Slots['notice']) {
  const near = api.useGet('/outages', undefined, { retry: false });
  useLayoutEffect(() => (near.isPending ? hold() : undefined), [near.isPending, hold]);
  const active = near.data?.items.filter((o) => o.state === 'active') ?? [];
  if (active.length === 0 || page === '/outages') return null;
  return (
    <Top>
      {active.map((o) => (
        <Notice key={o.id} tone="warning" title={<Title outage={o} />}>
          <FormattedMessage
            id="outages.banner"
            defaultMessage="At {where}. <a>See what is known</a>"
            values={{ where: o.addresses.map(line).join('; '), a: (words) => <TextLink href="/outages">{words}</TextLink> }}
          />
        </Notice>
      ))}
    </Top>
  );
}

/** Margins and width of a page or, inside a page, of its column. */
const Top = styled.section`
  display: flex; flex-direction: column; gap: 12px; width: 100%; max-width: calc(1080px + 2 * var(--w-page-x, 32px)); padding: 24px var(--w-page-x, 32px) 0;
  @media (max-width: 767px) { padding: 16px 16px 0; max-width: none; }
  main [data-width] & { padding: 0; max-width: none; }
`;
