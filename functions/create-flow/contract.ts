import { defineContract } from '#shared/http/contract.ts';
import { flowSchema } from '#shared/http/flows/flow-schema.ts';
import { flowBody } from '#shared/http/flows/metadata.ts';
import { flowUses } from '#shared/runtime/flow-uses.ts';

export const contract = defineContract({
  name: 'create-flow',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/flows',
  summary: 'Create a Flow',
  description: 'The Flow is made upstream first and kept only when that succeeds.',
  tag: 'Flows',
  caller: 'workspace-owner',
  body: flowBody,
  answers: {
    201: { description: 'The Flow, a draft', body: flowSchema, headers: { Location: 'Where the Flow can be read' } },
  },
  errors: { 409: 'A Flow of this name is being created' },
  uses: { ...flowUses, indexes: ['gsi2'], customerUrls: true },
});
