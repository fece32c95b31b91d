import * as z from 'zod/mini';
import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { dateTime, describeComponent, fileResponse } from '#shared/http/members.ts';
import { mediaPath } from '#shared/http/path.ts';
import { maxMediaBytes } from '#shared/media/media-limits.ts';
import { uploadedMediaSchema } from '#shared/media/media-response.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const getMedia = /* @__PURE__ */ defineContract(() => {
  const fileHeaders = {
    'content-length': 'The size of this response, in bytes',
    'content-disposition': 'Always `attachment`, with the id as the file name',
    'accept-ranges': '`bytes`',
    etag: 'A strong entity tag, made from the SHA-256 of the file, for `If-None-Match` and `If-Range`',
  };

  return {
    name: 'get-media',
    method: 'GET',
    path: mediaPath,
    summary: 'Download received media',
    description:
      'Returns a file that the number received, identified by the `id` of the media object in the message. Follow redirects, but do not send the access token with them. `If-None-Match` and `Range` with one range are supported.',
    tag: 'Media',
    caller: 'number-user',
    responses: {
      200: {
        ...fileResponse('The file. Types that a browser could execute are returned as `application/octet-stream`.'),
        headers: fileHeaders,
      },
      206: {
        ...fileResponse('The requested range of the file'),
        headers: { ...fileHeaders, 'content-range': 'The returned range and the size of the file' },
      },
      302: {
        description: 'The file is too large for a response of this API. Read it from `location`',
        headers: { location: 'A URL that works for five minutes. Do not send a token to it' },
      },
      304: {
        description: 'The client already has the file: `If-None-Match` contains its entity tag',
        headers: { etag: fileHeaders.etag },
      },
    },
    throws: [
      'media.unknown',
      'media.expired',
      'media.range-beyond-end',
      'media.incomplete',
      'media.altered',
      'media.too-large',
      'media.not-ready',
      'media.failed-just-now',
    ],
    uses: {
      table: { GetItem: ['MEDIA#'], PutItem: ['MEDIA#'] },
      bucket: {
        AbortMultipartUpload: ['media/'],
        DeleteObject: ['media/'],
        GetObject: ['media/'],
        PutObject: ['media/'],
      },
      upstream: 'call',
    },
    timeoutSeconds: maxTimeoutSeconds,
  };
});

export const uploadMedia = /* @__PURE__ */ defineContract(() => ({
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
}));

export const createMediaUpload = /* @__PURE__ */ defineContract(() => {
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

  return {
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
    uses: { table: { PutItem: ['UPLOAD#'], UpdateItem: ['UPLOADS#'] }, bucket: { PutObject: ['uploads/'] } },
  };
});

export const completeMediaUpload = /* @__PURE__ */ defineContract(() => ({
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
  uses: {
    table: { GetItem: ['UPLOAD#'], UpdateItem: ['UPLOAD#'] },
    bucket: { GetObject: ['uploads/'], ListBucket: ['uploads/'] },
    upstream: 'call',
  },
  timeoutSeconds: maxTimeoutSeconds,
}));

export const deleteMedia = /* @__PURE__ */ defineContract(() => ({
  name: 'delete-media',
  method: 'DELETE',
  path: mediaPath,
  summary: 'Delete a file',
  description:
    'Deletes a file of this number, uploaded or received, from the messaging platform, and the copies of it here. Messages that were sent with it keep it.',
  tag: 'Media',
  caller: 'number-user',
  responses: { 204: { description: 'The messaging platform has deleted the file' } },
  throws: ['media.unknown', 'media.expired'],
  uses: {
    table: { PutItem: ['MEDIA#'] },
    bucket: { DeleteObject: ['media/'], ListBucket: ['media/'] },
    upstream: 'call',
  },
}));
