import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  usage: { id: 'usage.title', defaultMessage: 'Usage' },
  meters: { id: 'usage.meters.title', defaultMessage: 'Meter readings' },
  metersShort: { id: 'usage.meters.short', defaultMessage: 'Readings' },
  history: { id: 'usage.history.title', defaultMessage: 'All readings' },
  month: { id: 'usage.month.title', defaultMessage: 'This month' },
  latest: { id: 'usage.latest.title', defaultMessage: 'Latest measurement' },
  privacy: { id: 'usage.privacy.title', defaultMessage: 'Privacy' },
});

// Files that share code are in one chunk, so that nothing is fetched twice: the pages with the consent section, and the tiles. What
// a page fetches later (`lazy`) is imported only by pages, because otherwise the shared code would be in the file of the first
// screen.
const usage = () => import(/* webpackChunkName: "pages" */ './usage-page');

export default defineRemote({
  key: 'usage',
  contract: 1,
  routes: [
    { path: '/usage', title: t.usage, width: 'wide', page: usage },
    // 2.1-usage-deeplink
    { path: '/usage/:agreementId', title: t.usage, width: 'wide', page: usage },
    {
      path: '/metermeasuring',
      title: t.meters,
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './metermeasuring-page'),
    },
  ],
  menu: [
    {
      id: 'usage',
      to: '/usage',
      label: t.usage,
      icon: 'chart',
      place: { customer: { order: 20 }, participant: { order: 50, whenAny: '/agreements' } },
    },
    {
      id: 'metermeasuring',
      to: '/metermeasuring',
      label: t.meters,
      short: t.metersShort,
      icon: 'meter',
      place: { customer: { order: 21, optional: true } },
    },
  ],
  overlays: [
    // The id is an encoded connection with its delivery flag (2.3-overlay-usage-history, 2.3-usage-history-encoding).
    {
      name: 'usage-history',
      params: ['id'],
      parent: '/usage',
      title: t.history,
      view: () => import(/* webpackChunkName: "pages" */ './usage-history'),
    },
  ],
  slots: {
    dashboard: [
      {
        id: 'month',
        order: 5,
        title: t.month,
        size: 'two-thirds',
        rows: 4,
        phoneRows: 6,
        view: () => import(/* webpackChunkName: "tiles" */ './month-tile'),
        summary: () => import(/* webpackChunkName: "tiles" */ './month-summary'),
      },
    ],
    attention: [{ id: 'consent', order: 20, view: () => import(/* webpackChunkName: "tiles" */ './attention') }],
    home: [
      {
        id: 'latest',
        order: 20,
        title: t.latest,
        size: 'half',
        rows: 3,
        phoneRows: 4,
        view: () => import(/* webpackChunkName: "tiles" */ './latest-tile'),
      },
    ],
    account: [
      {
        id: 'consent',
        group: 'security',
        order: 60,
        title: t.privacy,
        rows: 3,
        view: () => import(/* webpackChunkName: "pages" */ './consent'),
        summary: () => import(/* webpackChunkName: "pages" */ './consent-summary'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
