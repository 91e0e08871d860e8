import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  // rules of modules, and what the shell and its libraries decide without a component
  mutate: [
    'remotes/*/src/*.rules.ts',
    'shell/src/{compose,federation,greeting,label-pages,locale,problem-text,promo.rules,session,texts}.ts',
    'shell/ui/src/{format,iban,sanitize}.ts',
    'shell/charts/src/{geometry,period,scale,stack,steps,summary}.ts',
    'shell/sdk/src/{rows,stored,today}.ts',
  ],
  testRunner: 'vitest',
  plugins: [require.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'tools/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // rewriting a tsconfig needs TypeScript's JavaScript API, which TypeScript 7 no longer has; the sandbox needs no rewriting
  tsconfigFile: 'none',
  ignorePatterns: ['/bin', '/.cache', '/test-results', '/core', '/modules', '/labels', '/docs', '/data', '**/dist'],
  tempDirName: '.cache/stryker',
  concurrency: 2,
  timeoutMS: 60_000,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true, logTests: false },
  jsonReporter: { fileName: 'test-results/mutants-ts.json' },
  allowEmpty: false,
  thresholds: { high: 100, low: 90, break: 90 },
};
