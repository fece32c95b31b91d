import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { fileResponse } from '#shared/http/members.ts';
import { defineContract } from '#shared/operations/contract.ts';

const fileHeaders = {
  'content-length': 'The size of this response, in bytes',
  'content-disposition': 'Always `attachment`, with the id as the file name',
  'accept-ranges': '`bytes`',
  etag: 'A strong entity tag, made from the SHA-256 of the file, for `If-None-Match` and `If-Range`',
};

export const contract = defineContract({
  name: 'get-media',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/media/{id}',
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
  errors: {
    404: 'The number does not exist, it has no media with this id, or the media has expired. `message` says which',
    416: 'The range starts after the end of the file',
    502: 'The messaging platform failed, or sent a file other than the one it announced',
    503: 'A large file is still being fetched. `Retry-After` says when to try again',
    504: 'The messaging platform did not send the file in time',
  },
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
});
