import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract/contract.ts';
import { dateTime } from '#shared/http/contract/schemas.ts';

const body = z.strictObject({
  number: z.uuid().check(z.toLowerCase()),
  valid_until: z.int().check(z.gte(1), z.lte(6)),
  invalidate_previous: z.optional(z.boolean()),
});
z.globalRegistry.add(body, { id: 'PreviewRequest' });

const preview = z.object({
  id: z.uuid(),
  url: z.url(),
  secret: z.string().check(z.regex(/^\d{6}$/)),
  valid_until: dateTime,
  created_at: dateTime,
  updated_at: dateTime,
});
z.globalRegistry.add(preview, { id: 'Preview' });

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
