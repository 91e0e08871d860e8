import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  title: { id: 'outages.title', defaultMessage: 'Outages' },
  report: { id: 'outages.staff.new', defaultMessage: 'Report an outage' },
});

const tile = () => import(/* webpackChunkName: "tiles" */ './tile');

export default defineRemote({
  key: 'outages',
  contract: 1,
  routes: [
    { path: '/outages', title: t.title, page: () => import(/* webpackChunkName: "pages" */ './near-page') },
    {
      path: '/staff/outages',
      title: t.title,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "forms.staff" */ './staff-page'),
    },
    {
      path: '/staff/outages/new',
      title: t.report,
      access: 'staff',
      page: () => import(/* webpackChunkName: "forms.report" */ './report-page'),
    },
  ],
  menu: [
    {
      id: 'outages',
      to: '/outages',
      label: t.title,
      icon: 'warning',
      place: { customer: { order: 85 }, participant: { order: 85 } },
    },
    {
      id: 'staff-outages',
      to: '/staff/outages',
      label: t.title,
      access: 'staff',
      icon: 'warning',
      place: { customer: { order: 70 }, participant: { order: 70 } },
    },
  ],
  slots: {
    dashboard: [{ id: 'near', order: 60, title: t.title, size: 'third', rows: 2, view: tile }],
    home: [{ id: 'near', order: 60, title: t.title, size: 'third', rows: 2, view: tile }],
    notice: [{ id: 'banner', order: 5, view: () => import(/* webpackChunkName: "tiles" */ './banner') }],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
