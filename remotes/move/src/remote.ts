import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  move: { id: 'move.title', defaultMessage: 'Moving home' },
  stop: { id: 'move.stop.title', defaultMessage: 'What the end date means' },
  moves: { id: 'move.moves', defaultMessage: 'Your move' },
  teaser: { id: 'move.teaser_title', defaultMessage: 'Moving home?' },
});

export default defineRemote({
  key: 'move',
  contract: 1,
  routes: [{ path: '/move', title: t.move, phoneBar: false, page: () => import(/* webpackChunkName: "pages" */ './move-page') }],
  menu: [{ id: 'move', to: '/move', label: t.move, icon: 'move', place: { customer: { group: 'administrative', order: 50 } } }],
  overlays: [
    {
      name: 'stop-date-notification',
      parent: '/move',
      title: t.stop,
      view: () => import(/* webpackChunkName: "pages" */ './stop-date-notification'),
    },
  ],
  slots: {
    account: [
      {
        id: 'moves',
        order: 60,
        title: t.moves,
        view: () => import(/* webpackChunkName: "pages" */ './account-moves'),
        summary: () => import(/* webpackChunkName: "pages" */ './account-moves-summary'),
      },
    ],
    attention: [{ id: 'ahead', order: 30, view: () => import(/* webpackChunkName: "teaser" */ './attention') }],
    home: [
      {
        id: 'teaser',
        order: 50,
        title: t.teaser,
        size: 'third',
        view: () => import(/* webpackChunkName: "teaser" */ './teaser'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
