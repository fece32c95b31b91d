import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { uploadedMediaSchema } from '#shared/media/media-response.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'upload-media',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/media',
  summary: 'Upload a file',
  description:
    "Uploads a file of up to about 4.5 MB for messages of this number. Send it as the only part of a form, or as the body itself with its media type as `Content-Type`. A part without a `Content-Type` takes the type of its file name's extension. Larger files take an upload of their own (docs/media.md). The `id` is valid for 30 days.",
  tag: 'Media',
  caller: 'number-user',
  idempotency: 'never-again',
  takesFile: true,
  responses: { 200: { description: 'The messaging platform has the file', body: uploadedMediaSchema } },
  uses: { upstream: 'call' },
  timeoutSeconds: maxTimeoutSeconds,
});
