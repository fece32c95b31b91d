import * as z from 'zod/mini';
import { publishTimeoutSeconds } from '#shared/base/time-limits.ts';
import { flowStatusIds } from '#shared/flows/catalogue.ts';
import { editWarningHeader } from '#shared/flows/flow-object.ts';
import {
  flowChanges,
  flowJsonSchema,
  flowSchema,
  flowTexts,
  newFlow,
  statusNumbers,
  validatedFlowSchema,
} from '#shared/flows/schema.ts';
import { describeComponent, describeMembers, readOnlyMembers } from '#shared/http/members.ts';
import { filter, pageMembers, pageQuery, pageQueryTexts, pageTexts } from '#shared/http/page.ts';
import { flowPath } from '#shared/http/path.ts';
import { defineContract, type Uses } from '#shared/operations/contract.ts';

/**
 * What every operation that reads or changes Flows uses. Each may find an abandoned change and reconciles it first: so
 * even an operation that only reads follows the upstream, or discards what the change would have stored.
 */
export const flowUses = {
  table: {
    GetItem: ['FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
    // The webhook of the workspace, to which events of Flows go.
    Query: ['SUBSCRIBER#'],
    PutItem: ['FLOWS#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
    UpdateItem: ['FLOWS#', 'WORKSPACE#'],
    DeleteItem: ['FLOWS#', 'FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'],
  },
  bucket: { GetObject: ['flows/'], DeleteObject: ['flows/'], ListBucket: ['flows/'] },
  upstream: 'call',
  queue: true,
} as const satisfies Uses;

export const listFlows = /* @__PURE__ */ defineContract(() => {
  /**
   * Returns the id in the text. Leaves other texts unchanged, so that the schema rejects them and lists the ids.
   */
  const toStatusId = (text: string) => flowStatusIds.find((id) => String(id) === text) ?? text;
  const status = z.pipe(z.pipe(z.string(), z.transform(toStatusId)), z.literal(flowStatusIds));

  /** Whether the Flows have their JSON. */
  const json = z.pipe(
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  );
  z.globalRegistry.add(json, { type: 'boolean', default: true });

  const query = z.strictObject({
    status: filter(status),
    json: z.optional(json),
    ...pageQuery,
  });
  /* @__PURE__ */ describeMembers(query, () => ({
    status: `Only Flows with this status: ${statusNumbers}.`,
    json: '`false` leaves out the JSON of each Flow; `true` by default.',
    ...pageQueryTexts(),
  }));

  const listedFlow = z.object({ ...flowSchema.shape, json: z.optional(flowJsonSchema) });
  /* @__PURE__ */ describeComponent('ListedFlow', listedFlow, () => ({
    ...flowTexts(),
    json: 'The Flow JSON: screens and components. Absent with `json=false`.',
  }));

  const page = z.object({ data: z.array(listedFlow), ...pageMembers });
  /* @__PURE__ */ describeComponent('FlowPage', page, () => ({ data: 'The Flows, newest first.', ...pageTexts() }));

  return {
    name: 'list-flows',
    method: 'GET',
    path: '/v2/workspaces/{workspace}/flows',
    summary: 'List the Flows of a workspace',
    description:
      'Lists Flows in pages, newest first. A page also ends before its body exceeds 5 MB. With `json=false`, the Flows come without their JSON, and the list is faster.',
    tag: 'Flows',
    caller: 'workspace-member',
    query,
    responses: { 200: { description: 'One page of Flows', body: page } },
    uses: {
      ...flowUses,
      upstream: 'reconcile',
      table: {
        ...flowUses.table,
        BatchGetItem: ['FLOW_JSON#', 'WORKSPACE#'],
        Query: ['FLOWS#', 'SUBSCRIBER#', 'WORKSPACE#'],
      },
      indexes: { gsi2: ['CHANGING#'] },
    },
  };
});

export const createFlow = /* @__PURE__ */ defineContract(() => ({
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
  uses: {
    ...flowUses,
    table: { ...flowUses.table, BatchGetItem: ['WORKSPACE#'] },
    indexes: { gsi2: ['CHANGING#'] },
    customerUrls: true,
  },
}));

export const getFlow = /* @__PURE__ */ defineContract(() => ({
  name: 'get-flow',
  method: 'GET',
  path: flowPath,
  summary: 'Read a Flow',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The Flow', body: flowSchema } },
  uses: { ...flowUses, upstream: 'reconcile' },
}));

export const updateFlow = /* @__PURE__ */ defineContract(() => ({
  name: 'update-flow',
  method: 'PUT',
  path: flowPath,
  summary: 'Update the metadata of a Flow',
  description:
    'Replaces the name and the categories. The endpoint keeps its value if `endpoint_url` is absent. A Flow as you have read it can be the body: members that only responses have are ignored, but a `json` that differs from the stored one is rejected (`422`). Warning: an update of a published Flow takes it offline if the messaging platform turns it back into a draft. The response then has the header `x-warning: published_flow_became_draft`. Messages cannot send the Flow until you publish it again, and `DELETE` deletes it for good.',
  tag: 'Flows',
  caller: 'workspace-owner',
  body: flowChanges,
  responses: { 200: { description: 'The updated Flow', body: flowSchema } },
  optionalHeaders: editWarningHeader,
  throws: ['workspace.no-business-account', 'flow.busy'],
  uses: { ...flowUses, customerUrls: true },
}));

export const updateFlowJson = /* @__PURE__ */ defineContract(() => {
  const body = z.strictObject({ ...readOnlyMembers(validatedFlowSchema.shape), json: flowJsonSchema });
  /* @__PURE__ */ describeMembers(body, () => ({ json: 'The whole Flow JSON: screens and components.' }));

  return {
    name: 'update-flow-json',
    method: 'PUT',
    path: '/v2/workspaces/{workspace}/flows/{flow}/json',
    summary: 'Update the content of a Flow',
    description:
      'The service stores a Flow JSON with validation errors as a draft and returns the errors. You cannot publish the Flow until you fix them. Warning: an update of a published Flow takes it offline if the messaging platform turns it back into a draft. The response then has the header `x-warning: published_flow_became_draft`. Messages cannot send the Flow until you publish it again, and `DELETE` deletes it for good.',
    tag: 'Flows',
    caller: 'workspace-owner',
    body,
    exactNumbers: true,
    responses: { 200: { description: 'The updated Flow and its validation errors', body: validatedFlowSchema } },
    optionalHeaders: editWarningHeader,
    throws: ['workspace.no-business-account', 'flow.busy', 'flow.too-large'],
    uses: {
      ...flowUses,
      table: { ...flowUses.table, PutItem: ['FLOWS#', 'FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'] },
      bucket: { ...flowUses.bucket, PutObject: ['flows/'] },
    },
  };
});

export const publishFlow = /* @__PURE__ */ defineContract(() => ({
  name: 'publish-flow',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/flows/{flow}/publish',
  summary: 'Publish a Flow',
  description:
    'Only a draft without validation errors can be published. If the Flow has an endpoint and `endpoint_encrypted` is `false`, the service first registers the public key of the workspace for its active numbers that lack the key.',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The published Flow', body: flowSchema } },
  throws: [
    'workspace.no-business-account',
    'flow.not-a-draft',
    'flow-endpoint.unknown-number',
    'flow-endpoint.foreign-key',
    'flow.busy',
  ],
  uses: {
    ...flowUses,
    table: { ...flowUses.table, BatchGetItem: ['SECRETS#', 'SUBSCRIBER#'], Query: ['EXCHANGES#', 'SUBSCRIBER#'] },
    indexes: { gsi1: ['WORKSPACE#'] },
    flowKeys: 'create',
  },
  timeoutSeconds: publishTimeoutSeconds,
}));

export const deleteFlow = /* @__PURE__ */ defineContract(() => ({
  name: 'delete-flow',
  method: 'DELETE',
  path: flowPath,
  summary: 'Delete or deprecate a Flow',
  description:
    'A draft is deleted. A published Flow cannot be deleted, so it is deprecated and remains. A Flow that an edit turned back into a draft is deleted, too.',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: {
    200: { description: 'The deprecated Flow', body: flowSchema },
    204: { description: 'The draft is deleted' },
  },
  throws: ['flow.busy'],
  uses: flowUses,
}));

export const getFlowFunnel = /* @__PURE__ */ defineContract(() => {
  const screenSchema = z.object({ screen: z.string(), stopped: z.int() });
  /* @__PURE__ */ describeComponent('FlowFunnelScreen', screenSchema, () => ({
    screen: 'The id of the screen.',
    stopped: 'How many contacts saw this screen last and have not completed the Flow, or not yet.',
  }));

  const funnelSchema = z.object({
    sent: z.int(),
    opened: z.nullable(z.int()),
    completed: z.int(),
    screens: z.nullable(z.array(screenSchema)),
  });
  /* @__PURE__ */ describeComponent('FlowFunnel', funnelSchema, () => ({
    sent: 'How many messages with this Flow the platform has accepted.',
    opened:
      'How many of them were opened, as far as the exchanges with the endpoint show; `null` if this service cannot read them.',
    completed: 'How many of them were completed.',
    screens:
      'The screens on which contacts stopped, most contacts first; `null` if this service cannot read the exchanges.',
  }));

  return {
    name: 'get-flow-funnel',
    method: 'GET',
    path: '/v2/workspaces/{workspace}/flows/{flow}/funnel',
    summary: 'Count how far contacts got in a Flow',
    description:
      'Counts the messages that sent this Flow by its id, who opened and completed it, and the screen on which the others stopped. Messages with `mode: "draft"` do not count. `opened` and `screens` are `null` if the Flow has no endpoint or `endpoint_encrypted` is `true`, because this service then cannot read what phones request.',
    tag: 'Flows',
    caller: 'workspace-owner',
    responses: { 200: { description: 'The counts', body: funnelSchema } },
    uses: { table: { BatchGetItem: ['FUNNEL#'] } },
  };
});
