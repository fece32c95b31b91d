import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bucketLink, uploadBucket } from '#shared/media/media-bucket-store.ts';
import { type BlobStore, type Bucket, blobStore, openBucket } from './bucket.ts';

/** How the service answers the nth request on one connection. */
let answer: (socket: Socket, nth: number) => void;
let server: Server;
let bucket: Bucket;
let blobs: BlobStore;
const sockets = new Set<Socket>();

const response = (body = '') => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

beforeEach(async () => {
  answer = (socket) => socket.write(response());
  server = createServer((socket) => {
    sockets.add(socket);
    let requests = 0;
    socket.on('error', () => undefined);
    // Head and body come in one piece or in two.
    socket.on('data', (data) => /^(?:GET|PUT|DELETE) /.test(String(data)) && answer(socket, ++requests));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const credentials = { accessKeyId: 'ASIA', secretAccessKey: 'secret', sessionToken: 'the token' };
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bucket = openBucket('files', { endpoint, region: 'eu-west-1', credentials });
  blobs = blobStore(bucket);
});
afterEach(async () => {
  (await bucket.open()).client.destroy();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server.close();
});

describe('the connections to S3', () => {
  it('may all be dead after a freeze: the second attempt opens one of its own', async () => {
    // Each connection answers once. Like one whose end was lost in a freeze, it fails when it is used again.
    answer = (socket, nth) => (nth === 1 ? socket.write(response()) : socket.resetAndDestroy());
    await Promise.all(Array.from({ length: 8 }, (_, key) => blobs.delete(String(key))));
    const kept = sockets.size;
    expect(kept).toBeGreaterThan(3);
    await blobs.delete('1');
    expect(sockets.size).toBe(kept + 1);
  });

  it('hand on the bytes of a file before all have come', async () => {
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfirst');
    const chunks = uploadBucket(bucket).read('1')[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('first');
    for (const socket of sockets) socket.destroy();
    await expect(chunks.next()).rejects.toThrow('aborted');
  });
});

it('a link carries the session token of the function, whose credentials are temporary', async () => {
  const options = { contentType: 'a/b', contentDisposition: 'inline', cacheControl: 'no-store', expiresInSeconds: 60 };
  const { searchParams } = new URL(await bucketLink(bucket)('media/1', options));
  expect(searchParams.get('X-Amz-Security-Token')).toBe('the token');
  expect(searchParams.get('X-Amz-Credential')).toMatch(/^ASIA\/\d{8}\/eu-west-1\/s3\/aws4_request$/);
});

it.each([
  ['eu-west-1', 'https://files.s3.eu-west-1.amazonaws.com/media/1'],
  ['us-east-1', 'https://files.s3.us-east-1.amazonaws.com/media/1'],
])('on AWS, the host of a link in %s is that of the bucket', async (region, address) => {
  const credentials = { accessKeyId: 'ASIA', secretAccessKey: 'secret' };
  const onAws = openBucket('files', { endpoint: `https://s3.${region}.amazonaws.com`, region, credentials });
  const options = { contentType: 'a/b', contentDisposition: 'inline', cacheControl: 'no-store', expiresInSeconds: 60 };
  const { origin, pathname } = new URL(await bucketLink(onAws)('media/1', options));
  expect(origin + pathname).toBe(address);
});
