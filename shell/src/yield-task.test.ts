import { expect, test } from 'vitest';
import { yieldTask } from './yield-task';

test('each waiting caller goes on in a task of its own, in order', async () => {
  const seen: string[] = [];
  const work = async (name: string) => {
    await yieldTask();
    seen.push(name);
    for (let i = 0; i < 50; i++) await Promise.resolve(); // work that continues in the same task precedes the next caller
    seen.push(`${name} ends`);
  };
  const all = Promise.all([work('a'), work('b'), work('c')]);
  expect(seen).toEqual([]);
  await all;
  expect(seen).toEqual(['a', 'a ends', 'b', 'b ends', 'c', 'c ends']);
});
