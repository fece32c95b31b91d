import { BatchWriteCommand, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { awsError } from '#support/aws/aws-error.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { isTransient, openTable, readRecords } from './table.ts';

let server: TestServer;
afterEach(() => server.close());

/** A DynamoDB that rejects the first `rejections` requests with this error. */
async function startRejecting(error: string, rejections: number, members = {}) {
  server = await startHttpServer((_, response) => {
    const rejected = server.requests.length <= rejections;
    response.writeHead(rejected ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    const rejection = { __type: `com.amazonaws.dynamodb.v20120810#${error}`, ...members };
    response.end(JSON.stringify(rejected ? rejection : { Item: {} }));
  });
  const { client, name } = openTable('Table', {
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const Key = { pk: 'a', sk: 'b' };
  return {
    get: () => client.send(new GetCommand({ TableName: name, Key })),
    transact: () => client.send(new TransactWriteCommand({ TransactItems: [{ Delete: { TableName: name, Key } }] })),
  };
}

describe('the table', () => {
  it('waits for another transaction on the same item', async () => {
    const { get } = await startRejecting('TransactionConflictException', 2);
    expect(await get()).toMatchObject({ Item: {} });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['repeats a transaction that another write on one of its items canceled', ['None', 'TransactionConflict'], 3],
    ['repeats a transaction that was throttled', ['ThrottlingError', 'None'], 3],
    ['repeats a transaction beyond the capacity of a partition', ['ProvisionedThroughputExceeded'], 3],
    ['treats a failed condition of a transaction as final', ['ConditionalCheckFailed', 'TransactionConflict'], 1],
    ['treats a failed condition beside a throttled write as final', ['ConditionalCheckFailed', 'ThrottlingError'], 1],
  ])('%s', async (_, codes, requests) => {
    const CancellationReasons = codes.map((Code) => ({ Code }));
    const { transact } = await startRejecting('TransactionCanceledException', 2, { CancellationReasons });
    await transact().catch(() => {});
    expect(server.requests).toHaveLength(requests);
    // The same token each time, so that DynamoDB executes the transaction once.
    const tokens = server.requests.map(({ body }) => JSON.parse(body).ClientRequestToken);
    expect(new Set(tokens)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]));
  });

  it('treats a failed condition as final', async () => {
    const { get } = await startRejecting('ConditionalCheckFailedException', 1);
    await expect(get()).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
  });
});

it.each([
  ['too many requests for a partition', 'ProvisionedThroughputExceededException', true],
  ['too many requests for the table', 'ThrottlingException', true],
  ['too many requests for the account', 'RequestLimitExceeded', true],
  ['a transaction that is changing the item', 'TransactionConflictException', true],
  ['a failed condition', 'ConditionalCheckFailedException', false],
  ['a request that is not valid', 'ValidationException', false],
])('an error about %s says whether it will pass', (_, name, passes) => {
  expect(isTransient(awsError(name, ''))).toBe(passes);
});

it('an error of our own does not pass', () => {
  expect(isTransient(new Error('TransactionConflictException'))).toBe(false);
  expect(isTransient('TransactionConflictException')).toBe(false);
});

const dynamodb = forAllTests(() => startTestTable());

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
