import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { uploadedMediaSchema } from '#shared/media/media-response.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'complete-media-upload',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/media/uploads/{upload}/complete',
  summary: 'Complete the upload of a large file',
  description:
    'Passes the file on to the messaging platform and returns its `id`, which is valid for 30 days. Repeat the request after a `502`, `503` or `504`, or whenever the response was lost: every repeat within a day of the creation returns the same `id`, or sends the file if the platform certainly has nothing. If the platform got the whole file but did not return its `id`, it may or may not have kept the file. Repeats then get `504` with `media_upload_outcome_unknown` in `x-error-code`, and never send a second file. You can create a new upload instead.',
  tag: 'Media',
  caller: 'number-user',
  responses: { 200: { description: 'The messaging platform has the file', body: uploadedMediaSchema } },
  throws: [
    'media-upload.not-found',
    'media-upload.no-file',
    'media-upload.in-progress',
    'media-upload.outcome-unknown',
  ],
  errors: {
    404: 'The number does not exist, or it has no such upload',
    409: 'The file has not arrived at the URL of the upload',
    503: 'Another request is passing the file on. `Retry-After` says when to try again',
    504: 'The messaging platform did not respond in time, or it may already have the file, which is not sent again',
  },
  uses: {
    table: { GetItem: ['UPLOAD#'], UpdateItem: ['UPLOAD#'] },
    bucket: { GetObject: ['uploads/'], ListBucket: ['uploads/'] },
    upstream: 'call',
  },
  timeoutSeconds: maxTimeoutSeconds,
});
