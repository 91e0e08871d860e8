import { Icon } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import type { Place } from './api';

/** Returns whether a project type is wind; every other type is solar (3-project-type). */
export const isWind = (type: string): boolean => type === 'WIND';

/** Returns the same key for different spellings of an address. */
export const placeKey = (p: Place): string =>
  [p.postal_code, p.house_number, p.house_postfix]
    .join(' ')
    .replace(/[\s\-./]/g, '')
    .toUpperCase();

/** The type and name of a project, with its town, or another line, below. */
export function ProjectName({
  project,
  line = project.place && !project.project_name.includes(project.place) && project.place,
}: {
  project: { project_type: string; project_name: string; place?: string };
  line?: ReactNode;
}) {
  return (
    <Named>
      <Icon name={isWind(project.project_type) ? 'wind' : 'sun'} size={24} />
      <span>
        {project.project_name}
        {line && <small>{line}</small>}
      </span>
    </Named>
  );
}

export function Shares({ n }: { n: number }) {
  return <FormattedMessage id="marketplace.shares" defaultMessage="{n, plural, one {# share} other {# shares}}" values={{ n }} />;
}

/** Formats a number of shares at a price: `24 × € 49`. */
export const formatSharePrice = (shares: number, euros: string): string => `${shares} × ${euros}`;

export const Quiet = styled.span`color: var(--w-text-quiet); font-size: 14px;`;
const Named = styled.span`
  display: flex; gap: 12px; align-items: flex-start; min-width: 0; overflow-wrap: anywhere; svg { color: var(--w-primary-ink); flex: none; margin-top: 2px; }
  small { display: block; font-size: 14px; font-weight: 400; color: var(--w-text-quiet); }
`;
