import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';
import './slots';

const t = defineMessages({
  account: { id: 'account.title', defaultMessage: 'My details' },
  contact: { id: 'account.contact.title', defaultMessage: 'Contact' },
  email: { id: 'account.email.title', defaultMessage: 'Change email address' },
  phone: { id: 'account.phone.title', defaultMessage: 'Change phone number' },
  password: { id: 'account.password.title', defaultMessage: 'Change password' },
  username: { id: 'account.username.title', defaultMessage: 'Change username' },
  signedIn: { id: 'account.signed_in.title', defaultMessage: 'Your devices' },
  signedInShort: { id: 'account.signed_in.short', defaultMessage: 'Devices' },
  service: { id: 'account.service.title', defaultMessage: 'Customer service' },
  info: { id: 'account.contact_info', defaultMessage: 'Contact details' },
});

export default defineRemote({
  key: 'account',
  contract: 1,
  routes: [
    { path: '/account', title: t.account, width: 'wide', notices: 'page', page: () => import('./account-page') },
    { path: '/contact', title: t.contact, width: 'wide', page: () => import('./contact-page') },
    { path: '/staff/signed-in', title: t.signedIn, access: 'staff', width: 'wide', page: () => import('./sessions-page') },
  ],
  menu: [
    {
      id: 'contact',
      to: '/contact',
      label: t.contact,
      icon: 'message',
      place: { participant: { order: 90 }, customer: { order: 90 } },
    },
    {
      id: 'signed-in',
      to: '/staff/signed-in',
      label: t.signedIn,
      short: t.signedInShort,
      access: 'staff',
      icon: 'privacy',
      place: { participant: { order: 95 }, customer: { order: 95 } },
    },
  ],
  // /account/<name> opens the overlay above the account page, /<any view>/<name> above that view: 2.1-account-change-routes,
  // 2.3-account-routes-reconcile, 2.3-overlay-change-email, 2.3-overlay-change-phone, 2.3-overlay-change-password,
  // 5.5-username-form.
  overlays: [
    {
      name: 'change-email-address',
      parent: '/account',
      title: t.email,
      view: () => import(/* webpackChunkName: "forms.email" */ './change-email'),
    },
    {
      name: 'change-phonenumber',
      parent: '/account',
      title: t.phone,
      view: () => import(/* webpackChunkName: "forms.phone" */ './change-phone'),
    },
    {
      name: 'change-account-password',
      parent: '/account',
      title: t.password,
      view: () => import(/* webpackChunkName: "forms.password" */ './change-password'),
    },
    {
      name: 'change-username',
      parent: '/account',
      title: t.username,
      view: () => import(/* webpackChunkName: "forms.username" */ './change-username'),
    },
  ],
  offers: { 'account.top': { description: 'Above the sections of the account page.' } },
  slots: {
    dashboard: [
      {
        id: 'service',
        order: 90,
        title: t.service,
        rows: 1,
        view: () => import(/* webpackChunkName: "tiles" */ './service-tile'),
      },
    ],
    attention: [{ id: 'changes', order: 40, view: () => import(/* webpackChunkName: "tiles" */ './attention') }],
    home: [
      {
        id: 'contact-info',
        order: 40,
        title: t.info,
        size: 'third',
        rows: 2,
        view: () => import(/* webpackChunkName: "home" */ './contact-tile'),
      },
      {
        id: 'service',
        order: 45,
        title: t.service,
        size: 'third',
        rows: 2,
        view: () => import(/* webpackChunkName: "home" */ './service-lines'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
