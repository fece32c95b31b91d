import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SendMessageCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { clientConfig } from '#shared/adapters/aws-sdk/client-config.ts';
import { requestHandler } from '#shared/adapters/aws-sdk/request-handler.ts';
import type { Figure } from '../report/report.ts';
import { median } from '../report/statistics.ts';

const rounds = 15;
const callsARound = 300;
const timeoutMs = 5_000;

const message = { QueueUrl: 'http://127.0.0.1/000000000000/queue', MessageBody: 'x'.repeat(1_000) };
const response = { MessageId: '1', MD5OfMessageBody: createHash('md5').update(message.MessageBody).digest('hex') };

/** A server on a thread of its own, which responds to every call at once. Its processor time does not count. */
const server = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const listening = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(workerData));
  }).listen(0, '127.0.0.1', () => parentPort.postMessage(listening.address().port));
`;

/** Measures what each setting of the clients saves: the processor time of a call without it, against one with all. */
export async function measureSdkSettings(): Promise<Figure[]> {
  const worker = new Worker(server, { eval: true, workerData: JSON.stringify(response) });
  const before = { ...process.env };
  try {
    const [port] = await once(worker, 'message');
    const endpoint = `http://127.0.0.1:${port}`;
    // For the client that looks them up.
    Object.assign(process.env, {
      ...{ AWS_ENDPOINT_URL_SQS: endpoint, AWS_REGION: 'eu-west-1' },
      ...{ AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' },
    });
    return await compare(endpoint);
  } finally {
    process.env = before;
    await worker.terminate();
  }
}

/** Our handler keeps no connection of a second attempt. */
function withoutKeepAlive(): ReturnType<typeof requestHandler> {
  const handler = requestHandler(timeoutMs);
  return {
    ...handler,
    handle: (request) =>
      handler.handle({ ...request, headers: { ...request.headers, 'amz-sdk-request': 'attempt=2; max=3' } } as never),
  };
}

async function compare(endpoint: string): Promise<Figure[]> {
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const ours: SQSClientConfig = {
    ...clientConfig({ endpoint, region: 'eu-west-1', credentials }, timeoutMs),
    useQueueUrlAsEndpoint: false,
    md5: false,
  };
  const { requestHandler: _handler, ...ownHandler } = ours;
  const { endpoint: _endpoint, region: _region, credentials: _credentials, ...looksUp } = ours;
  const { md5: _md5, ...withMd5 } = ours;
  const without: Readonly<Record<string, SQSClientConfig>> = {
    'the request handler': ownHandler,
    'connections that are kept': { ...ours, requestHandler: withoutKeepAlive() },
    'static endpoint, region and credentials': looksUp,
    'middleware that is kept': { ...ours, cacheMiddleware: false },
    'switching off MD5': withMd5,
    'all settings but endpoint, region and credentials': { endpoint, region: 'eu-west-1', credentials },
  };
  const all = new SQSClient(ours);
  const figures: Figure[] = [];
  for (const [name, config] of Object.entries(without)) {
    const other = new SQSClient(config);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) ratios.push((await spent(other)) / (await spent(all)));
    other.destroy();
    figures.push({
      what: `CPU of a call of SQS without ${name}, against one with it`,
      value: median(ratios),
      unit: '×',
    });
  }
  all.destroy();
  return figures;
}

/** Microseconds of this thread for a row of calls. */
async function spent(client: SQSClient): Promise<number> {
  const begun = process.threadCpuUsage();
  for (let call = 0; call < callsARound; call++) await client.send(new SendMessageCommand(message));
  const { user, system } = process.threadCpuUsage(begun);
  return user + system;
}
