// @vitest-environment node
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { breaks } from '../docs/breaks.mjs';

row('11-docs-site-names', 'a name in a table breaks after dots, and after underscores where a part is long', () => {
  for (const [html, wanted] of [
    ['<code>identity.user_pool_id</code>', '<code>identity.<wbr>user_pool_id</code>'],
    ['<code>identity.authorization_endpoint</code>', '<code>identity.<wbr>authorization_<wbr>endpoint</code>'],
    ['<code>items[].address.city</code>', '<code>items[].<wbr>address.<wbr>city</code>'],
    ['<code>[].administration_costs</code>', '<code>[].administration_<wbr>costs</code>'],
    ['<code>changes.&lt;name&gt;.x</code>', '<code>changes.&lt;name&gt;.<wbr>x</code>'],
    ['<code>--database-direct-file</code>', '<code>--database-direct-file</code>'],
    ['amount plus administration_costs', 'amount plus administration_<wbr>costs'],
    ['<code v-pre>a 1.5 b</code>', '<code v-pre>a 1.5 b</code>'],
  ])
    expect(breaks(html)).toBe(wanted);
});
