import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({ title: { id: 'acme.title', defaultMessage: 'Heat pump' } });

export default defineRemote({
  key: 'acme',
  contract: 1,
  routes: [{ path: '/heat-pump', title: t.title, page: () => import('./heat-pump-page') }],
  menu: [{ id: 'heat-pump', to: '/heat-pump', label: t.title, place: { customer: { order: 50 } } }],
  slots: {
    dashboard: [{ id: 'heat-pump', order: 60, title: t.title, size: 'third', rows: 1, view: () => import('./tile') }],
  },
  messages: (locale) => (locale === 'nl' ? import('./messages/nl.json') : import('./messages/en.json')),
});
