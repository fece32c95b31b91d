import * as z from 'zod/mini';
import {
  deliveryPageSchema,
  deliveryQuery,
  deliveryWithPayloadSchema,
  replayedSchema,
  replayRequest,
} from '#shared/delivery/schema.ts';
import { describeMembers } from '#shared/http/members.ts';
import { defineContract, type FunctionDefinition, ofWorkspace } from '#shared/operations/contract.ts';

export const listDeliveries = /* @__PURE__ */ defineContract(() => ({
  name: 'list-deliveries',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries',
  summary: 'List the deliveries of a number',
  description:
    'Lists the deliveries of the last 30 days in pages, newest first. They are sorted by the time of the event, which the messaging platform reports in whole seconds. The order within a second is arbitrary but stable. `since` and `until` filter by `created_at`, the time when the service received the event; one that came more than a day late may be found only without them. If filters match few deliveries, a page can have fewer than `limit` items, or none. `links.next` shows whether there are more.',
  tag: 'Webhooks',
  caller: 'number-user',
  query: deliveryQuery,
  responses: { 200: { description: 'One page of deliveries', body: deliveryPageSchema } },
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['DELIVERIES#', 'SUBSCRIBER#'] },
    indexes: { gsi1: ['DISCARDED#', 'EXHAUSTED#', 'HELD#'], gsi2: ['WAITING#'] },
  },
}));

export const listWorkspaceDeliveries = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(listDeliveries),
  name: 'list-workspace-deliveries',
  summary: 'List the deliveries of a workspace',
  description:
    "Lists the deliveries to the workspace's webhook of the last 30 days in pages, newest first, like the deliveries of a number.",
}));

export const getDelivery = /* @__PURE__ */ defineContract(() => ({
  name: 'get-delivery',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/{delivery}',
  summary: 'Read a delivery with its payload and its attempts',
  description:
    '`payload` is the exact text of the notification. If it is too long for this response, `payload` holds its beginning, and `payload_url` links to the whole text for five minutes, without a token.',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The delivery', body: deliveryWithPayloadSchema } },
  throws: ['delivery.not-found'],
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['SUBSCRIBER#'] },
    bucket: { GetObject: ['notifications/'], ListBucket: ['notifications/'] },
  },
}));

export const getWorkspaceDelivery = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(getDelivery),
  name: 'get-workspace-delivery',
  summary: 'Read a delivery of a workspace with its payload and its attempts',
}));

export const replayDelivery = /* @__PURE__ */ defineContract(() => {
  const queued = z.object({ success: z.boolean() });
  /* @__PURE__ */ describeMembers(queued, () => ({ success: 'Always `true`: the attempt is queued.' }));

  return {
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
    uses: {
      table: { BatchGetItem: ['DELIVERIES#'], Query: ['SUBSCRIBER#'] },
      queue: true,
    },
  };
});

export const replayWorkspaceDelivery = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(replayDelivery),
  name: 'replay-workspace-delivery',
  summary: 'Replay a delivery of a workspace',
}));

export const replayDeliveries = /* @__PURE__ */ defineContract(() => ({
  name: 'replay-deliveries',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries/replay',
  summary: 'Replay the deliveries of a time range',
  description:
    'Sends each delivery once, oldest first. By default it replays `exhausted` deliveries to every target that has a URL. `since` and `until` filter by `created_at`. A request replays at most 1,000 deliveries. While `more` is `true`, repeat the request with `cursor` set to `next_cursor`.',
  tag: 'Webhooks',
  caller: 'number-user',
  body: replayRequest,
  responses: { 200: { description: 'How many deliveries are being replayed', body: replayedSchema } },
  throws: ['target.no-url', 'target.circuit-open'],
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['DELIVERIES#', 'SUBSCRIBER#'] },
    indexes: { gsi1: ['DISCARDED#', 'EXHAUSTED#'] },
    queue: true,
  },
}));

export const replayWorkspaceDeliveries = /* @__PURE__ */ defineContract(() => ({
  ...ofWorkspace(replayDeliveries),
  name: 'replay-workspace-deliveries',
  summary: 'Replay the deliveries of a workspace in a time range',
  description:
    'Sends each delivery once, oldest first, like the replay of a number. By default it replays `exhausted` deliveries.',
}));

export const deliverNotifications = {
  name: 'deliver-notifications',
  summary: "Delivers queued notifications to the customers' webhooks, many at a time.",
  traffic: 'deliveries',
  uses: {
    table: {
      BatchGetItem: ['DELIVERIES#'],
      GetItem: ['SUBSCRIBER#'],
      Query: ['SECRETS#', 'SUBSCRIBER#'],
      PutItem: ['DELIVERIES#'],
      UpdateItem: ['DELIVERIES#', 'SUBSCRIBER#'],
    },
    indexes: { gsi1: ['HELD#'] },
    bucket: { GetObject: ['notifications/'], ListBucket: ['notifications/'] },
    queue: true,
    egress: true,
    retries: true,
  },
  timeoutSeconds: 30,
  // It mostly waits for receivers, and Lambda bills that time by the memory.
  memoryMegabytes: 256,
} as const satisfies FunctionDefinition;

export const sweepDeliveries = {
  name: 'sweep-deliveries',
  summary: 'Queues deliveries that have waited long enough, and probes failing targets.',
  uses: {
    table: {
      BatchGetItem: ['DELIVERIES#', 'SUBSCRIBER#'],
      Query: ['SUBSCRIBER#'],
      UpdateItem: ['DELIVERIES#', 'SUBSCRIBER#'],
    },
    indexes: { gsi1: ['DUE#', 'HELD#', 'TRIPPED'] },
    queue: true,
  },
  timeoutSeconds: 60,
} as const satisfies FunctionDefinition;
