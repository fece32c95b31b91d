import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { testSigners } from '#support/aws/aws-credentials.ts';
import { signedHeaders } from '#support/http/signed-request.ts';
import { type LoopbackServer, listenOnLoopback } from '../base/http/loopback.ts';
import type { Access } from '../base/signatures/aws-access.ts';
import { startDynamoDbFront } from './front.ts';

const running: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0).reverse()) await server.close();
});

const answer: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-length': 15 }).end('{"engine":true}');

async function startFront(authorize: (access: Access) => void, engineResponds: RequestListener = answer) {
  const engine = await listenOnLoopback(createServer(engineResponds), 0);
  const partitionKeys = new Map([['Table', 'pk']]);
  const front = await startDynamoDbFront({
    ...{ engine: { url: engine.url, accessKeyId: 'ENGINE' }, region: 'us-east-1', accountId: '0' },
    ...{ partitionKeys, signers: testSigners, authorize },
  });
  running.push(engine, front);
  const headersOf = (operation: string, body: string) => {
    const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
    return signedHeaders(front.url, { service: 'dynamodb', headers, body });
  };
  async function request(operation: string, call: unknown, signal: AbortSignal | null = null): Promise<Response> {
    const body = JSON.stringify(call);
    return fetch(front.url, { method: 'POST', headers: await headersOf(operation, body), body, signal });
  }
  return request;
}

const call = { TableName: 'Table', Key: { pk: { S: 'TOKEN#1' } } };

it('a permitted request is passed on to DynamoDB', async () => {
  const asked: Access[] = [];
  const request = await startFront((access) => void asked.push(access));
  expect(await (await request('GetItem', call)).json()).toEqual({ engine: true });
  expect(asked).toEqual([
    {
      accessKeyId: 'test',
      action: 'dynamodb:GetItem',
      resource: 'arn:aws:dynamodb:us-east-1:0:table/Table',
      context: { 'dynamodb:LeadingKeys': ['TOKEN#1'] },
    },
  ]);
});

it('a forbidden request is rejected as DynamoDB does', async () => {
  const request = await startFront(() => {
    throw new Error('not allowed');
  });
  const rejected = await request('PutItem', { TableName: 'Table', Item: call.Key });
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({
    __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException',
    message: 'not allowed',
  });
});

/** Responds with the name of the operation, and who calls it. */
const nameOperation: RequestListener = ({ headers }, response) => {
  const operation = String(headers['x-amz-target']).replace(/^.*\./, '');
  const [, caller] = /Credential=(\w+)/.exec(String(headers.authorization)) ?? [];
  const body = JSON.stringify({ operation, caller });
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
};

it('a table that the template does not have is not found', async () => {
  const request = await startFront(() => undefined);
  const rejected = await request('GetItem', { ...call, TableName: 'Other' });
  expect([rejected.status, await rejected.json()]).toEqual([
    400,
    {
      __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
      message: 'Requested resource not found: Other',
    },
  ]);
});

it('the engine is called with its own access key id, which the client does not know', async () => {
  const request = await startFront(() => undefined, nameOperation);
  expect(await (await request('GetItem', call)).json()).toEqual({ operation: 'GetItem', caller: 'ENGINE' });
});

const put = { TableName: 'Table', Item: call.Key };

it.each(['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction', 'ListTables'])(
  '%s, which names no table whose items a role could be checked for, never reaches the engine',
  async (operation) => {
    const received: unknown[] = [];
    const request = await startFront(
      () => undefined,
      (incoming) => void received.push(incoming.url),
    );
    const rejected = await request(operation, { Statement: 'SELECT * FROM "Table"' });
    expect([rejected.status, await rejected.json()]).toEqual([
      400,
      { __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: expect.stringContaining(operation) },
    ]);
    expect(received).toEqual([]);
  },
);

it.each<[string, RequestListener]>([
  ['closes the connection before its response', ({ socket }) => void socket.destroy()],
  [
    'closes it in the middle',
    (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
  ],
])('the client gets an error if the engine %s, and can go on', async (_, fault) => {
  let isFaulty = true;
  const request = await startFront(
    () => undefined,
    (incoming, response) => (isFaulty ? fault(incoming, response) : answer(incoming, response)),
  );
  const failed = await request('GetItem', call);
  expect([failed.status, await failed.json()]).toEqual([
    500,
    { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: expect.any(String) },
  ]);
  isFaulty = false;
  expect((await request('GetItem', call)).status).toBe(200);
});

it('a client that leaves while the engine works does no harm', async () => {
  const arrived = Promise.withResolvers<void>();
  const request = await startFront(
    () => undefined,
    (incoming, response) => {
      if (String(incoming.headers['x-amz-target']).endsWith('.GetItem')) answer(incoming, response);
      else arrived.resolve();
    },
  );
  const leaving = new AbortController();
  const left = request('PutItem', put, leaving.signal).catch((error: Error) => error.name);
  await arrived.promise;
  leaving.abort();
  expect(await left).toBe('AbortError');
  expect((await request('GetItem', call)).status).toBe(200);
});
