import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fromItem } from '#shared/adapters/dynamodb/table/item.ts';
import { scanTable } from '#shared/adapters/dynamodb/table/scan.ts';
import type { SubscriberSecrets } from '#shared/domain/subscribers/secret-store.ts';
import { readJournaledMap } from '../aws/base/journal.ts';
import type { StoredObject } from '../aws/s3/bucket.ts';
import { type Message, md5 } from '../aws/sqs/queue/message.ts';
import { readMessageLog } from '../aws/sqs/queue/message-log.ts';
import type { Media } from '../graph/media/media.ts';
import { seededCredentials, seededTokens } from '../seed.ts';
import type { World } from '../world.ts';
import { flowTokensIn, redaction, textsIn } from './redact-secrets.ts';
import { carriedRecords, isCarried, type WorldContents, writeWorldFile } from './world-file.ts';

export type ExportableWorld = Pick<World, 'description' | 'table' | 'dataDir' | 'administrator'>;

/**
 * What a running world keeps, without its secrets, as the text of a file. It is read while the world runs on.
 *
 * @throws WorldFileError if it is too large
 */
export async function exportWorld(world: ExportableWorld): Promise<string> {
  const { table, dataDir, description } = world;
  const items = await Array.fromAsync(scanTable(table));
  const contents: WorldContents = {
    table: items.filter(({ pk }) => isCarried(pk)).map(withoutMarks),
    objects: readObjects(join(dataDir, 's3')),
    queues: readQueues(join(dataDir, 'sqs', 'messages')),
    platform: Object.fromEntries(carriedRecords.map((name) => [name, readRecords(join(dataDir, 'upstream'), name)])),
  };
  const secrets = [...secretsOf(world), ...items.flatMap(secretsIn)];
  const redact = redaction(secrets, flowTokensIn(JSON.stringify(contents)));
  const { table: carried, objects, queues, platform } = contents;
  const file: WorldContents = {
    table: redact(carried),
    objects: objects.map((one) => ({ ...redact({ ...one, base64: '' }), base64: redactBytes(one.base64, redact) })),
    queues: Object.fromEntries(
      Object.entries(queues).map(([name, messages]) => [name, redact(messages).map(withDigest)]),
    ),
    platform: { ...redact(platform), media: redactMedia(platform.media ?? [], redact) },
  };
  return writeWorldFile(file, description.code_version);
}

type Redact = ReturnType<typeof redaction>;

/** The item without what says that secrets of its own exist: in another world there are none. */
function withoutMarks(item: { readonly pk: string; readonly sk: string }): WorldContents['table'][number] {
  const { own_credentials, headers, gsi2pk, gsi2sk, ...kept } = item as Record<string, unknown>;
  const isTarget = item.sk.startsWith('TARGET#');
  return {
    ...kept,
    pk: item.pk,
    sk: item.sk,
    ...(headers !== undefined && !isTarget && { headers }),
    ...(gsi2pk !== undefined && gsi2pk !== 'OWN_CREDENTIALS' && { gsi2pk, gsi2sk }),
  };
}

/** The credentials at the platform, the private keys, the seeded tokens, and what opens the local AWS. */
function secretsOf({ dataDir, administrator }: ExportableWorld): string[] {
  const file = join(dataDir, 'secrets', 'secrets.json');
  const stored: { versions: { value: unknown }[] }[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  return [
    ...stored.flatMap(({ versions }) => versions.flatMap(({ value }) => textsIn(value))),
    ...Object.values(seededTokens),
    ...Object.values(seededCredentials),
    administrator.secretAccessKey,
  ];
}

/** The signing secrets of a subscriber, and the values of its receivers' headers. */
function secretsIn(item: Readonly<Record<string, unknown>>): string[] {
  if (!String(item.pk).startsWith('SECRETS#')) return [];
  const { headers = {}, ...signing } = fromItem<SubscriberSecrets>(item) ?? {};
  return [...textsIn(signing), ...Object.values(headers).flatMap((stored) => textsIn(stored.headers))];
}

function readObjects(folder: string): WorldContents['objects'] {
  return namesIn(folder).flatMap((bucket) =>
    [...readJournaledMap<StoredObject>(join(folder, bucket, 'index.jsonl'))].map(([key, { file, headers }]) => ({
      bucket,
      key,
      headers,
      base64: readFileSync(join(folder, bucket, 'files', file), 'base64'),
    })),
  );
}

function readQueues(folder: string): WorldContents['queues'] {
  return Object.fromEntries(
    namesIn(folder).map((file) => [basename(file, '.jsonl'), readMessageLog(join(folder, file))]),
  );
}

function readRecords(folder: string, name: string) {
  return [...readJournaledMap(join(folder, `${name}.jsonl`))].map(([key, value]) => ({ key, value }));
}

const withDigest = (message: Message): Message => ({ ...message, md5OfBody: md5(message.body) });

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** The bytes, without secrets if they are a text. */
function redactBytes(base64: string, redact: Redact): string {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? Buffer.from(redact(text)).toString('base64') : base64;
}

/** The files of the platform come along in their records. */
function redactMedia(records: readonly { key: string; value?: unknown }[], redact: Redact) {
  return records.map(({ key, value }) => {
    const { content, ...media } = value as Media;
    const base64 = 'file' in content ? readFileSync(content.file, 'base64') : 'base64' in content && content.base64;
    return {
      key,
      value: { ...redact(media), content: base64 === false ? content : { base64: redactBytes(base64, redact) } },
    };
  });
}
