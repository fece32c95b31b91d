import * as z from 'zod/mini';
import { workspaceSchema } from '#shared/http/accounts/workspace-object.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { pageLimit, pageMembers } from '#shared/http/paging/page-schemas.ts';

const query = z.strictObject({
  limit: z.optional(pageLimit),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

const page = z.object({ data: z.array(workspaceSchema), ...pageMembers });
z.globalRegistry.add(page, { id: 'WorkspacePage' });

export const contract = defineContract({
  name: 'list-workspaces',
  method: 'GET',
  path: '/v2/workspaces',
  summary: "List the user's workspaces",
  description: 'Lists the workspaces of which the user is a member or an owner, in pages, newest first.',
  tag: 'Workspaces',
  caller: 'user',
  query,
  responses: { 200: { description: 'One page of workspaces', body: page } },
  uses: { table: { BatchGetItem: ['WORKSPACE#'] }, indexes: { gsi1: ['USER#'] } },
});
