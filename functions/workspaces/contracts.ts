import * as z from 'zod/mini';
import { numberSchema, workspaceSchema } from '#shared/accounts/account-objects.ts';
import { describeComponent, describeMembers } from '#shared/http/members.ts';
import { filter, pageMembers, pageQuery, pageQueryTexts, pageTexts } from '#shared/http/page.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const listWorkspaces = /* @__PURE__ */ defineContract(() => {
  const query = z.strictObject(pageQuery);
  /* @__PURE__ */ describeMembers(query, pageQueryTexts);

  const page = z.object({ data: z.array(workspaceSchema), ...pageMembers });
  /* @__PURE__ */ describeComponent('WorkspacePage', page, () => ({
    data: 'The workspaces, newest first.',
    ...pageTexts(),
  }));

  return {
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
  };
});

export const getWorkspace = /* @__PURE__ */ defineContract(() => ({
  name: 'get-workspace',
  method: 'GET',
  path: '/v2/workspaces/{workspace}',
  summary: 'Read a workspace',
  tag: 'Workspaces',
  caller: 'workspace-member',
  responses: { 200: { description: 'The workspace', body: workspaceSchema } },
  uses: {},
}));

export const listNumbers = /* @__PURE__ */ defineContract(() => {
  const query = z.strictObject({ workspace: filter(z.uuid()), ...pageQuery });
  /* @__PURE__ */ describeMembers(query, () => ({ workspace: 'Only numbers of this workspace.', ...pageQueryTexts() }));

  const page = z.object({ data: z.array(numberSchema), ...pageMembers });
  /* @__PURE__ */ describeComponent('NumberPage', page, () => ({
    data: 'The numbers: those of the newest workspace first, and in each workspace the newest first.',
    ...pageTexts(),
  }));

  return {
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
  };
});

export const getNumber = /* @__PURE__ */ defineContract(() => ({
  name: 'get-number',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}',
  summary: 'Read a number',
  tag: 'Numbers',
  caller: 'number-user',
  responses: { 200: { description: 'The number', body: numberSchema } },
  uses: {},
}));
