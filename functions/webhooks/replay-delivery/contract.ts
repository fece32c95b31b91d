import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';

const queued = z.object({ success: z.boolean() });
/* @__PURE__ */ describeMembers(queued, () => ({ success: 'Always `true`: the attempt is queued.' }));

export const contract = defineContract({
  name: 'replay-delivery',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/{delivery}/replay',
  summary: 'Replay a delivery',
  description:
    'Queues one attempt with the same id and the same bytes, signed with the current secret. It takes the place of an automatic attempt that was due.',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The attempt is queued', body: queued } },
  throws: ['delivery.not-found', 'target.no-url', 'target.circuit-open'],
  errors: { 400: 'The target has no URL, or its circuit breaker is open and you must resume it first' },
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['SUBSCRIBER#'] },
    queue: true,
  },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'replay-workspace-delivery',
  servedBy: contract.name,
  path: '/v2/workspaces/{workspace}/webhook/deliveries/{delivery}/replay',
  summary: 'Replay a delivery of a workspace',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  errors: { 400: 'The workspace has no webhook URL, or its circuit breaker is open and you must resume it first' },
});
