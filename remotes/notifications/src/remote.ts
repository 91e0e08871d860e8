import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  title: { id: 'notifications.title', defaultMessage: 'Messages' },
  preferences: { id: 'notifications.preferences.title', defaultMessage: 'Which messages you get' },
  unsubscribe: { id: 'notifications.unsubscribe.title', defaultMessage: 'Unsubscribe from emails' },
  staff: { id: 'notifications.staff.title', defaultMessage: 'Messages to customers' },
  menu: { id: 'notifications.staff.menu', defaultMessage: 'Messages' },
  compose: { id: 'notifications.compose.title', defaultMessage: 'New message' },
});

/** Customers of these labels get notifications (2.1-notifications-labels); notices exist in all labels. */
const inbox = { setting: 'inbox' } as const;

export default defineRemote({
  key: 'notifications',
  contract: 1,
  routes: [
    {
      path: '/notifications',
      title: t.title,
      needs: inbox,
      page: () => import(/* webpackChunkName: "pages" */ './notifications-page'),
    },
    {
      path: '/unsubscribe',
      title: t.unsubscribe,
      access: 'public',
      needs: inbox,
      page: () => import(/* webpackChunkName: "pages" */ './unsubscribe-page'),
    },
    {
      path: '/staff/notifications',
      title: t.staff,
      access: 'staff',
      needs: inbox,
      width: 'wide',
      page: () => import(/* webpackChunkName: "forms.staff" */ './staff-page'),
    },
    {
      path: '/staff/notifications/new',
      title: t.compose,
      access: 'staff',
      needs: inbox,
      width: 'wide',
      page: () => import(/* webpackChunkName: "forms.compose" */ './compose-page'),
    },
  ],
  menu: [
    {
      id: 'notifications',
      to: '/notifications',
      label: t.title,
      icon: 'bell',
      needs: inbox,
      place: { participant: { order: 80 }, customer: { order: 80 } },
    },
    {
      id: 'staff-notifications',
      to: '/staff/notifications',
      label: t.menu,
      access: 'staff',
      icon: 'mail',
      needs: inbox,
      place: { participant: { order: 65 }, customer: { order: 65 } },
    },
  ],
  overlays: [
    {
      name: 'message-preferences',
      parent: '/notifications',
      title: t.preferences,
      needs: inbox,
      view: () => import(/* webpackChunkName: "forms.preferences" */ './preferences'),
    },
  ],
  slots: {
    header: [{ id: 'unread', order: 5, needs: inbox, view: () => import(/* webpackChunkName: "tiles" */ './unread') }],
    notice: [
      {
        id: 'notices',
        order: 10,
        needs: { pages: 'notice_pages' },
        view: () => import(/* webpackChunkName: "tiles" */ './notices'),
      },
    ],
    account: [
      {
        id: 'preferences',
        group: 'me',
        order: 70,
        title: t.preferences,
        needs: inbox,
        view: () => import(/* webpackChunkName: "pages" */ './account-preferences'),
        summary: () => import(/* webpackChunkName: "pages" */ './preferences-summary'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
