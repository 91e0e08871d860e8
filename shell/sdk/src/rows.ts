/** The form of a row's id: its section in docs/requirements.tsv or "face", then words. tools/requirements reads the same form. */
export const id = /^(?:\d(?:\.\d+)?|face)-[a-z][a-z\d]*(?:-[a-z\d]+)*$/;

/**
 * How the names of tests list rows: `[9-production-unit 9-chart-height]`.
 * @throws when there is none, or one does not read as an id
 */
export function listed(ids: string | readonly string[]): string {
  const all = [ids].flat();
  const wrong = all.filter((i) => !id.test(i));
  if (all.length === 0 || wrong.length > 0) throw new Error(`no id of a row: ${JSON.stringify(wrong.length ? wrong : all)}`);
  return `[${all.join(' ')}]`;
}

/** The rows that a name lists. */
export const rowsOf = (name: string): string[] =>
  [...name.matchAll(/\[([^\]]*)\]/g)].flatMap((m) => (m[1] ?? '').split(/\s+/)).filter((i) => id.test(i));

/** The row that the message of an assertion names: `expect(lines, '2.1-invoices-page-size')`, more words may follow. */
export const rowOf = (message: string): string | undefined => {
  const [first = ''] = message.split(/[\s,:;]/, 1);
  return id.test(first) ? first : undefined;
};
