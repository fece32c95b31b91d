import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';
import { targets } from '#shared/webhooks/target.ts';

const target = z.enum(targets);
const body = z.strictObject({ target: z.optional(target) });
/* @__PURE__ */ describeMembers(body, () => ({ target: 'The target to resume; every failing target, by default.' }));

const resumed = z.object({ resumed: z.array(target) });
const resumedTexts = () => ({ resumed: 'The targets that were resumed.' });
/* @__PURE__ */ describeMembers(resumed, resumedTexts);

export const contract = defineContract({
  name: 'resume-webhook',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/webhook/resume',
  summary: 'Resume delivery to failing targets',
  description: 'Sends the held deliveries, oldest first. Without `target`, every failing target is resumed.',
  tag: 'Webhooks',
  caller: 'number-user',
  body,
  responses: { 200: { description: 'The targets that were resumed', body: resumed } },
  uses: { table: { Query: ['SUBSCRIBER#'], UpdateItem: ['SUBSCRIBER#'] }, queue: true },
});

const workspaceBody = z.strictObject({ target: z.optional(z.literal('webhook')) });
/* @__PURE__ */ describeMembers(workspaceBody, () => ({ target: 'The target, always `webhook`.' }));

const workspaceResumed = z.object({ resumed: z.array(z.literal('webhook')) });
/* @__PURE__ */ describeMembers(workspaceResumed, resumedTexts);

export const workspaceContract = defineContract({
  ...contract,
  name: 'resume-workspace-webhook',
  servedBy: contract.name,
  path: '/v2/workspaces/{workspace}/webhook/resume',
  summary: 'Resume delivery to the failing webhook of a workspace',
  description: 'Sends the held deliveries, oldest first. `resumed` is empty if the webhook is not failing.',
  tag: 'Workspace webhook',
  caller: 'workspace-owner',
  body: workspaceBody,
  responses: {
    200: { description: 'The targets that were resumed', body: workspaceResumed },
  },
});
