import * as z from 'zod/mini';
import { targets } from '#shared/domain/subscribers/target.ts';
import { defineContract } from '#shared/http/contract/contract.ts';

const target = z.enum(targets);

export const contract = defineContract({
  name: 'resume-webhook',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/resume',
  summary: 'Resume delivery to failing targets',
  description: 'Sends the held deliveries, oldest first. Without `target`, every failing target is resumed.',
  tag: 'Webhooks',
  caller: 'number-user',
  body: z.strictObject({ target: z.optional(target) }),
  responses: { 200: { description: 'The targets that were resumed', body: z.object({ resumed: z.array(target) }) } },
  uses: { table: { Query: ['SUBSCRIBER#'], UpdateItem: ['SUBSCRIBER#'] }, queue: true },
});

export const workspaceContract = defineContract({
  ...contract,
  name: 'resume-workspace-webhook',
  servedBy: contract.name,
  path: '/v2/workspaces/{workspace}/webhook/resume',
  summary: 'Resume delivery to the failing webhook of a workspace',
  description: 'Sends the held deliveries, oldest first. `resumed` is empty if the webhook is not failing.',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  body: z.strictObject({ target: z.optional(z.literal('webhook')) }),
  responses: {
    200: {
      description: 'The targets that were resumed',
      body: z.object({ resumed: z.array(z.literal('webhook')) }),
    },
  },
});
