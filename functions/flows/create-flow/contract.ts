import { flowUses } from '#functions/flows/flow-uses.ts';
import { flowSchema, newFlow } from '#shared/flows/schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'create-flow',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/flows',
  summary: 'Create a Flow',
  description: 'The service creates the Flow on the messaging platform first and stores it only if that succeeds.',
  tag: 'Flows',
  caller: 'workspace-owner',
  idempotency: 'run-again',
  body: newFlow,
  responses: {
    201: { description: 'The new draft Flow', body: flowSchema, headers: { Location: 'The URL of the Flow' } },
  },
  throws: ['workspace.no-business-account', 'flow.not-found', 'flow.busy'],
  errors: { 409: 'Another request is creating a Flow with this name' },
  uses: {
    ...flowUses,
    table: { ...flowUses.table, BatchGetItem: ['WORKSPACE#'] },
    indexes: { gsi2: ['CHANGING#'] },
    customerUrls: true,
  },
});
