import { test } from 'vitest';
import { listed } from './rows';

/**
 * A test that proves rows of docs/requirements.tsv. Their ids stand in its name, where `make requirements` finds those that passed.
 * @param ids one row or several
 * @param what what the test shows, when the ids alone do not say it
 * @throws when a row's id does not read as one: a name that lists nothing proves nothing
 */
export function row(ids: string | readonly string[], what: string | (() => unknown), prove?: () => unknown): void {
  const name = listed(ids);
  if (typeof what === 'function') test(name, what as () => Promise<void>);
  else test(`${name} ${what}`, prove as () => Promise<void>);
}
