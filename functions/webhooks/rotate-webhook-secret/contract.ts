import { defineContract } from '#shared/operations/contract.ts';
import { rotatedSecretSchema } from '#shared/webhooks/webhook-settings.ts';

export const contract = defineContract({
  name: 'rotate-webhook-secret',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/secret',
  summary: 'Rotate the signing secret of a number',
  description:
    'Only this response shows the secret. The previous secret also signs for 24 hours, until `previous_valid_until`. At most five previous secrets sign at a time, so a further rotation fails with `429`.',
  tag: 'Webhooks',
  caller: 'number-user',
  responses: { 200: { description: 'The new secret', body: rotatedSecretSchema } },
  throws: ['signing-secret.changed-meanwhile', 'signing-secret.too-many-rotations'],
  errors: {
    409: 'Other requests keep changing the secret. It was not rotated',
    429: 'The secret was rotated five times within 24 hours, or there were too many requests. `Retry-After`, if there is one, says when to try again',
  },
  uses: {
    table: { GetItem: ['SECRETS#'], UpdateItem: ['SECRETS#', 'SUBSCRIBER#'] },
  },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'rotate-workspace-webhook-secret',
  servedBy: contract.name,
  path: '/v2/workspaces/{workspace}/webhook/secret',
  summary: 'Rotate the signing secret of a workspace',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
});
