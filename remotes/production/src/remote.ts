import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  weather: { id: 'production.weather', defaultMessage: 'Weather' },
});

export default defineRemote({
  key: 'production',
  contract: 1,
  slots: {
    participation: [
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
});
