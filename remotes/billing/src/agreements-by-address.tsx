import { usePortal } from '@wattle/sdk';
import { CivilDate, ErrorState, LinkButton, Row, Skeleton, Small, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { byAddress, streetLine, titleOf, townLine } from './agreement.rules';
import { api } from './api';
import { AgreementStatus } from './texts';

/** The current agreements by delivery address, without ended ones (3-agreement-terminated-hidden). */
export default function AgreementsByAddress() {
  const { kind } = usePortal(); // the participants' menu has no link to our pages
  const agreements = api.useGet('/agreements');
  if (agreements.isError)
    return <ErrorState compact onRetry={() => void agreements.refetch()} retrying={agreements.isFetching} />;
  if (!agreements.data) return <Skeleton shape="row" count={2} />;
  const groups = byAddress(agreements.data);
  if (groups.length === 0)
    return (
      <Quiet>
        <FormattedMessage id="billing.places.none" defaultMessage="No contract runs at the moment." />
      </Quiet>
    );
  return (
    <Stack gap={16}>
      {groups.map((g) => (
        <section key={g.key}>
          <Place>
            {streetLine(g.address)}, {townLine(g.address)}
          </Place>
          <List>
            {g.agreements.map((a) => (
              <li key={a.agreement_identifier_with_sequence}>
                <TextLink href={`/agreements/${encodeURIComponent(a.agreement_identifier_with_sequence)}`}>
                  {titleOf(a.name)}
                </TextLink>
                <AgreementStatus status={a.status} />
                {a.period.to && (
                  <Small>
                    <FormattedMessage
                      id="billing.places.until"
                      defaultMessage="until {day}"
                      values={{ day: <CivilDate day={a.period.to} /> }}
                    />
                  </Small>
                )}
              </li>
            ))}
          </List>
        </section>
      ))}
      {kind === 'participant' && (
        <Row gap={8}>
          <LinkButton href="/invoices" small icon="invoice">
            <FormattedMessage id="billing.latest.all" defaultMessage="All invoices" />
          </LinkButton>
          <LinkButton href="/periodical-payments" small icon="savings">
            <FormattedMessage id="billing.agreement.to_periodical" defaultMessage="View monthly amount" />
          </LinkButton>
        </Row>
      )}
    </Stack>
  );
}

const Place = styled.h4`font-size: 16px;`;
const Quiet = styled.p`color: var(--w-text-quiet);`;
const List = styled.ul`list-style: none; > li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-height: 44px; }`;
