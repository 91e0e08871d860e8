import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['remotes/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    setupFiles: ['@wattle/sdk/setup'],
    // processed by Vite, because Node does not resolve the default export of styled-components to a function
    server: { deps: { inline: [/@wattle\//] } },
    restoreMocks: true,
    testTimeout: 120_000,
  },
});
