import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { expect, test } from 'vitest';
import type { OfferDetails } from './api';
import OfferPage from './offer-page';
import { basket, item, memberApi, offer, show } from './testing';

const details = (more: Partial<OfferDetails> = {}): OfferDetails => ({
  offer: offer('1'),
  project_start_date: '2016-05-01',
  statutes_location: 'https://www.acme.example/statutes.pdf',
  member_agreement_location: '',
  first_transfer_date: '2026-12-21',
  administration_costs: 15,
  yields: [
    { year: 2025, energy: 312.4 },
    { year: 2024, energy: 300 },
    { year: 2023, energy: null },
  ],
  yield_price: 0.076,
  payback_years: 2.1,
  ...more,
});
const open = (of: unknown, more: Record<string, unknown> = {}) => {
  const api = memberApi({ 'GET /sustainable/offers/1': of, ...more });
  show(<OfferPage />, { at: '/offers/1', route: '/offers/:identifier' });
  return api;
};
const brings = async () => within(await screen.findByRole('region', { name: 'What your shares bring' }));
const part = (name: string) => screen.getByRole('region', { name });

row(
  '9-offer-page',
  'tells all of one offer: project, end date, seller, yield of three years; what is unknown is said',
  async () => {
    open(details());
    await screen.findByRole('heading', { level: 1, name: 'Windpark Westerwind' });
    expect(screen.getByText('24 shares').closest('p')).toHaveTextContent('24 shares from another member');
    expect(part('About this offer')).toHaveTextContent(
      /Running since01-05-2016Project ends31-12-2039SellerAnother member; we do not say who.*For sale since01-11-2026Delivery from21-12-2026/,
    );
    expect(screen.getByRole('link', { name: /Articles of association/ })).toHaveAttribute('target', '_blank');
    expect(screen.queryByRole('link', { name: /Member agreement/ })).toBeNull();
    expect(part('What one share yielded')).toHaveTextContent('2025312 kWh2024300 kWh2023Not known: not measured all year');
    expect(screen.getByRole('link', { name: 'All offers' })).toHaveAttribute('href', '/offers');
  },
);

row('9-offer-payback', 'a number of shares, its yield, worth and payback, with every assumption', async () => {
  open(details());
  const here = await brings();
  const number = here.getByRole('spinbutton', { name: 'Number' });
  expect(number).toHaveValue('10');
  const result = () => here.getByText('Yield in a year').closest('[role=status]');
  expect(result()).toHaveTextContent('Yield in a year3.062 kWhWorth in a year€ 232,71Earned back in about2,1 years');
  await userEvent.click(here.getByRole('button', { name: 'Less: Number' }));
  await userEvent.clear(number);
  await userEvent.type(number, '20');
  expect(result()).toHaveTextContent('Yield in a year6.124 kWhWorth in a year€ 465,42Earned back in about2,1 years');
  expect(here.getByRole('status', { name: 'Shares together' })).toHaveTextContent('€ 980');
  const how = within(part('How we calculate this')).getAllByRole('listitem');
  expect(how.map((li) => li.textContent?.replaceAll('\u00a0', ' '))).toEqual([
    'A year brings the average of 2024 and 2025. Wind and sun differ: another year may bring more or less.',
    'A kWh of your shares is worth € 0,076 today. We assume that it stays so.',
    'What the project made is divided among all shares there are now.',
    'Administration costs (€ 15,00 an order) and taxes are not included.',
  ]);
});

row('9-offer-payback', 'no figure is invented, and a project that ends before is said', async () => {
  open(details({ yield_price: null, payback_years: null }));
  expect((await brings()).getByText(/price of a kWh is not known/)).toBeVisible();
  expect(screen.queryByText(/Earned back/)).toBeNull();
  expect(part('How we calculate this')).not.toHaveTextContent(/is worth/);
});

test('without a measured year there is no yield', async () => {
  open(details({ yields: [2025, 2024, 2023].map((year) => ({ year, energy: null })), payback_years: null }));
  expect((await brings()).getByText(/no whole year of this project has been measured/)).toBeVisible();
  expect(screen.queryByText('Yield in a year')).toBeNull();
});

test('a project that ends too early has a warning', async () => {
  open(details({ offer: offer('1', { project_end_date: '2027-12-31' }) }));
  expect((await brings()).getByText(/The project ends before that/)).toBeVisible();
});

row('9-offer-page', 'puts the shares into the basket', async () => {
  const api = open(details(), { 'POST /sustainable/basket': basket(item('1', 10)) });
  const here = await brings();
  await userEvent.click(here.getByRole('button', { name: 'Add to basket' }));
  await waitFor(() =>
    expect(api.calls.find((c) => c.method === 'POST')?.body).toMatchObject({ offer: { identifier: '1', shares: 10 } }),
  );
});

row('9-offer-page', 'an offer that is gone says so; an own offer has no button; a failure can be retried', async () => {
  open(refuse(404, 'not_found'));
  expect(await screen.findByText('This offer is no longer there')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the offers' })).toHaveAttribute('href', '/offers');
});

test('an own offer cannot be bought', async () => {
  open(details({ offer: offer('1', { my_offer: true, myOffer: true }) }));
  const here = await brings();
  expect(here.getByText('Your own offer')).toBeVisible();
  expect(here.queryByRole('button', { name: 'Add to basket' })).toBeNull();
});

test('a failed request can be retried', async () => {
  const api = open(refuse(503, 'unavailable'));
  await screen.findByText('This could not be loaded');
  api.answers['GET /sustainable/offers/1'] = details();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { level: 1, name: 'Windpark Westerwind' });
});
