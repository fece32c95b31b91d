import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';

export const contract = defineContract({
  name: 'exchange-preview-data',
  method: 'POST',
  path: '/v2/flows/preview/{preview}/exchange',
  summary: "Ask the endpoint of a preview's Flow",
  description: 'For the preview page, whose cookie it takes. The endpoint is asked as the upstream would for a phone.',
  tag: 'Preview page',
  caller: 'public',
  body: z.object({
    action: z.enum(['INIT', 'BACK', 'data_exchange']),
    screen: z.optional(z.string().check(z.maxLength(200))),
    data: z.record(z.string(), z.unknown()),
  }),
  answers: {
    200: {
      description: 'What came of it',
      body: z.object({
        answer: z.optional(z.unknown()),
        problems: z.optional(z.array(z.string())),
        status: z.optional(z.int()),
        fault: z.optional(z.string()),
      }),
    },
  },
  errors: { 404: 'Preview not found, its time is over, or its secret was not given' },
  traffic: 'preview-exchanges',
  uses: {
    table: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
    indexes: ['gsi1'],
    reads: ['FLOW#', 'FLOW_JSON#', 'NUMBER#', 'PREVIEW#', 'WORKSPACE#'],
    writes: ['EXCHANGES#', 'NUMBER#'],
    // Without ListBucket, S3 answers a missing object with 403 and not with 404.
    bucket: ['GetObject', 'ListBucket'],
    bucketPrefixes: ['flows/'],
    upstream: true,
    outgoing: true,
  },
});
