import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';
import './slots';

const t = defineMessages({
  overview: { id: 'production.title', defaultMessage: 'Production' },
  glance: { id: 'production.glance', defaultMessage: 'My shares at a glance' },
  projects: { id: 'production.glance.projects', defaultMessage: 'My shares by project' },
  made: { id: 'production.yield.made', defaultMessage: 'Production of your shares' },
  yield: { id: 'production.yield', defaultMessage: 'Settled production' },
});

const glance = () => import(/* webpackChunkName: "glance" */ './glance');

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
    'account.top': [
      {
        id: 'glance',
        order: 10,
        title: t.glance,
        rows: 1,
        phoneRows: 2,
        view: () => import(/* webpackChunkName: "glance" */ './glance-short'),
      },
    ],
    home: [
      {
        id: 'glance',
        order: 5,
        title: t.glance,
        size: 'full',
        rows: 4,
        needs: { kind: 'participant' },
        view: glance,
      },
      {
        id: 'projects',
        order: 6,
        title: t.projects,
        size: 'full',
        rows: 4,
        phoneRows: 7,
        needs: { kind: 'participant' },
        view: () => import(/* webpackChunkName: "glance" */ './glance-projects'),
      },
    ],
    participation: [
      {
        id: 'made',
        order: 5,
        title: t.made,
        size: 'two-thirds',
        rows: 3,
        phoneRows: 4,
        view: () => import(/* webpackChunkName: "glance" */ './made'),
      },
      {
        id: 'yield',
        order: 10,
        title: t.yield,
        size: 'third', // without rows, because it hides itself for a whole project and must not move what is below
        view: () => import(/* webpackChunkName: "tiles" */ './yield'),
      },
      {
        id: 'weather',
        order: 90,
        size: 'third', // without a title, because one small line says what it is
        rows: 1,
        view: () => import(/* webpackChunkName: "tiles" */ './weather'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
