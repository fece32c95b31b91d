import * as z from 'zod/mini';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'exchange-flow-data',
  method: 'POST',
  path: '/v2/flows/{flow}/endpoint',
  summary: 'Exchange data between a Flow on a phone and its endpoint',
  description:
    'The `endpoint_uri` that the upstream has of a Flow. Signed with `X-Hub-Signature-256`. With `endpoint_encrypted` the envelope is relayed untouched; without, it is decrypted, relayed as plain JSON and the answer encrypted.',
  tag: 'Upstream events',
  caller: 'upstream',
  answers: {
    200: { description: 'The encrypted answer, in base64', body: z.string(), mediaType: 'text/plain' },
    421: { description: 'The request cannot be decrypted: the phone fetches the public key again' },
    427: {
      description: 'The endpoint does not take the flow token any more; with its words, encrypted',
      body: z.string(),
      mediaType: 'text/plain',
    },
    432: { description: 'Not signed by the upstream' },
    502: { description: 'The endpoint did not answer, or something that a phone cannot use' },
    504: { description: 'The endpoint did not answer in time' },
  },
  errors: {
    400: 'The Flow has no endpoint',
    403: 'The Flow is blocked',
    404: 'No such Flow',
    410: 'The Flow is deprecated',
  },
  uses: {
    table: ['GetItem', 'PutItem', 'Query'],
    indexes: ['gsi1'],
    // Without ListBucket, S3 answers a missing object with 403 and not with 404.
    bucket: ['GetObject', 'ListBucket'],
    credentials: true,
    outgoing: true,
  },
});
