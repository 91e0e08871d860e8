import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  title: { id: 'acme.title', defaultMessage: 'Acme' },
});

const tile = () => import(/* webpackChunkName: "tiles" */ './tile');

export default defineRemote({
  key: 'acme',
  contract: 1,
  routes: [
    {
      path: '/acme',
      title: t.title,
      page: () => import(/* webpackChunkName: "pages" */ './notes-page'),
    },
  ],
  menu: [
    {
      id: 'acme',
      to: '/acme',
      label: t.title,
      icon: 'edit',
      place: { customer: { order: 85 }, participant: { order: 85 } },
    },
  ],
  slots: {
    dashboard: [{ id: 'notes', order: 60, title: t.title, size: 'third', rows: 2, view: tile }],
    home: [{ id: 'notes', order: 60, title: t.title, size: 'third', rows: 2, view: tile }],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
