import { workspaceSchema } from '#shared/accounts/account-objects.ts';
import { defineContract } from '#shared/operations/contract.ts';

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
