import { defineContract } from '#shared/http/contract/contract.ts';
import { deliveryPageSchema, deliveryQuery } from '#shared/http/deliveries/delivery-page.ts';

export const contract = defineContract({
  name: 'list-workspace-deliveries',
  method: 'GET',
  path: '/v2/workspaces/{workspace}/webhook/deliveries',
  summary: 'List the deliveries of a workspace',
  description:
    "Lists the deliveries to the workspace's webhook of the last 30 days in pages, newest first, like the deliveries of a number.",
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  query: deliveryQuery,
  responses: { 200: { description: 'One page of deliveries', body: deliveryPageSchema } },
  uses: {
    table: { BatchGetItem: ['DELIVERIES#'], Query: ['DELIVERIES#', 'OFF_TIME#'] },
    indexes: { gsi1: ['DISCARDED#', 'EXHAUSTED#', 'HELD#'], gsi2: ['WAITING#'] },
  },
});
