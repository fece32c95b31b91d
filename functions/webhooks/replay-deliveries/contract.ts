import * as z from 'zod/mini';
import { replayedSchema, replayRequest, replayRequestTexts } from '#shared/delivery/delivery-object.ts';
import { describeComponent } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';
import { targets } from '#shared/webhooks/target.ts';

const body = z.strictObject({ ...replayRequest.shape, target: z.optional(z.enum(targets)) });
/* @__PURE__ */ describeComponent('ReplayRequest', body, () => ({
  ...replayRequestTexts(),
  target: 'Replays deliveries to this target; to every target that has a URL, by default.',
}));

export const contract = defineContract({
  name: 'replay-deliveries',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/replay',
  summary: 'Replay the deliveries of a time range',
  description:
    'Sends each delivery once, oldest first. By default it replays `exhausted` deliveries to every target that has a URL. `since` and `until` filter by `created_at`. A request replays at most 1,000 deliveries. While `more` is `true`, repeat the request with `cursor` set to `next_cursor`.',
  tag: 'Webhooks',
  caller: 'number-user',
  body,
  responses: { 200: { description: 'How many deliveries are being replayed', body: replayedSchema } },
  throws: ['target.no-url', 'target.circuit-open'],
  errors: {
    400: 'The body is malformed, a target has no URL, or the circuit breaker of a target is open and you must resume it first',
  },
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['DELIVERIES#', 'OFF_TIME#', 'SUBSCRIBER#'] },
    indexes: { gsi1: ['DISCARDED#', 'EXHAUSTED#'] },
    queue: true,
  },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'replay-workspace-deliveries',
  servedBy: contract.name,
  path: '/v2/workspaces/{workspace}/webhook/deliveries/replay',
  summary: 'Replay the deliveries of a workspace in a time range',
  description:
    'Sends each delivery once, oldest first, like the replay of a number. By default it replays `exhausted` deliveries.',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  body: replayRequest,
  errors: {
    400: 'The body is malformed, the workspace has no webhook URL, or its circuit breaker is open and you must resume it first',
  },
});
