import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import { blobOf } from '#shared/domain/media/media-upload.ts';
import {
  deliveryPartition,
  deliveryShards,
  idOfUpload,
  keys,
  offTimePartition,
  offTimeShards,
  uploadPartition,
} from '../dynamodb/table/keys.ts';
import { queryPartition } from '../dynamodb/table/query.ts';
import type { Table } from '../dynamodb/table/table.ts';
import type { BlobStore } from '../s3/blobs.ts';

/** Deletes the deliveries of a subscriber to its webhook, with their notifications in the bucket. */
export async function eraseDeliveries(subscriber: string, table: Table, blobs: BlobStore): Promise<void> {
  const partitions = [
    ...Array.from({ length: deliveryShards.webhook }, (_, shard) => deliveryPartition(subscriber, 'webhook', shard)),
    ...Array.from({ length: offTimeShards }, (_, shard) => offTimePartition(subscriber, shard)),
  ];
  for (const partition of partitions) {
    for await (const { pk, sk, payload } of queryPartition(table, partition)) {
      const stored = payload as Delivery['payload'] | undefined;
      if (stored && 'blob' in stored) await blobs.delete(stored.blob);
      await remove(table, { pk, sk });
    }
  }
}

export const erasePreview = (id: string, table: Table): Promise<void> => remove(table, keys.preview(id));

/** Deletes the uploads of a number, with their files in the bucket. */
export async function eraseUploads(number: string, table: Table, blobs: BlobStore): Promise<void> {
  for await (const item of queryPartition(table, uploadPartition(number))) {
    await blobs.delete(blobOf({ number, upload: idOfUpload(item) }));
    await remove(table, { pk: item.pk, sk: item.sk });
  }
}

async function remove({ client, name: TableName }: Table, Key: Record<string, unknown>): Promise<void> {
  await client.send(new DeleteCommand({ TableName, Key }));
}
