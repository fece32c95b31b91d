import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertStatement, type Statement, updateStatement } from '#shared/adapters/dynamodb/statement.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import { type LoopbackServer, listenOnLoopback } from '../base/loopback.ts';
import { startDynamoDbFront } from './front.ts';

let alone: TestTable;
let behindFront: TestTable;
let engine: LoopbackServer;
let front: LoopbackServer;
const received: string[] = [];

/** Passes calls on to the engine and notes their operations. */
const startNotingEngine = (url: string) =>
  listenOnLoopback(
    createServer(async (request, response) => {
      received.push(String(request.headers['x-amz-target']).replace(/^.*\./, ''));
      const passed = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'x-amz-target': String(request.headers['x-amz-target']) },
        body: await text(request),
      });
      const body = await passed.text();
      response.writeHead(passed.status, { 'content-length': Buffer.byteLength(body) }).end(body);
    }),
    0,
  );

const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=f',
};

beforeAll(async () => {
  [alone, behindFront] = await Promise.all([startTestTable(), startTestTable()]);
  engine = await startNotingEngine(behindFront.endpoint);
  front = await startDynamoDbFront({
    ...{ engineUrl: engine.url, region: 'us-east-1', accountId: '0', authorize: () => undefined },
    partitionKeyNames: new Map([[alone.table.name, 'pk']]),
    batchesAsTransactions: true,
  });
});

afterAll(async () => {
  await front.close();
  await engine.close();
  await Promise.all([alone.close(), behindFront.close()]);
});

async function call(url: string, operation: string, input: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body: JSON.stringify(input),
  });
  return { status: response.status, body: (await response.json()) as { Responses: unknown[] } };
}

const typed = (value: unknown) => (typeof value === 'number' ? { N: `${value}` } : { S: `${value}` });
const member = ({ text, parameters }: Pick<Statement, 'text' | 'parameters'>) => ({
  Statement: text,
  Parameters: parameters.map(typed),
});

/** Executes a batch in both tables, and expects the same response and items. Returns what the engine received. */
async function expectSame(batch: Record<string, unknown>) {
  received.length = 0;
  const [direct, fronted] = await Promise.all([
    call(alone.endpoint, 'BatchExecuteStatement', batch),
    call(front.url, 'BatchExecuteStatement', batch),
  ]);
  expect(fronted).toEqual(direct);
  const operations = received.splice(0);
  const [items, itemsBehindFront] = await Promise.all(
    [alone.endpoint, front.url].map((url) => call(url, 'Scan', { TableName: alone.table.name })),
  );
  expect(itemsBehindFront).toEqual(items);
  return { operations, ...direct };
}

const key = (sk: string) => ({ pk: 'P', sk });
const insert = (sk: string) => member(insertStatement('messaging-test', { ...key(sk), state: 'waiting', at: 1 }));
const update = (sk: string, state: string, returning?: 'ALL NEW') =>
  member(
    updateStatement(
      'messaging-test',
      key(sk),
      { set: { state: 'done' }, remove: ['at'] },
      { text: '"state"=?', parameters: [state] },
      returning,
    ),
  );

describe('a batch of statements', () => {
  it('is one transaction for the engine, if all statements succeed', async () => {
    const inserted = await expectSame({ Statements: [insert('a'), insert('b'), insert('ü')] });
    expect(inserted).toMatchObject({ status: 200, operations: ['ExecuteTransaction'] });
    expect(inserted.body.Responses).toEqual(Array(3).fill({ TableName: 'messaging-test' }));
    const updated = await expectSame({ Statements: [update('a', 'waiting'), update('ü', 'waiting')] });
    expect(updated.operations).toEqual(['ExecuteTransaction']);
  });

  it.each([0, 1, 2])('fails in part as it does without a front, at place %i', async (place) => {
    const names = [0, 1, 2].map((at) => `${place}-${at}`);
    await expectSame({ Statements: [insert(names[place] ?? '')] });
    const inserted = await expectSame({ Statements: names.map(insert) });
    expect(inserted.operations).toEqual(['ExecuteTransaction', 'BatchExecuteStatement']);
    expect(inserted.body.Responses[place]).toHaveProperty('Error.Code', 'DuplicateItem');

    const states = names.map((_, at) => (at === place ? 'other' : 'waiting'));
    const updated = await expectSame({ Statements: names.map((name, at) => update(name, states[at] ?? '')) });
    expect(updated.operations).toEqual(['ExecuteTransaction', 'BatchExecuteStatement']);
    expect(updated.body.Responses[place]).toHaveProperty('Error.Code', 'ConditionalCheckFailed');
  });

  it.each([
    ['names an item twice', () => [insert('twice'), insert('twice')], 400],
    [
      'is not well formed',
      () => [insert('well'), { Statement: 'INSERT INTO "messaging-test" VALUE {', Parameters: [] }],
      200,
    ],
  ])('that %s is answered as without a front', async (_, statements, status) => {
    expect(await expectSame({ Statements: statements() })).toMatchObject({ status });
  });

  it.each([
    [
      'has more statements than DynamoDB takes',
      () => ({ Statements: Array.from({ length: 26 }, (_, at) => insert(`${at}`)) }),
    ],
    ['has no statements', () => ({ Statements: null })],
    ['is a single statement', () => ({ Statements: [insert('single')] })],
    ['returns items', () => ({ Statements: [update('single', 'waiting', 'ALL NEW'), insert('other')] })],
    ['asks for the units', () => ({ Statements: [insert('c'), insert('d')], ReturnConsumedCapacity: 'TOTAL' })],
    [
      'reads',
      () => ({
        Statements: ['c', 'd'].map((sk) => ({
          Statement: 'SELECT * FROM "messaging-test" WHERE "pk"=? AND "sk"=?',
          Parameters: [typed('P'), typed(sk)],
        })),
      }),
    ],
  ])('that %s reaches the engine as it is', async (_, batch) => {
    expect((await expectSame(batch())).operations).toEqual(['BatchExecuteStatement']);
  });

  it('leaves the connection to the requests after it', async () => {
    await expectSame({ Statements: [insert('e'), insert('f')] });
    await expectSame({ Statements: [insert('f'), insert('g')] });
    expect(
      (await call(front.url, 'GetItem', { TableName: 'messaging-test', Key: { pk: typed('P'), sk: typed('g') } })).body,
    ).toHaveProperty('Item');
  });
});
