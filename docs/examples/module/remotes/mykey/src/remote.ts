import { defineRemote } from '@wattle/sdk';
import { t } from './texts';

// {tile}
const tile = () => import(/* webpackChunkName: "tiles" */ './tile');
// {/tile}

export default defineRemote({
  key: 'mykey',
  contract: 1,
  routes: [
    { path: '/mykey', title: t.title, page: () => import(/* webpackChunkName: "pages" */ './page') },
    // {staff}
    {
      path: '/staff/mykey',
      title: t.title,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "forms.staff" */ './staff-page'),
    },
    // {/staff}
  ],
  menu: [
    {
      id: 'mykey',
      to: '/mykey',
      label: t.title,
      icon: 'edit',
      place: { customer: { order: 85 }, participant: { order: 85 } },
    },
    // {staff}
    {
      id: 'staff-mykey',
      to: '/staff/mykey',
      label: t.title,
      access: 'staff',
      icon: 'edit',
      place: { customer: { order: 70 }, participant: { order: 70 } },
    },
    // {/staff}
  ],
  // {tile}
  slots: {
    dashboard: [{ id: 'latest', order: 60, title: t.title, size: 'third', rows: 2, view: tile }],
    home: [{ id: 'latest', order: 60, title: t.title, size: 'third', rows: 2, view: tile }],
  },
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
  // {/tile}
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
});
