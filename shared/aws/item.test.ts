import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestTable, type TestTable } from '#support/aws/dynamodb.ts';
import { readRecords } from './table.ts';

let dynamodb: TestTable;

beforeAll(async () => {
  dynamodb = await startTestTable();
});
afterAll(() => dynamodb.close());

const keyOf = (n: number) => ({ pk: `ITEM#${n % 3}`, sk: `ITEM#${n}` });

async function* keysOf(ns: readonly number[]) {
  for (const n of ns) yield keyOf(n);
}

async function write(ns: readonly number[]): Promise<void> {
  const { client, name } = dynamodb.table;
  for (let start = 0; start < ns.length; start += 25) {
    const requests = ns.slice(start, start + 25).map((n) => ({ PutRequest: { Item: { ...keyOf(n), n } } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
  }
}

describe('readRecords', () => {
  const all = Array.from({ length: 230 }, (_, n) => n);

  it('returns the records in the order of the keys, a hundred in a call, and omits missing ones', async () => {
    await write(all.filter((n) => n % 7 !== 0));
    const send = vi.spyOn(dynamodb.table.client, 'send');
    const found = await Array.fromAsync(readRecords(dynamodb.table, keysOf(all.toReversed())));
    expect(found).toEqual(all.toReversed().flatMap((n) => (n % 7 === 0 ? [] : [{ n }])));
    expect(send).toHaveBeenCalledTimes(3);
    send.mockRestore();
  });

  it('reads a record once whose key an index yields twice, because it moved between two pages', async () => {
    await write([1, 2]);
    const found = await Array.fromAsync(readRecords(dynamodb.table, keysOf([1, 2, 1])));
    expect(found).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('reads no more records than it is asked for', async () => {
    await write([1, 2]);
    const send = vi.spyOn(dynamodb.table.client, 'send');
    for await (const record of readRecords(dynamodb.table, keysOf([1, 2]), { atOnce: 1 })) {
      expect(record).toEqual({ n: 1 });
      break;
    }
    expect(send).toHaveBeenCalledTimes(1);
    send.mockRestore();
  });
});
