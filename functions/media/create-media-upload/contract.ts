import * as z from 'zod/mini';
import { describeComponent } from '#shared/http/descriptions.ts';
import { dateTime } from '#shared/http/members.ts';
import { maxMediaBytes } from '#shared/media/media-limits.ts';
import { defineContract } from '#shared/operations/contract.ts';

const size = z.int().check(z.gte(1));
// That of the largest type. What a file of each type may have is checked with its type.
z.globalRegistry.add(size, { maximum: maxMediaBytes });

const requestSchema = z.strictObject({ type: z.string(), size });
/* @__PURE__ */ describeComponent('MediaUploadRequest', requestSchema, () => ({
  type: 'The media type of the file, such as `application/pdf`: one that the messaging platform takes (docs/media.md).',
  size: 'The size of the file in bytes.',
}));

const uploadSchema = z.object({
  upload: z.uuid(),
  url: z.url(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  expires_at: dateTime,
});
/* @__PURE__ */ describeComponent('MediaUpload', uploadSchema, () => ({
  upload: 'The id of the upload, for completing it within a day.',
  url: 'Where to send the file. Do not send a token to it.',
  method: 'Always `PUT`.',
  headers: 'The headers to send with the file. The signature of the URL covers them.',
  expires_at: 'When the URL stops to work.',
}));

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
