import { test } from 'vitest';
import { listed } from './rows';

/**
 * Declares a test that proves rows of docs/requirements.tsv. Their ids are in its name, where `make requirements` finds those that passed.
 * @param ids one row or several
 * @param what what the test shows, when the ids alone do not say it
 * @throws when an id is malformed
 */
export function row(ids: string | readonly string[], what: string | (() => unknown), prove?: () => unknown): void {
  const name = listed(ids);
  if (typeof what === 'function') test(name, what as () => Promise<void>);
  else test(`${name} ${what}`, prove as () => Promise<void>);
}
