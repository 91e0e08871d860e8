import { formatEnergy, Icon, LinkButton, Skeleton } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import type { OwnYield } from './api';
import { Amount, Line, List, useGlance } from './glance';
import { worthOf } from './glance.rules';
import { ProjectPicture } from './picture';

/** What the member's shares in each project made this year, with links to the charts (9-glance). */
export default function GlanceProjects({ hide }: { hide(): void }) {
  const glance = useGlance(hide);
  if (glance === 'nothing') return null;
  if (!glance) return <Skeleton shape="card" />;
  const { own, type, name } = glance;
  const first = own[0] as OwnYield;
  return (
    <Parts>
      <ProjectPicture project={first.project_code} type={type(first.project_code)} />
      <List>
        {own.map((y) => (
          <li key={y.project_code}>
            <Line href={`/overview?project=${encodeURIComponent(y.project_code)}`}>
              <ProjectPicture small project={y.project_code} type={type(y.project_code)} />
              <span>
                {name(y.project_code)}
                <small>
                  <FormattedMessage
                    id="production.glance.shares"
                    defaultMessage="{n, plural, one {# share} other {# shares}}"
                    values={{ n: y.own_shares }}
                  />
                </small>
              </span>
              <strong>
                {y.year_production === null ? '–' : formatEnergy(y.year_production, 'kWh')}
                <Amount euros={worthOf([y], 'year')} />
              </strong>
              <Icon name="right" size={20} />
            </Line>
          </li>
        ))}
      </List>
      <div>
        <LinkButton href="/overview">
          <FormattedMessage id="production.glance.charts" defaultMessage="See your production" />
        </LinkButton>
      </div>
    </Parts>
  );
}

/** The picture is large on a phone only: elsewhere it is next to the number of this year. */
const Parts = styled.div`
  display: flex; flex-direction: column; gap: 16px; container-type: inline-size;
  > ul > li:first-child { border-top: 0; }
  @container (min-width: 640px) { > span { display: none; } }
`;
