import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';

export const contract = defineContract({
  name: 'receive-events',
  method: 'POST',
  path: '/v2/messaging/events',
  summary: 'Take in events of the upstream',
  description: 'Signed with `X-Hub-Signature-256`. Answered when the queue has every notification that they bring.',
  tag: 'Upstream events',
  caller: 'upstream',
  answers: { 200: { description: 'Everything is taken over', body: z.object({ success: z.boolean() }) } },
  errors: { 401: 'Not signed by the upstream' },
  traffic: 'events',
  uses: {
    table: ['GetItem', 'Query', 'UpdateItem'],
    indexes: ['gsi2'],
    reads: ['NUMBER#', 'PHONE_NUMBER_ID#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
    writes: ['WORKSPACE#'],
    bucket: ['PutObject'],
    bucketPrefixes: ['notifications/'],
    queue: true,
    credentials: true,
  },
});
