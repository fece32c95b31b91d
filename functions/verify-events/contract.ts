import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';

export const contract = defineContract({
  name: 'verify-events',
  method: 'GET',
  path: '/v2/messaging/events',
  summary: 'Confirm the address of the upstream events',
  description: 'The handshake that the upstream makes when the address is registered there.',
  tag: 'Upstream events',
  caller: 'upstream',
  query: z.object({
    'hub.mode': z.optional(z.string()),
    'hub.verify_token': z.optional(z.string()),
    'hub.challenge': z.optional(z.string()),
  }),
  answers: { 200: { description: 'The challenge', body: z.string(), mediaType: 'text/plain' } },
  errors: { 403: 'Not the verify token' },
  uses: { credentials: true },
});
