import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';
import { fileAnswer } from '#shared/http/schemas.ts';

const fileHeaders = {
  'content-length': 'Bytes of this answer',
  'content-disposition': 'Always an attachment, named by the id',
  'accept-ranges': '`bytes`',
  etag: 'Strong, of the SHA-256 of the file; for `If-None-Match` and `If-Range`',
};

export const contract = defineContract({
  name: 'get-media',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/media/{id}',
  summary: 'Download received media',
  description:
    'The file of a message that the number received, by the `id` of its media object. Follow redirects, without sending the access token along. `Range` (one range) and `If-None-Match` are honoured.',
  tag: 'Media',
  caller: 'number-user',
  answers: {
    200: {
      ...fileAnswer('The file. Types that a browser could run go out as `application/octet-stream`.'),
      headers: fileHeaders,
    },
    206: {
      ...fileAnswer('The range of the file that `Range` asks for'),
      headers: { ...fileHeaders, 'content-range': 'Which bytes, and of how many' },
    },
    302: {
      description: 'The file is too large for an answer of this API: it is read elsewhere',
      headers: { location: 'Where, for five minutes; needs no token and must not be sent one' },
    },
    304: {
      description: 'The client has the file: `If-None-Match` names its entity tag',
      headers: { etag: fileHeaders.etag },
    },
    416: {
      description: 'The range begins beyond the end of the file',
      body: z.object({ message: z.string() }),
      headers: { 'content-range': 'How many bytes there are' },
    },
  },
  errors: {
    400: 'Refused by the upstream',
    404: 'No such number, no media of this id for it, or it has expired: `message` says which',
    502: 'The upstream failed, or what it delivered is not the file that it announced',
    503: 'A large file is still on its way; `Retry-After` says when to come again',
    504: 'The upstream did not deliver the file in time',
  },
  uses: {
    table: ['BatchGetItem', 'GetItem', 'PutItem'],
    reads: ['MEDIA#', 'NUMBER#', 'TOKEN#', 'WORKSPACE#'],
    writes: ['MEDIA#'],
    bucket: ['AbortMultipartUpload', 'GetObject', 'PutObject'],
    bucketPrefixes: ['media/'],
    upstream: true,
  },
  timeoutSeconds: 29,
});
