import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// parts of the kit are fetched on first use, which is slow on a busy machine
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => {
  cleanup();
  if (typeof window === 'undefined') return; // @vitest-environment node
  localStorage.clear();
  sessionStorage.clear();
});
