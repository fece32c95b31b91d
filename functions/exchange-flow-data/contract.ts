import * as z from 'zod/mini';
import { defineContract } from '#shared/http/contract.ts';

/** Text, but what an endpoint that holds the key itself answers is handed on to the byte, whatever it is. */
const sealed = z.custom<string | Buffer>((value) => typeof value === 'string' || Buffer.isBuffer(value));
z.globalRegistry.add(sealed, { type: 'string' });

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
    200: { description: 'The encrypted answer, in base64', body: sealed, mediaType: 'text/plain' },
    421: {
      description: 'The request cannot be decrypted: the phone fetches the public key again',
      body: sealed,
      mediaType: 'text/plain',
    },
    427: {
      description: 'The endpoint does not take the flow token any more; with its words, encrypted',
      body: sealed,
      mediaType: 'text/plain',
    },
    432: {
      description: 'Not signed by the upstream, or so an endpoint says that holds the key itself',
      body: sealed,
      mediaType: 'text/plain',
    },
    502: { description: 'The endpoint did not answer, or something that a phone cannot use' },
    504: { description: 'The endpoint did not answer in time' },
  },
  errors: {
    400: 'The Flow has no endpoint',
    403: 'The Flow is blocked',
    404: 'No such Flow',
    410: 'The Flow is deprecated',
  },
  traffic: 'exchanges',
  uses: {
    table: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
    indexes: ['gsi1'],
    reads: ['FLOW#', 'FLOW_JSON#', 'NUMBER#', 'WORKSPACE#'],
    writes: ['EXCHANGES#', 'NUMBER#'],
    // Without ListBucket, S3 answers a missing object with 403 and not with 404.
    bucket: ['GetObject', 'ListBucket'],
    bucketPrefixes: ['flows/'],
    credentials: true,
    flowKeys: 'read',
    outgoing: true,
  },
});
