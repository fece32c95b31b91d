import { workspaceSchema } from '#shared/http/accounts/workspace-object.ts';
import { defineContract } from '#shared/http/contract/contract.ts';

export const contract = defineContract({
  name: 'get-workspace',
  method: 'GET',
  path: '/v2/workspaces/{workspace}',
  summary: 'Read a workspace',
  tag: 'Workspaces',
  caller: 'workspace-member',
  responses: { 200: { description: 'The workspace', body: workspaceSchema } },
  uses: {},
});
