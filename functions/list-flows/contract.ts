import { flowListQuery, flowPageSchema } from '../../shared/flows/schemas.ts';
import { flowUses } from '../../shared/flows/uses.ts';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'list-flows',
  method: 'GET',
  path: '/v2/workspaces/{workspace}/flows',
  summary: 'List the Flows of a workspace',
  description: 'Newest first, page by page. A page also ends before its body would pass 5 MB.',
  tag: 'Flows',
  caller: 'workspace-member',
  query: flowListQuery,
  answers: { 200: { description: 'One page of Flows', body: flowPageSchema } },
  uses: flowUses,
});
