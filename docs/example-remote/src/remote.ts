import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  title: { id: 'acme.title', defaultMessage: 'Heat pump' },
  heating: { id: 'acme.heating', defaultMessage: 'Heating' },
});

export default defineRemote({
  key: 'acme',
  contract: 1,
  routes: [{ path: '/heat-pump', title: t.title, page: () => import('./heat-pump-page') }],
  menu: [{ id: 'heat-pump', to: '/heat-pump', label: t.title, place: { customer: { group: 'acme.heating', order: 50 } } }],
  groups: [{ id: 'acme.heating', title: t.heating }],
  offers: { 'acme.pump': { about: 'Below the data of the heat pump.' } },
  slots: {
    dashboard: [{ id: 'heat-pump', order: 60, title: t.title, size: 'third', rows: 1, view: () => import('./tile') }],
  },
  messages: (locale) => import(`./messages/compiled/${locale}.json`),
});
