import { join } from 'node:path';
import { BatchWriteCommand, type BatchWriteCommandInput, type BatchWriteCommandOutput } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { createSecret } from '#shared/domain/signing/webhook-signature.ts';
import type { Breaker } from '#shared/domain/subscribers/breaker.ts';
import type { TargetRecord } from '#shared/domain/subscribers/target.ts';
import { JournaledMap } from '../aws/base/journal.ts';
import { Bucket } from '../aws/s3/bucket.ts';
import { writeObjectFile } from '../aws/s3/object-file.ts';
import { writeMessageLog } from '../aws/sqs/queue/message-log.ts';
import { seedTokens } from '../seed.ts';
import type { WorldContents } from './world-file.ts';

/** Writes what is kept in files, before anything starts. */
export async function writeFolders(dataDir: string, { objects, queues, platform }: WorldContents): Promise<void> {
  for (const [name, messages] of Object.entries(queues)) {
    writeMessageLog(join(dataDir, 'sqs', 'messages', `${name}.jsonl`), messages);
  }
  for (const [name, records] of Object.entries(platform)) {
    const map = new JournaledMap(join(dataDir, 'upstream', `${name}.jsonl`));
    for (const { key, value } of records ?? []) map.set(key, value);
    map.close();
  }
  for (const [name, own] of Map.groupBy(objects, ({ bucket }) => bucket)) {
    const bucket = new Bucket(name, join(dataDir, 's3'), Date.now);
    for (const { key, headers, base64 } of own) {
      const file = await writeObjectFile(bucket.folder, chunks(base64));
      const crc32 = Buffer.alloc(4);
      crc32.writeUInt32BE(file.crc32);
      await bucket.put(key, file, { headers, etag: file.md5.toString('hex'), crc32: crc32.toString('base64') });
    }
    bucket.close();
  }
}

async function* chunks(base64: string): AsyncGenerator<Buffer> {
  yield Buffer.from(base64, 'base64');
}

type Item = WorldContents['table'][number];

/** The most that a `BatchWriteItem` takes. */
const itemsAtOnce = 25;

/** Fills an empty table, with the tokens of a new world and new signing secrets. */
export async function fillTable(table: Table, contents: WorldContents): Promise<void> {
  const now = Date.now();
  const items = contents.table.map((item) => (item.sk.startsWith('TARGET#') ? paused(item, now) : item));
  const secrets = items.filter(isSubscriber).map(({ pk }) => ({
    ...keys.secrets(pk.slice('SUBSCRIBER#'.length)),
    current: createSecret(),
    headers: {},
  }));
  const all = [...items, ...secrets];
  for (let start = 0; start < all.length; start += itemsAtOnce) {
    const puts = all.slice(start, start + itemsAtOnce).map((Item) => ({ PutRequest: { Item } }));
    let RequestItems: BatchWriteCommandInput['RequestItems'] = { [table.name]: puts };
    while (RequestItems && Object.keys(RequestItems).length > 0) {
      const output: BatchWriteCommandOutput = await table.client.send(new BatchWriteCommand({ RequestItems }));
      RequestItems = output.UnprocessedItems;
    }
  }
  await seedTokens(table);
}

/**
 * The target as one that is paused until somebody resumes it: what waits in an imported world must not go to the
 * receivers of the machine that it comes from.
 */
function paused(item: Item, now: number): Item {
  // The index finds targets to probe, and to announce.
  const { gsi1pk: _, gsi1sk: __, ...target } = item as Item & Partial<TargetRecord> & Record<string, unknown>;
  if (target.url === undefined) return item;
  const { failures = 0, opened_at = now } = target.breaker ?? {};
  return { ...target, breaker: { failures, opened_at, paused_at: now } satisfies Breaker };
}

const isSubscriber = ({ pk, sk }: Item) => pk.startsWith('SUBSCRIBER#') && ['NUMBER', 'WORKSPACE'].includes(sk);
