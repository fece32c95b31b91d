import { defineContract } from '#shared/http/contract/contract.ts';
import { flowPath } from '#shared/http/contract/linked-paths.ts';
import { flowSchema } from '#shared/http/flows/flow-schema.ts';
import { flowUses } from '#shared/runtime/flow-uses.ts';

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
