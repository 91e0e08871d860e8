import { usePortal } from '@wattle/sdk';
import { Skeleton, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import type { OwnYield } from './api';
import { Meaning, Sums, ToDo, useGlance } from './glance';
import { sumOver } from './glance.rules';
import { ProjectPicture } from './picture';

/**
 * The glance above the sections of the account page, in one row, so that the member's own details are also on the first screen of a
 * phone.
 */
export default function GlanceShort({ hide }: { hide(): void }) {
  const { kind } = usePortal();
  const glance = useGlance(hide);
  if (glance === 'nothing') return null;
  if (!glance) return <Skeleton shape="row" count={1} />;
  const { own, type, todo } = glance;
  const first = own[0] as OwnYield;
  // /home shows all projects of a member; in a customer label the shares are only on their own page
  const all = own.length > 1 && kind === 'participant' ? '/home' : `/overview?project=${encodeURIComponent(first.project_code)}`;
  return (
    <Band>
      <ProjectPicture small project={first.project_code} type={type(first.project_code)} />
      <Sums own={own} short />
      <Meaning year={sumOver(own, 'year_production')} last={sumOver(own, 'last_year_production')}>
        <TextLink href={all}>
          <FormattedMessage
            id="production.glance.more"
            defaultMessage="{n, plural, one {More about your shares} other {More about your shares in # projects}}"
            values={{ n: own.length }}
          />
        </TextLink>
      </Meaning>
      <ToDo todo={todo} short />
    </Band>
  );
}

const Band = styled.div`
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 8px 24px; align-items: center; container-type: inline-size;
  > p, > ul { grid-column: 1 / -1; } > p { min-height: 24px; }
  @media (max-width: 767px) { gap: 8px 12px; > p { min-height: 72px; } > span { width: 56px; height: 40px; } }
  @container (max-width: 279px) { > span { display: none; } > dl { grid-column: 1 / -1; } }
`;
