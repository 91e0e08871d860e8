import { act, cleanup } from '@testing-library/react';
import { useLocation, useUnsavedIn } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import { useNavigationEffects } from './navigation';
import { drawInShell, setWidth } from './test-shell';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const title = { id: 'm.note', defaultMessage: 'Note' };
function Page({ dirty = false, named = true }: { dirty?: boolean; named?: boolean }) {
  useUnsavedIn('page', dirty);
  return useNavigationEffects({ page: useLocation(), title: named ? title : undefined, overlay: false });
}

row('face-title', 'names the page and the label: its title, or its name where it has none', () => {
  setWidth(1280);
  vi.stubGlobal('scrollTo', () => undefined);
  drawInShell(<Page />, { label: { name: 'Acme', page_title: 'My Acme' } });
  expect(document.title).toBe('Note | My Acme');
  cleanup();
  drawInShell(<Page />, { label: { name: 'Acme' } });
  expect(document.title).toBe('Note | Acme');
  cleanup();
  drawInShell(<Page named={false} />, { label: { name: 'Acme' } });
  expect(document.title).toBe('Acme');
});

row('face-unsaved', 'the browser asks too before the tab is closed, while there is something unsaved and not otherwise', () => {
  setWidth(1280);
  vi.stubGlobal('scrollTo', () => undefined);
  const asks = () => {
    const leaving = new Event('beforeunload', { cancelable: true });
    act(() => void dispatchEvent(leaving));
    return leaving.defaultPrevented;
  };
  for (const dirty of [true, false]) {
    drawInShell(<Page dirty={dirty} />);
    expect(asks(), `${dirty}`).toBe(dirty);
    cleanup();
  }
  drawInShell(<Page dirty />);
  cleanup();
  expect(asks(), 'after the page was left').toBe(false);
});
