import * as z from 'zod/mini';
import { flowStatusIds } from '#shared/domain/flows/catalogue.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { flowJsonSchema, flowSchema } from '#shared/http/flows/flow-schema.ts';
import { filter, pageLimit, pageMembers } from '#shared/http/paging/page-schemas.ts';
import { flowUses } from '#shared/runtime/flow-uses.ts';

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
  limit: z.optional(pageLimit),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

const listedFlow = z.object({ ...flowSchema.shape, json: z.optional(flowJsonSchema) });
z.globalRegistry.add(listedFlow, { id: 'ListedFlow' });

const page = z.object({ data: z.array(listedFlow), ...pageMembers });
z.globalRegistry.add(page, { id: 'FlowPage' });

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
