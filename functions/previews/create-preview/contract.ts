import * as z from 'zod/mini';
import { describeComponent } from '#shared/http/descriptions.ts';
import { dateTime } from '#shared/http/members.ts';
import { defineContract } from '#shared/operations/contract.ts';

const body = z.strictObject({
  number: z.uuid().check(z.toLowerCase()),
  valid_until: z.int().check(z.gte(1), z.lte(6)),
  invalidate_previous: z.optional(z.boolean()),
});
/* @__PURE__ */ describeComponent('PreviewRequest', body, () => ({
  number: 'Id of an active number of the workspace.',
  valid_until:
    'How long the preview is valid: 1 for 1 hour, 2 for 2 hours, 3 for 4, 4 for 8, 5 for 16, 6 for 24 hours.',
  invalidate_previous: 'Whether to invalidate all earlier previews of the Flow; `false` by default.',
}));

const preview = z.object({
  id: z.uuid(),
  url: z.url(),
  secret: z.string().check(z.regex(/^\d{6}$/)),
  valid_until: dateTime,
  created_at: dateTime,
  updated_at: dateTime,
});
/* @__PURE__ */ describeComponent('Preview', preview, () => ({
  id: 'Id of the preview.',
  url: 'The URL that opens the preview.',
  secret: 'The six digits that open the preview. Shown only in this response.',
  valid_until: 'When the preview ends: a date-time, unlike the 1 to 6 of the request.',
  created_at: 'When the preview was created.',
  updated_at: 'When the preview was last changed.',
}));

export const contract = defineContract({
  name: 'create-preview',
  method: 'POST',
  path: '/v2/workspaces/{workspace}/flows/{flow}/preview',
  summary: 'Create a preview of a Flow',
  description: 'Only this response shows the secret.',
  tag: 'Flows',
  caller: 'workspace-owner',
  idempotency: 'run-again',
  body,
  responses: { 201: { description: 'The preview', body: preview } },
  throws: ['workspace.no-business-account', 'flow.busy'],
  errors: { 409: 'Another request is invalidating earlier previews' },
  uses: {
    table: {
      GetItem: ['SUBSCRIBER#', 'WORKSPACE#'],
      // A transaction stores the preview and checks or changes the Flow; each of its actions names both.
      PutItem: ['PREVIEW#', 'WORKSPACE#'],
      UpdateItem: ['PREVIEW#', 'WORKSPACE#'],
      ConditionCheckItem: ['PREVIEW#', 'WORKSPACE#'],
    },
  },
});
