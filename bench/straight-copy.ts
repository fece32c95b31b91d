import { parentPort, workerData } from 'node:worker_threads';
import { administrator } from '#local/aws/stack/administrator.ts';
import { mediaBucket } from '#shared/adapters/s3/media-bucket.ts';
import { elapsed } from './statistics.ts';

/** One half of the way of a file: from the upstream to nowhere, or from nowhere to the bucket. */
export type StraightCopy =
  | { from: { url: string; token: string } }
  | { to: { endpoint: string; region: string; bucket: string; bytes: number } };

const chunk = new Uint8Array(64 * 1024);

async function download({ url, token }: { url: string; token: string }): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok || !response.body) throw new Error(`The download answered ${response.status}`);
  for await (const _ of response.body);
}

async function* zeros(bytes: number) {
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk.subarray(0, bytes - sent);
}

async function copy(work: StraightCopy): Promise<void> {
  if ('from' in work) return download(work.from);
  const { endpoint, region, bucket, bytes } = work.to;
  await mediaBucket(bucket, { endpoint, region, credentials: administrator }).save('straight', zeros(bytes));
}

parentPort?.postMessage(await elapsed(() => copy(workerData as StraightCopy)));
