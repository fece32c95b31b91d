import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';

const body = z.strictObject({
  action: z.enum(['INIT', 'BACK', 'data_exchange']),
  screen: z.optional(z.string().check(z.maxLength(200))),
  data: z.record(z.string(), z.unknown()),
});
/* @__PURE__ */ describeMembers(body, () => ({
  action: 'What the phone would send: `INIT` when the Flow opens, `BACK` on going back, `data_exchange` on a submit.',
  screen: 'The screen that is shown.',
  data: 'What the screen submits.',
}));

const exchange = z.object({
  answer: z.optional(z.unknown()),
  problems: z.optional(z.array(z.string())),
  status: z.optional(z.int()),
  fault: z.optional(z.string()),
});
/* @__PURE__ */ describeMembers(exchange, () => ({
  answer: 'The response of the endpoint, if a phone could use it.',
  problems: 'The differences between the response and what the Flow declares.',
  status: 'The HTTP status of the endpoint.',
  fault: 'What went wrong, in the language of the response.',
}));

export const contract = defineContract({
  name: 'exchange-preview-data',
  method: 'POST',
  path: '/v2/flows/preview/{preview}/exchange',
  summary: 'Exchange data between a preview and the endpoint of its Flow',
  description:
    'Used by the preview page and authenticated by its cookie. The service calls the endpoint as the messaging platform would for a phone.',
  tag: 'Preview page',
  caller: 'public',
  body,
  responses: {
    200: { description: "The endpoint's response, or what went wrong", body: exchange },
  },
  throws: ['preview.not-found'],
  errors: { 404: 'The preview does not exist, has expired, or was not unlocked' },
  traffic: 'preview-exchanges',
  uses: {
    table: {
      BatchGetItem: ['SECRETS#', 'SUBSCRIBER#', 'WORKSPACE#'],
      GetItem: ['FLOW_JSON#', 'PREVIEW#', 'SUBSCRIBER#', 'WORKSPACE#'],
      PutItem: ['EXCHANGES#'],
    },
    indexes: { gsi1: ['WORKSPACE#'], gsi2: ['OWN_CREDENTIALS'] },
    bucket: { GetObject: ['flows/'], ListBucket: ['flows/'] },
    upstream: 'call',
    egress: true,
  },
});
