import * as z from 'zod/mini';
import { workspaceSchema } from '#shared/accounts/account-objects.ts';
import { describeComponent, describeMembers } from '#shared/http/descriptions.ts';
import { pageMembers, pageQuery, pageQueryTexts, pageTexts } from '#shared/http/page-schemas.ts';
import { defineContract } from '#shared/operations/contract.ts';

const query = z.strictObject(pageQuery);
/* @__PURE__ */ describeMembers(query, pageQueryTexts);

const page = z.object({ data: z.array(workspaceSchema), ...pageMembers });
/* @__PURE__ */ describeComponent('WorkspacePage', page, () => ({
  data: 'The workspaces, newest first.',
  ...pageTexts(),
}));

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
