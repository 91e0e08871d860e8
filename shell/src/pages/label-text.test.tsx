import { act, cleanup, screen } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import type { LabelPage } from '../portal';
import { drawInShell, setWidth } from '../test-shell';
import LabelText from './label-text';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

row('9-label-pages-places', 'a link to a heading of another page: it has the focus when the text is there', async () => {
  setWidth(1280);
  const pages: LabelPage[] = [{ slug: 'terms', title: { nl: 'Voorwaarden', en: 'Terms' }, public: true, place: 'footer' }];
  for (const [hash, focused] of [
    ['#p-%C3%A9%C3%A9n-ding', 'Één ding'],
    ['#p-two', 'Two'],
    ['#p-gone', undefined],
    ['#%', undefined],
    ['', undefined],
  ] as const) {
    const html = '<h2 id="p-één-ding">Één ding</h2><p>text</p><h3 id="p-two">Two</h3>';
    await act(
      async () =>
        void drawInShell(<LabelText />, {
          at: `/pages/terms${hash}`,
          session: null,
          portal: { pages },
          answer: (path) => (path.includes('/pages/terms') ? [200, { html, locale: 'en' }] : [404, {}]),
        }),
    );
    await screen.findByText('text');
    const { activeElement } = document;
    expect(activeElement === document.body ? undefined : activeElement?.textContent, hash).toBe(focused);
    cleanup();
  }
});

row('9-label-pages-safe', 'the page sanitizes again what the server sends', async () => {
  setWidth(1280);
  const html =
    '<h2 id="p-contract">Contract</h2><p onclick="alert(1)" style="color:red">kept<img src="x" onerror="alert(1)"></p>' +
    '<script>alert(1)</script><form action="/x"><input></form><iframe src="https://a.example"></iframe>' +
    '<p><a href="javascript:alert(1)">left</a> <a href="#p-contract">to the heading</a></p>';
  const pages: LabelPage[] = [{ slug: 'terms', title: { nl: 'Voorwaarden', en: 'Terms' }, public: true, place: 'footer' }];
  await act(
    async () =>
      void drawInShell(<LabelText />, {
        at: '/pages/terms',
        session: null,
        portal: { pages },
        answer: (path) => (path.includes('/pages/terms') ? [200, { html, locale: 'en' }] : [404, {}]),
      }),
  );
  const kept = await screen.findByText('kept');
  expect(kept.outerHTML).toBe('<p>kept</p>');
  const heading = screen.getByText('Contract');
  expect(heading.outerHTML, 'a page has headings from level 2').toBe('<h2 id="p-contract">Contract</h2>');
  const text = kept.parentElement as HTMLElement;
  expect(text.querySelectorAll('script, img, form, input, iframe, [onclick], [style]')).toHaveLength(0);
  expect([...text.querySelectorAll('a')].map((a) => a.getAttribute('href'))).toEqual([null, '#p-contract']);
});
