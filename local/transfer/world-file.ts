import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { TablePartition } from '#shared/domain/access/partitions.ts';
import type { Message } from '../aws/sqs/queue/message.ts';

const format = 'messaging-service local world';
const version = 1;

/** The largest file that is written or read. */
export const maxFileBytes = 64 * 1024 * 1024;

/** What a file says about itself, for the person who sends it. */
const contains = [
  'All Flows, messages, calls, contacts, deliveries and files of a local world, as they are: names, phone numbers and texts that somebody has typed are in it.',
  'Left out: access tokens, credentials, signing secrets, headers of receivers, private keys, verify tokens, previews, keyed requests, and how the app and the numbers are set up at the platform.',
  'Replaced: flow tokens by new ones; values in queries of addresses, and what looks like a secret, by "removed".',
];

/** Which items of the table are in the file. The others are secrets, follow from them, or end soon. */
const carriedPartitions: Readonly<Record<TablePartition, boolean>> = {
  'DELIVERIES#': true,
  'EVENT_NOTE#': true,
  'EXCHANGES#': true,
  'FLOWS#': true,
  'FLOW_JSON#': true,
  'FUNNEL#': true,
  // Its response may show a secret.
  'KEYED_REQUEST#': false,
  'MEDIA#': true,
  'OFF_TIME#': true,
  'PHONE_NUMBER_ID#': true,
  'PREVIEW#': false,
  'SECRETS#': false,
  'SENT_FLOW#': true,
  'SUBSCRIBER#': true,
  'TOKEN#': false,
  UNKNOWN_NUMBERS: true,
  // Its signed address ends within minutes.
  'UPLOAD#': false,
  'UPSTREAM_FLOW#': true,
  'USER#': true,
  'VERIFY_TOKEN#': false,
  'WABA#': true,
  'WORKSPACE#': true,
};

export const isCarried = (pk: string): boolean =>
  Object.entries(carriedPartitions).some(([partition, carried]) =>
    carried && partition.endsWith('#') ? pk.startsWith(partition) : carried && pk === partition,
  );

/** The records of the simulated platform that are in the file: not its keys, callbacks and PINs. */
export const carriedRecords = [
  'call-permissions',
  'calling-settings',
  'calls',
  'contacts',
  'conversations',
  'flows',
  'free-messages',
  'inbox',
  'media',
  'messages',
  'templates',
  'windows',
] as const;

const record = z.strictObject({ key: z.string(), value: z.unknown() });

/** Bytes, or how to generate them. A path would name a file of the machine that imports, which serves and deletes it. */
const carriedMedia = z.looseObject({
  content: z.union([
    z.strictObject({ base64: z.string() }),
    z.strictObject({ size: z.int().check(z.gte(0)), seed: z.string() }),
  ]),
});
const hasBytes = ({ value }: z.infer<typeof record>) => z.safeParse(carriedMedia, value).success;

/** The name of a queue or a bucket, which becomes the name of a file. */
const resourceName = z.string().check(z.regex(/^[a-z\d][\w.-]{0,79}$/i));

const message = z.object({
  messageId: z.string(),
  body: z.string(),
  md5OfBody: z.string(),
  messageAttributes: z.record(z.string(), z.looseObject({ dataType: z.string() })),
  senderId: z.string(),
  sentAt: z.number(),
  dueAt: z.number(),
  receiveCount: z.number(),
});
const isMessage = (value: unknown) => z.safeParse(message, value).success;

const contentsSchema = z.object({
  table: z.array(
    z.looseObject({
      pk: z.string().check(z.refine(isCarried, 'is not an item that such a file has')),
      sk: z.string().check(z.minLength(1)),
    }),
  ),
  objects: z.array(
    z.strictObject({
      bucket: resourceName,
      key: z.string(),
      headers: z.record(z.string(), z.string()),
      base64: z.string().check(z.regex(/^[\w+/]*={0,2}$/)),
    }),
  ),
  queues: z.record(resourceName, z.array(z.custom<Message>(isMessage, 'is not a message of a queue'))),
  platform: z
    .partialRecord(z.enum(carriedRecords), z.array(record))
    .check(z.refine(({ media = [] }) => media.every(hasBytes), 'has media without bytes')),
});

/** What the file carries of a world. */
export type WorldContents = z.infer<typeof contentsSchema>;

/** A file that is not a world, or too large. Its message is for people. */
export class WorldFileError extends Error {}

/** @throws WorldFileError if it is too large */
export function writeWorldFile(contents: WorldContents, codeVersion: string): string {
  const head = { format, version, contains, exported_at: new Date().toISOString(), code_version: codeVersion };
  const text = `${JSON.stringify({ ...head, ...contents }, null, 1)}\n`;
  if (Buffer.byteLength(text) <= maxFileBytes) return text;
  throw new WorldFileError('This world is larger than 64 MB. Reset it, and repeat only what shows the problem.');
}

/** @throws WorldFileError that says what is wrong */
export function readWorldFile(bytes: Buffer): WorldContents {
  const file = parseJson(bytes.toString());
  const head = z.safeParse(z.looseObject({ format: z.literal(format), version: z.unknown() }), file);
  if (!head.success) {
    throw new WorldFileError('This is not the file of an exported world, or it is incomplete. Export it again.');
  }
  if (head.data.version !== version) {
    throw new WorldFileError(
      `The file has version ${JSON.stringify(head.data.version)} of the format, and this code reads version ${version}. Use the code that wrote it.`,
    );
  }
  const { data, error } = z.safeParse(contentsSchema, file);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new WorldFileError(`The file is damaged: ${issue?.path.join('.')} ${issue?.message.toLowerCase()}.`);
}
