import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// parts of the kit are fetched with their first use, which takes its time on a busy machine
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => {
  cleanup();
  if (typeof window === 'undefined') return; // @vitest-environment node
  localStorage.clear();
  sessionStorage.clear();
});
