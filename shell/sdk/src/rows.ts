/** The form of a row id: its section in docs/requirements.tsv or "face", then words. tools/requirements parses the same form. */
export const id = /^(?:1[01]|\d(?:\.\d+)?|face)-[a-z][a-z\d]*(?:-[a-z\d]+)*$/;

/**
 * Returns the list of rows for a test name: `[9-production-unit 9-chart-height]`.
 * @throws when there are no ids or one is malformed
 */
export function listed(ids: string | readonly string[]): string {
  const all = [ids].flat();
  const wrong = all.filter((i) => !id.test(i));
  if (all.length === 0 || wrong.length > 0) throw new Error(`not a row id: ${JSON.stringify(wrong.length ? wrong : all)}`);
  return `[${all.join(' ')}]`;
}

/** Returns the row ids in a test name. */
export const rowsOf = (name: string): string[] =>
  [...name.matchAll(/\[([^\]]*)\]/g)].flatMap((m) => (m[1] ?? '').split(/\s+/)).filter((i) => id.test(i));

/** Returns the row at the start of an assertion message: `expect(lines, '2.1-invoices-page-size')`; more words may follow. */
export const rowOf = (message: string): string | undefined => {
  const [first = ''] = message.split(/[\s,:;]/, 1);
  return id.test(first) ? first : undefined;
};
