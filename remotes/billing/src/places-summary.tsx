import { byAddress, streetLine } from './agreement.rules';
import { api } from './api';

/** The addresses with a current contract, shown in the closed section of the account page. */
export default function PlacesSummary() {
  const agreements = api.useGet('/agreements').data ?? [];
  return byAddress(agreements)
    .map((g) => `${streetLine(g.address)}, ${g.address.city}`)
    .join(' · ');
}
