import type { FunctionDefinition } from '#shared/http/contract/contract.ts';

export const definition = {
  name: 'deliver-notifications',
  summary: "Delivers queued notifications to the customers' webhooks, many at a time.",
  traffic: 'deliveries',
  uses: {
    table: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    indexes: ['gsi1'],
    reads: ['DELIVERIES#', 'HELD#', 'NUMBER#'],
    writes: ['DELIVERIES#', 'NUMBER#', 'OFF_TIME#'],
    // Without ListBucket, S3 responds to a request for a missing object with 403 instead of 404.
    bucket: ['GetObject', 'ListBucket'],
    bucketPrefixes: ['notifications/'],
    queue: true,
    egress: true,
    retries: true,
  },
  timeoutSeconds: 30,
  // It mostly waits for receivers, and Lambda bills that time by the memory.
  memoryMegabytes: 256,
} as const satisfies FunctionDefinition;
