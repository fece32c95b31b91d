import * as z from 'zod/mini';
import { numberSchema } from '#shared/accounts/account-objects.ts';
import { describeComponent, describeMembers } from '#shared/http/descriptions.ts';
import { filter, pageMembers, pageQuery, pageQueryTexts, pageTexts } from '#shared/http/page-schemas.ts';
import { defineContract } from '#shared/operations/contract.ts';

const query = z.strictObject({ workspace: filter(z.uuid()), ...pageQuery });
/* @__PURE__ */ describeMembers(query, () => ({ workspace: 'Only numbers of this workspace.', ...pageQueryTexts() }));

const page = z.object({ data: z.array(numberSchema), ...pageMembers });
/* @__PURE__ */ describeComponent('NumberPage', page, () => ({
  data: 'The numbers: those of the newest workspace first, and in each workspace the newest first.',
  ...pageTexts(),
}));

export const contract = defineContract({
  name: 'list-numbers',
  method: 'GET',
  path: '/v2/messaging/numbers',
  summary: "List the numbers of the user's workspaces",
  description:
    'Lists the active numbers of all workspaces of the user, in pages: those of the newest workspace first, and in each workspace the newest first. With `workspace`, lists those of one workspace; the list is empty if the user is not a member of it.',
  tag: 'Numbers',
  caller: 'user',
  query,
  responses: { 200: { description: 'One page of numbers', body: page } },
  uses: {
    table: { BatchGetItem: ['SUBSCRIBER#', 'WORKSPACE#'] },
    indexes: { gsi1: ['USER#', 'WORKSPACE#'] },
  },
});
