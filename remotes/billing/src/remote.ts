import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  agreements: { id: 'billing.agreements.title', defaultMessage: 'Contracts' },
  invoices: { id: 'billing.invoices.title', defaultMessage: 'Invoices' },
  iban: { id: 'billing.iban.title', defaultMessage: 'Change bank account' },
  ibanMenu: { id: 'billing.iban.menu', defaultMessage: 'Bank account' },
  ibanMenuShort: { id: 'billing.iban.short', defaultMessage: 'IBAN' },
  periodical: { id: 'billing.periodical.title', defaultMessage: 'Monthly amount' },
  periodicalShort: { id: 'billing.periodical.short', defaultMessage: 'Monthly' },
  update: { id: 'billing.update.title', defaultMessage: 'Change monthly amount' },
  info: { id: 'billing.info.title', defaultMessage: 'How your monthly amount works' },
  products: { id: 'billing.products.title', defaultMessage: 'Products' },
  latest: { id: 'billing.latest.title', defaultMessage: 'Latest invoices' },
  payment: { id: 'billing.payment.title', defaultMessage: 'Payment details' },
});

// What a button opens, pages that are seldom the first, and what only the account page shows is in separate files.
const latest = () => import(/* webpackChunkName: "tiles" */ './latest-invoices');
const agreements = () => import(/* webpackChunkName: "later.agreements" */ './agreements-page');

export default defineRemote({
  key: 'billing',
  contract: 1,
  routes: [
    { path: '/agreements', title: t.agreements, width: 'wide', page: agreements },
    // 2.1-agreements-deeplink
    { path: '/agreements/:agreementId', title: t.agreements, width: 'wide', page: agreements },
    {
      path: '/invoices',
      title: t.invoices,
      width: 'wide',
      page: () => import(/* webpackChunkName: "invoices" */ './invoices-page'),
    },
    {
      path: '/periodical-payments',
      title: t.periodical,
      width: 'wide',
      page: () => import(/* webpackChunkName: "later.periodical" */ './periodical-page'),
    },
    { path: '/iban', title: t.iban, page: () => import(/* webpackChunkName: "later.iban" */ './iban-page') },
    {
      path: '/products',
      title: t.products,
      width: 'wide',
      page: () => import(/* webpackChunkName: "later.products" */ './products-page'),
    },
  ],
  menu: [
    {
      id: 'invoices',
      to: '/invoices',
      label: t.invoices,
      icon: 'invoice',
      place: { customer: { group: 'finance', order: 30 }, participant: { group: 'finance', order: 51, whenAny: '/agreements' } },
    },
    {
      id: 'agreements',
      to: '/agreements',
      label: t.agreements,
      icon: 'agreement',
      place: { customer: { group: 'finance', order: 31 } },
    },
    {
      id: 'periodical-payments',
      to: '/periodical-payments',
      label: t.periodical,
      short: t.periodicalShort,
      icon: 'savings',
      place: { customer: { group: 'finance', order: 32 }, participant: { group: 'finance', order: 52, whenAny: '/agreements' } },
    },
    {
      id: 'iban',
      to: '/iban',
      label: t.ibanMenu,
      short: t.ibanMenuShort,
      icon: 'card',
      place: { customer: { group: 'administrative', order: 51 } },
    },
  ],
  overlays: [
    // The parameter is agreement_identifier_with_sequence, as in the edit link (2.3-update-id-reconcile).
    {
      name: 'update',
      params: ['agreementId'],
      parent: '/periodical-payments',
      title: t.update,
      view: () => import(/* webpackChunkName: "later.update" */ './update-term-amount'),
    },
    {
      name: 'monthly-amount-info',
      parent: '/periodical-payments',
      title: t.info,
      view: () => import(/* webpackChunkName: "later" */ './monthly-amount-info'),
    },
  ],
  slots: {
    dashboard: [
      {
        id: 'open',
        order: 4, // before the usage of this month (9-dashboard-lead)
        size: 'third',
        rows: 1, // without a title, because it is one line while nothing is open
        phoneRows: 2,
        view: () => import(/* webpackChunkName: "tiles" */ './open-tile'),
      },
      {
        id: 'term-amount',
        order: 15,
        title: t.periodical,
        size: 'half',
        rows: 4,
        view: () => import(/* webpackChunkName: "tiles" */ './term-amount-tile'),
        summary: () => import(/* webpackChunkName: "tiles" */ './term-amount-summary'),
      },
      {
        id: 'latest',
        order: 30,
        title: t.latest,
        size: 'half',
        rows: 6,
        view: latest,
      },
    ],
    due: [
      {
        id: 'invoices',
        order: 10,
        needs: { kind: 'participant' }, // customers have the tile of the dashboard
        view: () => import(/* webpackChunkName: "later.due" */ './due-invoices'),
      },
    ],
    attention: [{ id: 'changes', order: 10, view: () => import(/* webpackChunkName: "tiles" */ './attention') }],
    home: [{ id: 'latest', order: 30, title: t.latest, size: 'half', rows: 4, view: latest }],
    account: [
      {
        id: 'payment-details',
        order: 30,
        title: t.payment,
        rows: 3,
        view: () => import(/* webpackChunkName: "later.account" */ './payment-details'),
        summary: () => import(/* webpackChunkName: "later.account" */ './payment-summary'),
      },
      {
        id: 'agreements',
        order: 25,
        title: t.agreements,
        rows: 1,
        view: () => import(/* webpackChunkName: "later.account" */ './agreements-by-address'),
        summary: () => import(/* webpackChunkName: "later.account" */ './places-summary'),
      },
      {
        id: 'term-amount',
        order: 35,
        title: t.periodical,
        view: () => import(/* webpackChunkName: "later.account" */ './term-amount-section'),
        summary: () => import(/* webpackChunkName: "later.account" */ './term-amount-line'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
  slotMessages: (locale) =>
    locale === 'en' ? import('./messages/compiled/en.slots.json') : import('./messages/compiled/nl.slots.json'),
});
