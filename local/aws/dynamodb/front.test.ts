import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import type { Access } from '../base/aws-access.ts';
import { type LoopbackServer, listenOnLoopback } from '../base/loopback.ts';
import { startDynamoDbFront } from './front.ts';

const running: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0).reverse()) await server.close();
});

const answer: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-length': 15 }).end('{"engine":true}');

async function startFront(authorize: (access: Access) => void, engineResponds: RequestListener = answer) {
  const engine = await listenOnLoopback(createServer(engineResponds), 0);
  const partitionKeyNames = new Map([['Table', 'pk']]);
  const front = await startDynamoDbFront({
    ...{ engineUrl: engine.url, region: 'us-east-1', accountId: '0', partitionKeyNames, authorize },
    batchesAsTransactions: true,
  });
  running.push(engine, front);
  const headersOf = (operation: string) => ({
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    authorization: 'AWS4 Credential=CALLER/x',
  });
  const request = (operation: string, call: unknown) =>
    fetch(front.url, { method: 'POST', headers: headersOf(operation), body: JSON.stringify(call) });
  /** Sends requests in one piece, and returns all that comes back until the last one's connection closes. */
  async function sendTogether(...calls: [operation: string, call: unknown][]): Promise<string> {
    const sent = calls.map(([operation, call], at) => {
      const body = JSON.stringify(call);
      const headers = { ...headersOf(operation), 'content-length': Buffer.byteLength(body) };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const close = at === calls.length - 1 ? 'connection: close\r\n' : '';
      return `POST / HTTP/1.1\r\nhost: x\r\n${close}${lines.join('')}\r\n${body}`;
    });
    const socket = connect(Number(new URL(front.url).port), '127.0.0.1');
    socket.write(sent.join(''));
    return text(socket);
  }
  return Object.assign(request, { sendTogether });
}

const call = { TableName: 'Table', Key: { pk: { S: 'TOKEN#1' } } };

it('a permitted request is passed on to DynamoDB', async () => {
  const asked: Access[] = [];
  const request = await startFront((access) => void asked.push(access));
  expect(await (await request('GetItem', call)).json()).toEqual({ engine: true });
  expect(asked).toEqual([
    {
      accessKeyId: 'CALLER',
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

const batch = {
  Statements: ['1', '2'].map((pk) => ({ Statement: `INSERT INTO "Table" VALUE {'pk':?}`, Parameters: [{ S: pk }] })),
};

/** Responds with the name of the operation, and rejects transactions. */
const nameOperation: RequestListener = ({ headers }, response) => {
  const operation = String(headers['x-amz-target']).replace(/^.*\./, '');
  const body = JSON.stringify({ operation });
  response
    .writeHead(operation === 'ExecuteTransaction' ? 400 : 200, { 'content-length': Buffer.byteLength(body) })
    .end(body);
};

it('requests that a client sends without waiting get their responses in order', async () => {
  const { sendTogether } = await startFront(() => undefined, nameOperation);
  const responses = await sendTogether(
    ['GetItem', call],
    ['BatchExecuteStatement', batch],
    ['PutItem', { TableName: 'Table', Item: call.Key }],
  );
  expect([...responses.matchAll(/"operation":"(\w+)"/g)].map(([, name]) => name)).toEqual([
    'GetItem',
    'BatchExecuteStatement',
    'PutItem',
  ]);
});

it('a batch gets its response even if the client closes the connection after it', async () => {
  const { sendTogether } = await startFront(() => undefined, nameOperation);
  expect(await sendTogether(['BatchExecuteStatement', batch])).toContain('"operation":"BatchExecuteStatement"');
});

it('a transaction whose statements are not permitted never reaches the engine', async () => {
  const received: unknown[] = [];
  const request = await startFront(
    () => {
      throw new Error('not allowed');
    },
    (incoming) => void received.push(incoming.url),
  );
  expect((await request('BatchExecuteStatement', batch)).status).toBe(400);
  expect(received).toEqual([]);
});

it.each<[string, RequestListener]>([
  ['closes the connection before its response', ({ socket }) => void socket.destroy()],
  [
    'closes it in the middle',
    (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
  ],
  ['responds without a length', (_, response) => void response.writeHead(200).end('{}')],
])('the client gets an error if the engine %s, and can go on', async (_, fault) => {
  let isFaulty = true;
  const request = await startFront(
    () => undefined,
    (incoming, response) => (isFaulty ? fault(incoming, response) : answer(incoming, response)),
  );
  for (const [operation, body] of [
    ['GetItem', call],
    ['BatchExecuteStatement', batch],
  ] as const) {
    isFaulty = true;
    const failed = await request(operation, body);
    expect([failed.status, await failed.json()]).toEqual([
      500,
      { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: expect.any(String) },
    ]);
    isFaulty = false;
    expect((await request(operation, body)).status).toBe(200);
  }
});

it('a client that leaves while the engine works does no harm', async () => {
  const arrived = Promise.withResolvers<void>();
  const request = await startFront(
    () => undefined,
    (incoming, response) => {
      if (incoming.headers['x-leave'] === undefined) answer(incoming, response);
      else arrived.resolve();
    },
  );
  const port = Number(new URL(running.at(-1)?.url ?? '').port);
  const socket = connect(port, '127.0.0.1');
  const body = JSON.stringify(batch);
  const headers = ['host: x', 'x-leave: 1', 'x-amz-target: D.BatchExecuteStatement', `content-length: ${body.length}`];
  socket.write(`POST / HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  await arrived.promise;
  socket.destroy();
  expect((await request('GetItem', call)).status).toBe(200);
});
