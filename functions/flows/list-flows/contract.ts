import * as z from 'zod/mini';
import { flowUses } from '#functions/flows/flow-uses.ts';
import { flowStatusIds } from '#shared/flows/catalogue.ts';
import { flowJsonSchema, flowSchema, flowTexts, statusNumbers } from '#shared/flows/schema.ts';
import { describeComponent, describeMembers } from '#shared/http/descriptions.ts';
import { filter, pageMembers, pageQuery, pageQueryTexts, pageTexts } from '#shared/http/page-schemas.ts';
import { defineContract } from '#shared/operations/contract.ts';

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

export const contract = defineContract({
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
});
