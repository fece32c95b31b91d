import { defineContract } from '#shared/http/contract.ts';
import { flowSchema } from '#shared/http/flows/flow-schema.ts';
import { flowBody } from '#shared/http/flows/metadata.ts';
import { flowUses } from '#shared/runtime/flow-uses.ts';

export const contract = defineContract({
  name: 'update-flow',
  method: 'PUT',
  path: '/v2/workspaces/{workspace}/flows/{flow}',
  summary: 'Update the metadata of a Flow',
  description: 'Replaces name, categories and endpoint. Upstream this may turn a published Flow into a draft again.',
  tag: 'Flows',
  caller: 'workspace-owner',
  body: flowBody,
  answers: { 200: { description: 'The updated Flow', body: flowSchema } },
  errors: { 409: 'Another change of the Flow is under way' },
  uses: { ...flowUses, customerUrls: true },
});
