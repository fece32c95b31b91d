import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/descriptions.ts';
import { eventsPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

const accepted = z.object({ success: z.boolean() });
/* @__PURE__ */ describeMembers(accepted, () => ({
  success: 'Always `true`: the queue has accepted every notification.',
}));

export const contract = defineContract({
  name: 'receive-events',
  method: 'POST',
  path: eventsPath,
  summary: 'Receive events of the messaging platform',
  description:
    'Requests are signed with `X-Hub-Signature-256`. The service responds once the queue has accepted every notification.',
  tag: 'Platform events',
  caller: 'upstream',
  responses: { 200: { description: 'All events are accepted', body: accepted } },
  throws: ['events.not-signed', 'body.malformed'],
  errors: { 401: 'The signature is missing or invalid' },
  traffic: 'events',
  uses: {
    table: {
      BatchGetItem: ['SUBSCRIBER#', 'WORKSPACE#'],
      GetItem: ['PHONE_NUMBER_ID#', 'SENT_FLOW#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
      Query: ['SUBSCRIBER#', 'WABA#'],
      UpdateItem: ['FLOWS#', 'FUNNEL#', 'SENT_FLOW#', 'WORKSPACE#'],
      PutItem: ['EVENT_NOTE#', 'FLOWS#', 'UNKNOWN_NUMBERS', 'WORKSPACE#'],
      DeleteItem: ['FLOWS#', 'WORKSPACE#'],
    },
    bucket: { PutObject: ['notifications/'] },
    indexes: { gsi2: ['OWN_CREDENTIALS'] },
    queue: true,
    credentials: 'of-workspaces',
  },
});
