import { defineContract } from '#shared/http/contract/contract.ts';
import { flowPath } from '#shared/http/contract/linked-paths.ts';
import { flowSchema } from '#shared/http/flows/flow-schema.ts';
import { flowBody } from '#shared/http/flows/metadata.ts';
import { flowUses } from '#shared/runtime/flow-uses.ts';

export const contract = defineContract({
  name: 'update-flow',
  method: 'PUT',
  path: flowPath,
  summary: 'Update the metadata of a Flow',
  description:
    'Replaces the name, the categories and the endpoint. The messaging platform may turn a published Flow back into a draft.',
  tag: 'Flows',
  caller: 'workspace-owner',
  body: flowBody,
  responses: { 200: { description: 'The updated Flow', body: flowSchema } },
  errors: { 409: 'Another change to the Flow is in progress' },
  uses: { ...flowUses, customerUrls: true },
});
