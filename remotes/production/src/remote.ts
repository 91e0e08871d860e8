import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  overview: { id: 'production.title', defaultMessage: 'Production' },
  weather: { id: 'production.weather', defaultMessage: 'Weather' },
  yield: { id: 'production.yield', defaultMessage: 'Production of these shares' },
});

export default defineRemote({
  key: 'production',
  contract: 1,
  routes: [
    {
      path: '/overview',
      title: t.overview,
      width: 'wide',
      page: () => import(/* webpackChunkName: "overview" */ './overview-page'),
    },
  ],
  menu: [
    {
      id: 'overview',
      to: '/overview',
      label: t.overview,
      icon: 'chart',
      place: { participant: { order: 10 }, customer: { order: 22, optional: true } },
    },
  ],
  slots: {
    participation: [
      {
        id: 'yield',
        order: 10,
        title: t.yield,
        size: 'third',
        rows: 3,
        view: () => import(/* webpackChunkName: "tiles" */ './yield'),
      },
      {
        id: 'weather',
        order: 90,
        title: t.weather,
        size: 'third',
        rows: 2,
        view: () => import(/* webpackChunkName: "tiles" */ './weather'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
