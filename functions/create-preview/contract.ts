import { previewBody, previewSchema } from '../../shared/flows/schemas.ts';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'create-preview',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/flows/{flow}/preview',
  summary: 'Make a preview of a Flow',
  description: 'The secret is shown in this answer only.',
  tag: 'Flows',
  caller: 'workspace-owner',
  body: previewBody,
  answers: { 201: { description: 'The preview', body: previewSchema } },
  errors: { 409: 'Earlier previews are being invalidated by another request' },
  uses: { table: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'] },
});
