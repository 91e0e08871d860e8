import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, useQueries } from '@wattle/sdk';
import { type FakePortalProps, type FakeRequest, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Basket } from './api';
import { copyKey } from './basket';
import Cart from './cart';
import OffersPage from './offers-page';
import { basket, item, memberApi, offer, page, show } from './testing';

const two = basket(item('1', 24), item('2', 1, 1250, { project_name: 'Zonneveld' }));
const cart = (more: Partial<FakePortalProps> = {}, hide = () => undefined) =>
  show(<Cart hide={hide} />, { at: '/participation', ...more });
const trigger = () => screen.findByRole('button', { name: /^Basket/ });
const key = copyKey('customer-1');
const copy = (): Basket | null => JSON.parse(localStorage.getItem(key) ?? 'null');
const leave = (persisted: boolean) => {
  const event = new Event('pagehide');
  Object.defineProperty(event, 'persisted', { value: persisted });
  dispatchEvent(event);
};

describe('the cart', () => {
  row('2.5-cart-badge', 'shows the number of items; no badge when there are none', async () => {
    const api = memberApi({ 'GET /sustainable/basket': two });
    const first = cart();
    expect(await screen.findByRole('button', { name: 'Basket: 2' })).toHaveTextContent('2');
    first.unmount();
    api.answers['GET /sustainable/basket'] = basket();
    cart();
    expect(await screen.findByRole('button', { name: 'Basket: 0' })).toHaveTextContent('');
  });

  row(
    ['2.5-cart-popover', '2.5-cart-checkout-button'],
    'shows the items with a remove button, the total, and a link to the checkout',
    async () => {
      const api = memberApi({
        'GET /sustainable/basket': two,
        'DELETE /sustainable/basket/{identifier}': ({ params }: FakeRequest) =>
          basket(...two.items.filter((i) => i.identifier !== params.identifier)),
      });
      cart();
      await screen.findByRole('button', { name: 'Basket: 2' });
      await userEvent.click(await trigger());
      expect(screen.getAllByRole('listitem').map((l) => l.textContent?.replaceAll('\u00a0', ' '))).toEqual([
        'Windpark Westerwind24 × € 49€ 1.176',
        'Zonneveld1 × € 1.250€ 1.250',
      ]);
      expect(screen.getAllByRole('button', { name: /^Remove/ }).map((b) => b.getAttribute('aria-label'))).toEqual([
        'Remove Windpark Westerwind from your basket',
        'Remove Zonneveld from your basket',
      ]);
      expect(screen.getByText('Shares together').parentElement).toHaveTextContent('€ 2.426');
      expect(screen.getByRole('link', { name: 'Go to my basket' })).toHaveAttribute('href', '/checkout');
      const gets = () => api.calls.filter((c) => c.path === '/sustainable/basket').length;
      const before = gets();
      await userEvent.click(screen.getByRole('button', { name: 'Remove Zonneveld from your basket' }));
      await waitFor(() => expect(screen.getByText('Shares together').parentElement).toHaveTextContent('€ 1.176'));
      expect(screen.getAllByRole('listitem').map((l) => l.textContent?.replaceAll('\u00a0', ' '))).toEqual([
        'Windpark Westerwind24 × € 49€ 1.176',
      ]);
      expect(await trigger()).toHaveTextContent('1');
      expect(gets()).toBe(before); // the response contains the whole basket
    },
  );

  test('Escape, a click elsewhere and navigation close it', async () => {
    memberApi({ 'GET /sustainable/basket': two });
    show(
      <>
        <Cart hide={() => undefined} />
        <p>elsewhere</p>
        <Link to="/offers">away</Link>
      </>,
      { at: '/participation' },
    );
    const button = await trigger();
    const toggle = () => userEvent.click(button);
    await toggle();
    await userEvent.keyboard('{Escape}');
    expect(button).toHaveAttribute('aria-expanded', 'false');
    expect(button).toHaveFocus();
    await toggle();
    await userEvent.click(screen.getByText('elsewhere'));
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await toggle();
    expect(button).toHaveAttribute('aria-expanded', 'true');
    screen.getByRole('link', { name: 'away' }).click();
    await waitFor(() => expect(button).toHaveAttribute('aria-expanded', 'false'));
  });

  test('an empty basket links to the offers; a failed one shows an error', async () => {
    const api = memberApi();
    const first = cart();
    await userEvent.click(await trigger());
    expect(await screen.findByRole('link', { name: 'See the offers' })).toHaveAttribute('href', '/offers');
    first.unmount();
    api.answers['GET /sustainable/basket'] = refuse(503, 'unavailable');
    cart();
    await userEvent.click(await trigger());
    expect(await screen.findByRole('alert')).toHaveTextContent('We cannot be reached right now.');
  });

  test('there is no basket without access to the market', async () => {
    memberApi({ 'GET /sustainable/basket': refuse(403, 'marketplace.access_pending') });
    const hide = vi.fn();
    cart({}, hide);
    await waitFor(() => expect(hide).toHaveBeenCalled());
  });
});

