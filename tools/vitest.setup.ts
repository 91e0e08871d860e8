import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(() => {
  cleanup();
  if (typeof window === 'undefined') return; // @vitest-environment node
  localStorage.clear();
  sessionStorage.clear();
});
