import { useDraft } from '@wattle/sdk';
import { Grid } from '@wattle/ui';
import { Select, type SelectOption } from '@wattle/ui/forms';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { account, api, type Place } from './api';
import { placeLine } from './place.rules';
import { placeKey } from './texts';

/** Field name of the address for which offers are bought. */
export const addressField = 'address';

export interface Addresses {
  list: readonly Place[];
  isPending: boolean;
  chosen: Place | undefined;
  value: string;
  choose(key: string): void;
}

/**
 * Returns the addresses for which shares can be bought: those of the member's participations, or the relation's shipping addresses
 * if there are none or the offers return 404 (7.6-get-offers-404, 8-personal-offers-404). The choice is kept per tab.
 */
export function useAddresses({ missing = false } = {}): Addresses {
  const projects = api.useGet('/sustainable/projects');
  const own = (projects.data ?? []).flatMap((p) => p.participations.map((x) => x.address));
  const fallback = missing || (!projects.isPending && own.length === 0);
  const relation = account.useGet('/relations/addresses', {}, { enabled: fallback });
  const shipping = (relation.data ?? [])
    .filter((a) => a.address_type === 'SHIPPING')
    .map((a) => ({
      street_name: a.street,
      house_number: a.house_number,
      house_postfix: a.house_number_extension,
      postal_code: a.zip_code,
      city: a.city,
    }));
  const list = [...new Map((fallback ? shipping : own).map((p) => [placeKey(p), p])).values()];
  const [kept, choose] = useDraft('address', '');
  const only = list.length === 1 ? list[0] : undefined;
  const chosen = list.find((p) => placeKey(p) === kept) ?? only;
  return {
    list,
    isPending: projects.isPending || (fallback && relation.isPending),
    chosen,
    value: chosen ? placeKey(chosen) : '',
    choose,
  };
}

/** The filters on a page of offers: the project, and the address for which all offers on the page are bought. */
export function Filters({
  project,
  projects,
  choose,
  addresses,
  children,
}: {
  project: string;
  projects: readonly SelectOption[];
  choose(project: string): void;
  addresses: Addresses;
  children?: ReactNode;
}) {
  const intl = useIntl();
  return (
    <Grid columns={3} min={220}>
      <Select
        label={intl.formatMessage({ id: 'marketplace.project', defaultMessage: 'Project' })}
        value={project}
        onChange={choose}
        empty={intl.formatMessage({ id: 'marketplace.filter.all', defaultMessage: 'All projects' })}
        options={projects}
      />
      {children}
      <Select
        name={addressField}
        label={intl.formatMessage({ id: 'marketplace.address', defaultMessage: 'For which address' })}
        value={addresses.value}
        onChange={addresses.choose}
        empty={intl.formatMessage({ id: 'marketplace.address.empty', defaultMessage: 'Choose an address' })}
        options={addresses.list.map((p) => ({ value: placeKey(p), text: placeLine(p) }))}
      />
    </Grid>
  );
}