describe('the copy in the browser', () => {
  row('4-basket-stored-locally', 'is kept until the page closes or the member signs out', async () => {
    memberApi({ 'GET /sustainable/basket': two });
    let queries: ReturnType<typeof useQueries> | undefined;
    function Shell() {
      queries = useQueries();
      return <Cart hide={() => undefined} />;
    }
    show(<Shell />, { at: '/offers' });
    await screen.findByRole('button', { name: 'Basket: 2' });
    expect(copy()).toEqual(two);
    leave(true); // the page may be restored from the back/forward cache
    expect(copy()).toEqual(two);
    leave(false);
    expect(copy()).toBeNull();
    localStorage.setItem(key, JSON.stringify(two));
    queries?.clear(); // sign-out does this
    expect(copy()).toBeNull();
  });

  row(
    '4-basket-storage-reconcile',
    'equals the last response, is sent with each call, and is fetched again after a reload',
    async () => {
      const after = basket(item('1', 24), item('2', 1, 1250, { project_name: 'Zonneveld' }), item('3', 1));
      const api = memberApi({
        'GET /sustainable/basket': two,
        'POST /sustainable/market': page([offer('3')]),
        'POST /sustainable/basket': after,
      });
      const both = (
        <>
          <Cart hide={() => undefined} />
          <OffersPage />
        </>
      );
      const first = show(both, { at: '/offers' });
      await screen.findByRole('button', { name: 'Basket: 2' });
      expect(copy()).toEqual(two);
      const add = await screen.findByRole('button', { name: 'Add to basket' });
      await waitFor(() => expect(add).not.toHaveAttribute('aria-disabled'));
      await userEvent.click(add);
      await screen.findByRole('button', { name: 'Basket: 3' });
      expect(api.calls.find((c) => c.method === 'POST' && c.path === '/sustainable/basket')?.body).toMatchObject({ basket: two });
      expect(copy()).toEqual(after);
      first.unmount();
      // after a reload: the server's basket has changed in the meantime, so the copy is ignored
      api.answers['GET /sustainable/basket'] = basket(item('2', 1, 1250));
      api.calls.length = 0;
      cart({ at: '/offers' });
      await screen.findByRole('button', { name: 'Basket: 1' });
      expect(api.calls.map((c) => `${c.method} ${c.path}`)).toEqual(['GET /sustainable/basket']);
      expect(copy()).toEqual(basket(item('2', 1, 1250)));
    },
  );
});

row(
  '9-basket-as-shown',
  'the copy is of this tab: another tab that closes, or shows another basket, does not change it',
  async () => {
    memberApi({ 'GET /sustainable/basket': two });
    cart({ at: '/offers' });
    await screen.findByRole('button', { name: 'Basket: 2' });
    vi.resetModules();
    const other = await import('./basket'); // the module in another tab
    expect(other.copyKey('customer-1')).not.toBe(key);
    localStorage.setItem(other.copyKey('customer-1'), JSON.stringify(basket()));
    leave(false);
    expect(Object.keys(localStorage)).toEqual([other.copyKey('customer-1')]);
  },
);

describe('a code in the URL', () => {
  afterEach(() => vi.useRealTimers());
  const tried = (api: ReturnType<typeof memberApi>) =>
    api.calls.filter((c) => c.path.startsWith('/sustainable/activation')).map((c) => c.path);

  row(
    ['7.6-activation-startup', '7.6-activation-startup-source'],
    'is redeemed once; no call without a code; a failure shows nothing',
    async () => {
      const api = memberApi({ 'POST /sustainable/activation/direct/{id}': refuse(404, 'not_found') });
      const none = cart({ at: '/participation' });
      await trigger();
      expect(tried(api)).toEqual([]);
      none.unmount();
      const onNotify = vi.fn();
      const first = cart({ at: '/personal-offers?code=ABCDE-12345', onNotify });
      await waitFor(() => expect(tried(api)).toEqual(['/sustainable/activation/direct/ABCDE-12345']));
      first.unmount();
      vi.useFakeTimers({ shouldAdvanceTime: true });
      cart({ at: '/personal-offers?code=ABCDE-12345', onNotify });
      await trigger();
      await vi.advanceTimersByTimeAsync(20);
      expect(tried(api)).toHaveLength(1);
      expect(onNotify).not.toHaveBeenCalled();
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  row('7.6-activation-startup-source', 'is read from the URL of the document when a redirect has dropped it', async () => {
    const api = memberApi({ 'POST /sustainable/activation/direct/{id}': { offer: offer('1') } });
    const opened = { name: 'https://portal.example/?code=FGHIJ-67890' } as PerformanceEntry;
    const entries = vi.spyOn(performance, 'getEntriesByType').mockReturnValue([opened]);
    cart({ at: '/participation' });
    await waitFor(() => expect(tried(api)).toEqual(['/sustainable/activation/direct/FGHIJ-67890']));
    await waitFor(() => expect(entries).toHaveBeenCalledWith('navigation'));
    entries.mockRestore();
  });
});
