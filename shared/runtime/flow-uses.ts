import type { Uses } from '#shared/http/contract/contract.ts';

/** What every operation that reads or changes Flows uses. Each may find an abandoned change and reconciles it first. */
export const flowUses = {
  table: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem', 'DeleteItem'],
  // Without ListBucket, S3 returns 403 instead of 404 for a missing object.
  bucket: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'],
  bucketPrefixes: ['flows/'],
  upstream: true,
  // Events of Flows go to the webhook of the workspace.
  queue: true,
} as const satisfies Uses;
