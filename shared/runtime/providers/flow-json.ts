import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { table } from '../resources/table.ts';

export const flowJson = provider({ table, bucket }, ({ table, bucket }) => flowJsonStore(table, blobStore(bucket)));
