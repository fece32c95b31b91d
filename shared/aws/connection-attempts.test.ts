import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { describeError } from '#shared/base/logger.ts';
import { openTable, type Table } from './table.ts';

let server: Server;
let table: Table;
const sockets = new Set<Socket>();
afterEach(() => {
  table.client.destroy();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server.close();
});

const response = (body: string, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/x-amz-json-1.0\r\nx-amzn-requestid: REQUEST1\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A service whose answer to the nth request on one connection `answer` writes, or does not. */
async function start(
  answer: (socket: Socket, nth: number, request: string) => void,
  timeouts?: { timeoutMs: number },
): Promise<() => Promise<unknown>> {
  server = createServer((socket) => {
    sockets.add(socket);
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (request) => {
      requests += 1;
      answer(socket, requests, String(request));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  table = openTable('Table', {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    ...timeouts,
  });
  return () => table.client.send(new GetCommand({ TableName: 'Table', Key: { pk: 'a', sk: 'b' } }));
}

describe('the connections to AWS', () => {
  it('are kept from call to call', async () => {
    const get = await start((socket) => socket.write(response('{}')));
    for (let calls = 0; calls < 3; calls++) await get();
    expect(sockets.size).toBe(1);
  });

  it('may all be dead after a freeze: the second attempt opens one of its own', async () => {
    // Each connection answers once. Like one whose end was lost in a freeze, it fails when it is used again.
    const get = await start((socket, nth) => (nth === 1 ? socket.write(response('{}')) : socket.resetAndDestroy()));
    // Many connections that are kept.
    await Promise.all(Array.from({ length: 8 }, get));
    const kept = sockets.size;
    expect(kept).toBeGreaterThan(3);
    expect(await get()).toMatchObject({ $metadata: { attempts: 2 } });
    expect(sockets.size).toBe(kept + 1);
  });

  it('that end in the middle of a response make the SDK try again', async () => {
    let isFirst = true;
    const get = await start((socket) => {
      if (isFirst) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{');
      else socket.write(response('{}'));
      isFirst = false;
    });
    expect(await get()).toMatchObject({ $metadata: { attempts: 2 } });
  });

  it.each([
    ['before it begins', ''],
    ['in the middle', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'],
  ])('that fall silent during a response, %s, make the SDK try again', async (_, begun) => {
    const get = await start((socket) => socket.write(sockets.size === 1 ? begun : response('{}')), {
      timeoutMs: 1_000,
    });
    expect(await get()).toMatchObject({ $metadata: { httpStatusCode: 200 } });
    expect(sockets.size).toBeGreaterThan(1);
  });
});

describe('a clock that is wrong', () => {
  it('is corrected by what AWS says the time is', async () => {
    const hourMs = 3_600_000;
    const isNow = (request: string) => {
      const [, y, mo, d, h, mi, s] = /x-amz-date: (\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/i.exec(request) ?? [];
      return Math.abs(Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`) - Date.now() - hourMs) < hourMs / 2;
    };
    const get = await start((socket, _, request) => {
      const date = `\r\ndate: ${new Date(Date.now() + hourMs).toUTCString()}`;
      const body = '{"__type":"#InvalidSignatureException","message":"Signature expired: now is later"}';
      const answer = isNow(request) ? response('{}') : response(body, '400 Bad Request');
      socket.write(answer.replace('\r\n', `${date}\r\n`));
    });
    expect(await get()).toMatchObject({ $metadata: { attempts: 2 } });
    expect(await get()).toMatchObject({ $metadata: { attempts: 1 } });
  });
});

describe('an error of AWS', () => {
  it('has the id of its request in the log', async () => {
    const body = '{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"No table"}';
    const get = await start((socket) => socket.write(response(body, '400 Bad Request')));
    const error = await get().catch((caught: unknown) => caught);
    expect(describeError(error)).toMatchObject({
      error: 'ResourceNotFoundException',
      error_message: 'No table',
      aws_request_id: 'REQUEST1',
    });
  });
});
