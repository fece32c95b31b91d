import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/descriptions.ts';
import { eventsPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

const query = z.object({
  'hub.mode': z.optional(z.string()),
  'hub.verify_token': z.optional(z.string()),
  'hub.challenge': z.optional(z.string()),
});
/* @__PURE__ */ describeMembers(query, () => ({
  'hub.mode': 'Always `subscribe`.',
  'hub.verify_token': 'The verify token of the service.',
  'hub.challenge': 'The text to return.',
}));

export const contract = defineContract({
  name: 'verify-events',
  method: 'GET',
  path: eventsPath,
  summary: 'Verify the URL for events of the messaging platform',
  description: 'The messaging platform makes this handshake when an operator registers the URL there.',
  tag: 'Platform events',
  caller: 'upstream',
  query,
  responses: { 200: { description: 'The challenge', body: z.string(), mediaType: 'text/plain' } },
  throws: ['events.wrong-verify-token'],
  errors: { 403: 'The verify token is wrong' },
  uses: { table: { GetItem: ['VERIFY_TOKEN#'] }, credentials: 'of-deployment' },
});
