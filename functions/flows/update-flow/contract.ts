import { flowUses } from '#functions/flows/flow-uses.ts';
import { editWarningHeader } from '#shared/flows/flow-object.ts';
import { flowChanges, flowSchema } from '#shared/flows/schema.ts';
import { flowPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
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
  errors: { 409: 'Another change to the Flow is in progress. `Retry-After` says when to try again' },
  uses: { ...flowUses, customerUrls: true },
});
