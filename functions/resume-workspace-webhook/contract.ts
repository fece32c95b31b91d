import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract/contract.ts';

export const contract = defineContract({
  name: 'resume-workspace-webhook',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/webhook/resume',
  summary: 'Resume delivery to the failing webhook of a workspace',
  description: 'Sends the held deliveries, oldest first. `resumed` is empty if the webhook is not failing.',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  responses: {
    200: {
      description: 'The targets that were resumed',
      body: z.object({ resumed: z.array(z.literal('webhook')) }),
    },
  },
  uses: { table: { Query: ['NUMBER#'], UpdateItem: ['NUMBER#'] }, queue: true },
});
