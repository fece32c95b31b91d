import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { getRecord } from '#shared/aws/item.ts';
import { claimedBy, heldBy } from '#shared/aws/item-lease.ts';
import { keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { succeeds } from '#shared/aws/update.ts';
import { leaseFor } from '#shared/base/lease.ts';
import { dayMs, hourMs } from '#shared/base/time.ts';
import { maxUploadBytesPerHour, uploadKeptDays } from './media-limits.ts';
import type { MediaUpload, MediaUploadStore, UploadKey } from './media-upload.ts';

/** Stores the uploads of media, one item each. An expired item is ignored. */
export function mediaUploadStore(table: Table): MediaUploadStore {
  const { client, name: TableName } = table;

  /** Writes the next state, if this holder has the claim. */
  const update = (
    { number, upload }: UploadKey,
    holder: string,
    UpdateExpression: string,
    values: { ':state': MediaUpload['state']; ':media'?: string },
  ) => {
    const { ConditionExpression, ExpressionAttributeValues } = heldBy(holder);
    const write = new UpdateCommand({
      TableName,
      Key: keys.mediaUpload(number, upload),
      UpdateExpression,
      ConditionExpression,
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...values },
    });
    return succeeds(client.send(write));
  };

  return {
    async reserve(workspace, bytes, hour) {
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

    async create({ number, upload }, file, now) {
      const record: MediaUpload = { ...file, state: 'created', expires_at: now + uploadKeptDays * dayMs };
      const Item = {
        ...keys.mediaUpload(number, upload),
        ...record,
        expires_at_seconds: Math.ceil(record.expires_at / 1000),
      };
      await client.send(new PutCommand({ TableName, Item }));
    },

    async read({ number, upload }, now) {
      const found = await getRecord<MediaUpload>(table, keys.mediaUpload(number, upload));
      return found && found.expires_at > now ? found : undefined;
    },

    async claim({ number, upload }, holder, now) {
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

    handOver: (key, holder) => update(key, holder, 'SET #state = :state', { ':state': 'handed-over' }),

    async finish(key, holder, media) {
      const values = { ':state': 'sent', ':media': media } as const;
      await update(key, holder, 'SET #state = :state, media = :media REMOVE lease', values);
    },

    async release(key, holder) {
      await update(key, holder, 'SET #state = :state REMOVE lease', { ':state': 'created' });
    },

    async abandon(key, holder) {
      await update(key, holder, 'SET #state = :state REMOVE lease', { ':state': 'outcome-unknown' });
    },
  };
}
