import { defineContract } from '#shared/http/contract/contract.ts';
import { replayedSchema, replayRequest } from '#shared/http/deliveries/replay-page.ts';

export const contract = defineContract({
  name: 'replay-workspace-deliveries',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/webhook/deliveries/replay',
  summary: 'Replay the deliveries of a workspace in a time range',
  description:
    'Sends each delivery once, oldest first, like the replay of a number. By default it replays `exhausted` deliveries.',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  body: replayRequest,
  responses: { 200: { description: 'How many deliveries are being replayed', body: replayedSchema } },
  errors: {
    400: 'The body is malformed, the workspace has no webhook URL, or its circuit breaker is open and you must resume it first',
  },
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['DELIVERIES#', 'NUMBER#', 'OFF_TIME#'] },
    indexes: { gsi1: ['DISCARDED#', 'EXHAUSTED#'] },
    queue: true,
  },
});
