import { flowUses } from '#functions/flows/flow-uses.ts';
import { flowSchema } from '#shared/flows/schema.ts';
import { flowPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'delete-flow',
  method: 'DELETE',
  path: flowPath,
  summary: 'Delete or deprecate a Flow',
  description:
    'A draft is deleted. A published Flow cannot be deleted, so it is deprecated and remains. A Flow that an edit turned back into a draft is deleted, too.',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: {
    200: { description: 'The deprecated Flow', body: flowSchema },
    204: { description: 'The draft is deleted' },
  },
  throws: ['flow.busy'],
  errors: { 409: 'Another change to the Flow is in progress. `Retry-After` says when to try again' },
  uses: flowUses,
});
