import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { rowOf, rowsOf } from '../shell/sdk/src/rows';

/**
 * A Playwright reporter that records the rows of docs/requirements.tsv named in a journey's assertions. It writes them as
 * annotations of type "row" in the JSON report, which `make requirements` reads. A journey that lists several rows and passes
 * without an assertion for each of them fails the run, because one of its rows would not be proven.
 */
export default class RowsReporter implements Reporter {
  readonly #silent: string[] = [];

  printsToStdio(): boolean {
    return false;
  }
  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status !== 'passed') return;
    const named = new Set<string>();
    const look = (steps: TestStep[]): void => {
      for (const step of steps) {
        const row = step.category === 'expect' && !step.error ? rowOf(step.title) : undefined;
        if (row) named.add(row);
        look(step.steps);
      }
    };
    look(result.steps);
    for (const description of named) result.annotations.push({ type: 'row', description });
    const rows = rowsOf(test.title);
    if (rows.length < 2) return;
    for (const row of rows) if (!named.has(row)) this.#silent.push(`${row} in ${test.location.file}:${test.location.line}`);
  }
  async onEnd(): Promise<{ status: 'failed' } | undefined> {
    if (this.#silent.length === 0) return undefined;
    console.error(`rows without an assertion that names them:\n  ${this.#silent.join('\n  ')}`);
    return { status: 'failed' };
  }
}
