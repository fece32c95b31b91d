import { flowUses } from '#functions/flows/flow-uses.ts';
import { flowSchema } from '#shared/flows/schema.ts';
import { flowPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'get-flow',
  method: 'GET',
  path: flowPath,
  summary: 'Read a Flow',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The Flow', body: flowSchema } },
  uses: { ...flowUses, upstream: 'reconcile' },
});
