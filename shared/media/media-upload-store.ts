import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import { getRecord, type Table } from '#shared/aws/table.ts';
import { assign, claimedBy, heldBy, onCondition, succeeds } from '#shared/aws/write.ts';
import { dayMs, hourMs } from '#shared/base/time.ts';
import { type Lease, leaseFor } from '#shared/base/time-limits.ts';
import { maxUploadBytesPerHour, uploadKeptDays } from './media-limits.ts';

export interface UploadKey {
  number: string;
  upload: string;
}

export interface AnnouncedFile {
  type: string;
  /** Bytes. */
  size: number;
}

/** A file that goes to the bucket first, and from there to the upstream. */
export type MediaUpload = AnnouncedFile & {
  /** Epoch milliseconds. */
  expires_at: number;
} & (
    | { state: 'created' }
    /** A request is sending the file. The last part is still here: if the request dies, the upstream has nothing. */
    | { state: 'sending'; lease: Lease }
    /** The request also sends the last part. If the request dies, it is unknown whether the upstream has the file. */
    | { state: 'handed-over'; lease: Lease }
    | { state: 'outcome-unknown' }
    /** The upstream has the file under this id. */
    | { state: 'sent'; media: string }
  );

export type MediaUploadStore = ReturnType<typeof mediaUploadStore>;

/**
 * Stores the uploads of media, one item each. The request that claims one sends its file, and only that request may
 * record the outcome. An expired item is ignored.
 */
export function mediaUploadStore(table: Table) {
  const { client, name: TableName } = table;

  /** Writes the next state, if this holder has the claim. */
  function update(
    { number, upload }: UploadKey,
    holder: string,
    next: { state: MediaUpload['state']; media?: string },
    remove: readonly string[] = [],
  ): Promise<boolean> {
    const change = onCondition(assign(next, remove), heldBy(holder));
    return succeeds(client.send(new UpdateCommand({ TableName, Key: keys.mediaUpload(number, upload), ...change })));
  }

  return {
    /** Counts the bytes against what a workspace may upload in an hour. `false` when they would be too many. */
    async reserve(workspace: string, bytes: number, hour: number): Promise<boolean> {
      const count = new UpdateCommand({
        TableName,
        Key: keys.uploadedBytes(workspace, hour),
        UpdateExpression: 'ADD #bytes :bytes SET expires_at_seconds = :end',
        ConditionExpression: 'attribute_not_exists(#bytes) OR #bytes <= :room',
        ExpressionAttributeNames: { '#bytes': 'bytes' },
        ExpressionAttributeValues: {
          ':bytes': bytes,
          ':room': maxUploadBytesPerHour - bytes,
          ':end': ((hour + 1) * hourMs) / 1000,
        },
      });
      return succeeds(client.send(count));
    },

    async create({ number, upload }: UploadKey, file: AnnouncedFile, now: number): Promise<void> {
      const record: MediaUpload = { ...file, state: 'created', expires_at: now + uploadKeptDays * dayMs };
      const Item = {
        ...keys.mediaUpload(number, upload),
        ...record,
        expires_at_seconds: Math.ceil(record.expires_at / 1000),
      };
      await client.send(new PutCommand({ TableName, Item }));
    },

    async read({ number, upload }: UploadKey, now: number): Promise<MediaUpload | undefined> {
      const found = await getRecord<MediaUpload>(table, keys.mediaUpload(number, upload));
      return found && found.expires_at > now ? found : undefined;
    },

    /** `false` when another request is sending the file or has sent all of it. A holder can repeat its own claim. */
    async claim({ number, upload }: UploadKey, holder: string, now: number): Promise<boolean> {
      const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = claimedBy(holder, now);
      const claim = new UpdateCommand({
        TableName,
        Key: keys.mediaUpload(number, upload),
        UpdateExpression: 'SET #state = :sending, lease = :lease',
        ConditionExpression: `#state IN (:created, :sending) AND ${ConditionExpression}`,
        ExpressionAttributeNames: { ...ExpressionAttributeNames, '#state': 'state' },
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ':lease': leaseFor(holder, now),
          ':created': 'created',
          ':sending': 'sending',
        },
      });
      return succeeds(client.send(claim));
    },

    /** Precedes the last part of the file. Resolves with `false` if another request has claimed the upload meanwhile. */
    handOver: (key: UploadKey, holder: string) => update(key, holder, { state: 'handed-over' }),

    finish: (key: UploadKey, holder: string, media: string) => update(key, holder, { state: 'sent', media }, ['lease']),

    /** Ends a claim after which the upstream has nothing. */
    release: (key: UploadKey, holder: string) => update(key, holder, { state: 'created' }, ['lease']),

    /** Ends a claim that leaves it unknown whether the upstream has the file. */
    abandon: (key: UploadKey, holder: string) => update(key, holder, { state: 'outcome-unknown' }, ['lease']),
  };
}
