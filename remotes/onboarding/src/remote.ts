import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  register: { id: 'onboarding.register.title', defaultMessage: 'Request an account' },
  registerRow: { id: 'onboarding.register.row', defaultMessage: 'No account yet? Request one' },
  pending: { id: 'onboarding.pending.title', defaultMessage: 'We have received your request' },
  reactivation: { id: 'onboarding.reactivation.title', defaultMessage: 'Reactivate your account' },
  reactivate: { id: 'onboarding.reactivate.title', defaultMessage: 'First time here? Activate your account' },
});

export default defineRemote({
  key: 'onboarding',
  contract: 1,
  routes: [
    // The page exists in every label; if registration is off, it shows a text (1-register-label).
    {
      path: '/register',
      title: t.register,
      access: 'public',
      page: () => import(/* webpackChunkName: "pages" */ './register-page'),
    },
    {
      path: '/pending-page',
      title: t.pending,
      access: 'public',
      page: () => import(/* webpackChunkName: "pages" */ './pending-page'),
    },
    {
      path: '/reactivation/:token',
      title: t.reactivation,
      access: 'public',
      page: () => import(/* webpackChunkName: "pages" */ './reactivation-page'),
    },
  ],
  slots: {
    'sign-in': [
      {
        id: 'reactivate',
        order: 10,
        title: t.reactivate,
        view: () => import(/* webpackChunkName: "sign-in" */ './reactivate-view'),
      },
      { id: 'register', order: 20, title: t.registerRow, to: '/register', needs: { setting: 'registration' } },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
