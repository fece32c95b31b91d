import * as z from 'zod/mini';
import { flowUses } from '#functions/flows/flow-uses.ts';
import { editWarningHeader } from '#shared/flows/flow-object.ts';
import { flowJsonSchema, validatedFlowSchema } from '#shared/flows/schema.ts';
import { describeMembers } from '#shared/http/descriptions.ts';
import { takenBack } from '#shared/http/members.ts';
import { defineContract } from '#shared/operations/contract.ts';

const body = z.strictObject({ ...takenBack(validatedFlowSchema.shape), json: flowJsonSchema });
/* @__PURE__ */ describeMembers(body, () => ({ json: 'The whole Flow JSON: screens and components.' }));

export const contract = defineContract({
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
  errors: { 409: 'Another change to the Flow is in progress. `Retry-After` says when to try again' },
  uses: {
    ...flowUses,
    table: { ...flowUses.table, PutItem: ['FLOWS#', 'FLOW_JSON#', 'UPSTREAM_FLOW#', 'WORKSPACE#'] },
    bucket: { ...flowUses.bucket, PutObject: ['flows/'] },
  },
});
