/**
 * Returns the name of a journey, with the rows of docs/requirements.tsv that it proves: `test(rows('2.1-root-redirect', 'what'),
 * …)`.
 */
export const rows = (ids: string | readonly string[], what = ''): string => `[${[ids].flat().join(' ')}] ${what}`.trim();
