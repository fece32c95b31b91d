import * as z from 'zod/mini';
import { maxMediaBytes } from '#shared/domain/media/limits.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { dateTime } from '#shared/http/contract/schemas.ts';

const size = z.int().check(z.gte(1));
// That of the largest type. What a file of each type may have is checked with its type.
z.globalRegistry.add(size, { maximum: maxMediaBytes });

const requestSchema = z.strictObject({ type: z.string(), size });
z.globalRegistry.add(requestSchema, { id: 'MediaUploadRequest' });

const uploadSchema = z.object({
  upload: z.uuid(),
  url: z.url(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  expires_at: dateTime,
});
z.globalRegistry.add(uploadSchema, { id: 'MediaUpload' });

export const contract = defineContract({
  name: 'create-media-upload',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/media/uploads',
  summary: 'Begin the upload of a large file',
  description:
    'Returns a URL that takes a file of this type and size for an hour. Send the file there with the method and the headers of the response, without an access token. Then complete the upload.',
  tag: 'Media',
  caller: 'number-user',
  body: requestSchema,
  responses: { 201: { description: 'Where to send the file', body: uploadSchema } },
  throws: ['media-upload.too-much'],
  errors: { 429: 'The workspace uploads more than it may in an hour. `Retry-After` says when the next hour begins' },
  uses: { table: { PutItem: ['UPLOAD#'], UpdateItem: ['UPLOADS#'] }, bucket: { PutObject: ['uploads/'] } },
});
