import { test } from 'vitest';
import { listed } from './rows';

/**
 * Declares a test that proves rows of docs/requirements.tsv. The test name contains their ids, so that `make requirements` can find
 * the rows that passed.
 * @param ids one or more row ids
 * @param what what the test shows, if the ids alone do not say it
 * @throws when an id is malformed
 */
export function row(ids: string | readonly string[], what: string | (() => unknown), prove?: () => unknown): void {
  const name = listed(ids);
  if (typeof what === 'function') test(name, what as () => Promise<void>);
  else test(`${name} ${what}`, prove as () => Promise<void>);
}
