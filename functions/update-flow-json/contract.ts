import { flowJsonBody, validatedFlowSchema } from '../../shared/flows/schemas.ts';
import { flowUses } from '../../shared/flows/uses.ts';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'update-flow-json',
  method: 'PUT',
  path: '/v2/workspaces/{workspace}/flows/{flow}/json',
  summary: 'Update the content of a Flow',
  description: 'Flow JSON with validation errors is kept as a draft; the errors come back and forbid publishing.',
  tag: 'Flows',
  caller: 'workspace-owner',
  body: flowJsonBody,
  answers: { 200: { description: 'The updated Flow and what the upstream found in it', body: validatedFlowSchema } },
  errors: { 409: 'Another change of the Flow is under way' },
  uses: flowUses,
});
