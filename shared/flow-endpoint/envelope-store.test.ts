import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { envelopeStore } from './exchange-store.ts';

let dynamodb: TestTable;
beforeAll(async () => {
  dynamodb = await startTestTable();
});
afterAll(() => dynamodb.close());

it('binds an envelope to one Flow, also if two claim it at the same time', async () => {
  const { bind } = envelopeStore(dynamodb.table);
  const [first, second] = [newId(), newId()];
  const bound = await Promise.all([bind('a', first, 0), bind('a', second, 0)]);
  expect(bound.toSorted()).toEqual([false, true]);
  expect(await Promise.all([bind('a', first, 1), bind('a', second, 1)])).toEqual(bound);
  expect(await bind('b', second, 0)).toBe(true);
});
