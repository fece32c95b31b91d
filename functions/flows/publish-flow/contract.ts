import { flowUses } from '#functions/flows/flow-uses.ts';
import { publishTimeoutSeconds } from '#shared/base/time-limits.ts';
import { flowSchema } from '#shared/flows/schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'publish-flow',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/flows/{flow}/publish',
  summary: 'Publish a Flow',
  description:
    'Only a draft without validation errors can be published. If the Flow has an endpoint and `endpoint_encrypted` is `false`, the service first registers the public key of the workspace for its active numbers that lack the key.',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The published Flow', body: flowSchema } },
  throws: [
    'workspace.no-business-account',
    'flow.not-a-draft',
    'flow-endpoint.unknown-number',
    'flow-endpoint.foreign-key',
    'flow.busy',
  ],
  errors: { 409: 'Another change to the Flow is in progress. `Retry-After` says when to try again' },
  uses: {
    ...flowUses,
    table: { ...flowUses.table, BatchGetItem: ['SECRETS#', 'SUBSCRIBER#'], Query: ['EXCHANGES#', 'SUBSCRIBER#'] },
    indexes: { gsi1: ['WORKSPACE#'] },
    flowKeys: 'create',
  },
  timeoutSeconds: publishTimeoutSeconds,
});
