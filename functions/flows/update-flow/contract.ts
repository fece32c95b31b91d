import { defineContract } from '#shared/http/contract/contract.ts';
import { flowPath } from '#shared/http/contract/linked-paths.ts';
import { editWarningHeader } from '#shared/http/flows/edit-warning.ts';
import { flowSchema } from '#shared/http/flows/flow-schema.ts';
import { flowChanges } from '#shared/http/flows/metadata.ts';
import { flowUses } from '#shared/runtime/flow-uses.ts';

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
