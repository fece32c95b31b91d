import type { Uses } from '#shared/http/contract.ts';

/**
 * What every operation touches that shows or changes Flows: each may find a change that somebody began and did not
 * finish, and settles it first.
 */
export const flowUses = {
  table: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem', 'DeleteItem'],
  // Without ListBucket, S3 answers a missing object with 403 and not with 404.
  bucket: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'],
  bucketPrefixes: ['flows/'],
  upstream: true,
} as const satisfies Uses;
