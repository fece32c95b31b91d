import * as z from 'zod/mini';
import { deliveryPageSchema, deliveryQuery, deliveryQueryTexts } from '#shared/delivery/delivery-object.ts';
import { describeMembers } from '#shared/http/descriptions.ts';
import { filter } from '#shared/http/page-schemas.ts';
import { defineContract } from '#shared/operations/contract.ts';
import { targets } from '#shared/webhooks/target.ts';

const query = z.strictObject({ ...deliveryQuery.shape, target: filter(z.enum(targets)) });
/* @__PURE__ */ describeMembers(query, () => ({ ...deliveryQueryTexts(), target: 'Only deliveries to this target.' }));

export const contract = defineContract({
  name: 'list-deliveries',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/webhook/deliveries',
  summary: 'List the deliveries of a number',
  description:
    'Lists the deliveries of the last 30 days in pages, newest first. They are sorted by the time of the event, which the messaging platform reports in whole seconds. The order within a second is arbitrary but stable. `since` and `until` filter by `created_at`, the time when the service received the event. If filters match few deliveries, a page can have fewer than `limit` items, or none. `links.next` shows whether there are more.',
  tag: 'Webhooks',
  caller: 'number-user',
  query,
  responses: { 200: { description: 'One page of deliveries', body: deliveryPageSchema } },
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['DELIVERIES#', 'OFF_TIME#'] },
    indexes: { gsi1: ['DISCARDED#', 'EXHAUSTED#', 'HELD#'], gsi2: ['WAITING#'] },
  },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'list-workspace-deliveries',
  servedBy: contract.name,
  path: '/v2/workspaces/{workspace}/webhook/deliveries',
  summary: 'List the deliveries of a workspace',
  description:
    "Lists the deliveries to the workspace's webhook of the last 30 days in pages, newest first, like the deliveries of a number.",
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  query: deliveryQuery,
});
