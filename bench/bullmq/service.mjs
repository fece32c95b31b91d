// The same work on BullMQ and Redis, as one process: it takes the upstream's events, queues a job for each message,
// POSTs it signed, and keeps a log entry that is written before the attempt and after it.
// `node service.mjs REDIS_PORT APP_SECRET BULLMQ_FILE IOREDIS_FILE`; it prints its address.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { newId } from '#shared/base/ids.ts';
import { hubSignatureHeader, isHubSigned } from '#shared/domain/signing/hub-signature.ts';
import { createSecret, signatureHeaders } from '#shared/domain/signing/webhook-signature.ts';

const [redisPort, appSecret, ...files] = process.argv.slice(2);
const [{ Queue, Worker }, { Redis }] = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));
const connection = { host: '127.0.0.1', port: Number(redisPort), maxRetriesPerRequest: null };
const secrets = [createSecret()];
const logDays = 30;

const queue = new Queue('notifications', {
  connection,
  defaultJobOptions: { attempts: 11, backoff: { type: 'exponential', delay: 10_000 }, removeOnComplete: true },
});
const redis = new Redis(connection);

const worker = new Worker('notifications', deliver, { connection, concurrency: 20 });
worker.on('error', (error) => console.error(error));
worker.on('failed', (_, error) => console.error(error));

async function deliver({ data: { receiver, body }, id }) {
  const log = `delivery:${id}`;
  const isNew = await redis.hsetnx(log, 'created_at', Date.now());
  if (!isNew && (await redis.hget(log, 'state')) === 'delivered') return;
  await redis.hset(log, { state: 'delivering', body, receiver });
  await redis.expire(log, logDays * 86_400);
  const timestamp = Math.floor(Date.now() / 1000);
  const response = await fetch(receiver, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders({ id, timestamp, body, secrets }) },
    body,
  });
  await response.text();
  await redis.hset(log, { state: response.ok ? 'delivered' : 'waiting', attempted_at: Date.now() });
  if (!response.ok) throw new Error(`The receiver responded ${response.status}`);
}

async function take(request, response) {
  const body = await buffer(request);
  if (!isHubSigned({ header: request.headers[hubSignatureHeader], body, appSecrets: [appSecret] })) {
    return response.writeHead(401).end();
  }
  const receiver = new URL(request.url, 'http://localhost').searchParams.get('receiver');
  const values = JSON.parse(body).entry.flatMap(({ changes }) => changes.map(({ value }) => value));
  const notifications = values.flatMap(({ contacts, messages }) =>
    messages.map((message) => JSON.stringify({ contacts, messages: [message] })),
  );
  const jobs = notifications.map((notification) => ({
    name: 'deliver',
    data: { receiver, body: notification },
    opts: { jobId: newId() },
  }));
  await queue.addBulk(jobs);
  response.writeHead(200).end();
}

await worker.waitUntilReady();
const server = createServer((request, response) => {
  take(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
