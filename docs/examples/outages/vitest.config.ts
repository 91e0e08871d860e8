import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['remotes/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    setupFiles: ['@wattle/sdk/setup'],
    // by Vite, which knows what Node does not: that the default of styled-components is a function
    server: { deps: { inline: [/@wattle\//] } },
    restoreMocks: true,
    testTimeout: 120_000,
  },
});
