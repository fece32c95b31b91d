import { defineContract } from '#shared/http/contract/contract.ts';
import { uploadedMediaSchema } from '#shared/http/media/uploaded-media.ts';

export const contract = defineContract({
  name: 'complete-media-upload',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/media/uploads/{upload}/complete',
  summary: 'Complete the upload of a large file',
  description:
    'Passes the file on to the messaging platform and returns its `id`, which is valid for 30 days. Repeat the request after a `503` or a `504`, or whenever the response was lost: the file is sent only once, and every repeat within a day of the creation returns the same `id`.',
  tag: 'Media',
  caller: 'number-user',
  responses: { 200: { description: 'The messaging platform has the file', body: uploadedMediaSchema } },
  throws: ['media-upload.not-found', 'media-upload.no-file', 'media-upload.in-progress'],
  errors: {
    404: 'The number does not exist, or it has no such upload',
    409: 'The file has not arrived at the URL of the upload',
    503: 'Another request is passing the file on. `Retry-After` says when to try again',
  },
  uses: {
    table: { GetItem: ['UPLOAD#'], UpdateItem: ['UPLOAD#'] },
    bucket: { GetObject: ['uploads/'], ListBucket: true },
    upstream: 'call',
  },
  timeoutSeconds: 29,
});
