import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/members.ts';
import { eventsPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const verifyEvents = /* @__PURE__ */ defineContract(() => {
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

  return {
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
    uses: { table: { GetItem: ['VERIFY_TOKEN#'] }, credentials: 'of-deployment' },
  };
});

export const receiveEvents = /* @__PURE__ */ defineContract(() => {
  const accepted = z.object({ success: z.boolean() });
  /* @__PURE__ */ describeMembers(accepted, () => ({
    success: 'Always `true`: the queue has accepted every notification.',
  }));

  return {
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
  };
});
