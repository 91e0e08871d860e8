import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  start: { id: 'staff.start.title', defaultMessage: 'To do' },
  changes: { id: 'staff.changes.title', defaultMessage: 'Changes' },
  offers: { id: 'staff.offers.title', defaultMessage: 'Offers' },
  applications: { id: 'staff.applications.title', defaultMessage: 'Applicants' },
  orders: { id: 'staff.orders.title', defaultMessage: 'Orders' },
  customers: { id: 'staff.customers.title', defaultMessage: 'Customers' },
  customer: { id: 'staff.customer.title', defaultMessage: 'Customer' },
  log: { id: 'staff.log.title', defaultMessage: 'Log' },
});

const market = { kind: 'participant' } as const;

export default defineRemote({
  key: 'staff',
  contract: 1,
  routes: [
    {
      path: '/staff',
      title: t.start,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './start-page'),
    },
    {
      path: '/staff/changes',
      title: t.changes,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './changes-page'),
    },
    {
      path: '/staff/applications',
      title: t.applications,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './applications-page'),
    },
    {
      path: '/staff/offers',
      title: t.offers,
      access: 'staff',
      needs: market,
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './offers-page'),
    },
    {
      path: '/staff/orders',
      title: t.orders,
      access: 'staff',
      needs: market,
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './orders-page'),
    },
    {
      path: '/staff/customers',
      title: t.customers,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './customers-page'),
    },
    {
      path: '/staff/customers/:relation',
      title: t.customer,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './customer-page'),
    },
    {
      path: '/staff/log',
      title: t.log,
      access: 'staff',
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './log-page'),
    },
  ],
  menu: [
    {
      id: 'staff-start',
      to: '/staff',
      label: t.start,
      access: 'staff',
      icon: 'dashboard',
      place: { participant: { order: 10 }, customer: { order: 10 } },
    },
    {
      id: 'staff-changes',
      to: '/staff/changes',
      label: t.changes,
      access: 'staff',
      icon: 'edit',
      place: { participant: { order: 20 }, customer: { order: 20 } },
    },
    {
      id: 'staff-applications',
      to: '/staff/applications',
      label: t.applications,
      access: 'staff',
      icon: 'key',
      place: { participant: { order: 30 }, customer: { order: 30 } },
    },
    {
      id: 'staff-offers',
      to: '/staff/offers',
      label: t.offers,
      access: 'staff',
      icon: 'offer',
      place: { participant: { order: 40 } },
    },
    {
      id: 'staff-orders',
      to: '/staff/orders',
      label: t.orders,
      access: 'staff',
      icon: 'basket',
      place: { participant: { order: 50 } },
    },
    {
      id: 'staff-customers',
      to: '/staff/customers',
      label: t.customers,
      access: 'staff',
      icon: 'user',
      place: { participant: { order: 60 }, customer: { order: 60 } },
    },
    {
      id: 'staff-log',
      to: '/staff/log',
      label: t.log,
      access: 'staff',
      icon: 'history',
      place: { participant: { order: 70 }, customer: { order: 70 } },
    },
  ],
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
});
