import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { outlineReader } from '#shared/domain/flows/outline-reader.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { table } from '../resources/table.ts';

/** Reads the outlines of Flows, and keeps those of the process's latest. */
export const readOutline = provider({ table, bucket }, ({ table, bucket }) =>
  outlineReader({ flows: flowStore(table), flowJson: flowJsonStore(table, blobStore(bucket)) }),
);
