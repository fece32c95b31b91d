import * as z from 'zod/mini';
import { flowEndpointPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

/** A text, or the exact bytes of the response of an endpoint that holds the key itself. */
const sealed = z.custom<string | Buffer>((value) => typeof value === 'string' || Buffer.isBuffer(value));
z.globalRegistry.add(sealed, { type: 'string' });

export const contract = defineContract({
  name: 'exchange-flow-data',
  method: 'POST',
  path: flowEndpointPath,
  summary: 'Exchange data between a Flow on a phone and its endpoint',
  description:
    'The messaging platform calls this operation: it is the `endpoint_uri` of every Flow with an endpoint. Requests are signed with `X-Hub-Signature-256`. If `endpoint_encrypted` is `true`, the service relays the envelope untouched. Otherwise it decrypts the request, relays plain JSON, and encrypts the response.',
  tag: 'Platform events',
  caller: 'upstream',
  responses: {
    200: { description: 'The encrypted response, in base64', body: sealed, mediaType: 'text/plain' },
    421: {
      description: 'The request cannot be decrypted. The phone fetches the public key again',
      body: sealed,
      mediaType: 'text/plain',
    },
    427: {
      description:
        'The flow token is no longer accepted: by the endpoint, or by this service if it made the token and the token was altered, has expired or belongs to another Flow. The body is an encrypted message for the user',
      body: sealed,
      mediaType: 'text/plain',
    },
    432: {
      description: 'The signature is invalid, according to this service or to an endpoint that verifies it itself',
      body: sealed,
      mediaType: 'text/plain',
    },
    502: { description: 'The endpoint did not respond, or a phone cannot use its response' },
    504: { description: 'The endpoint did not respond in time' },
  },
  throws: ['flow.not-found', 'flow-endpoint.none', 'flow-endpoint.blocked', 'flow-endpoint.deprecated'],
  errors: {
    400: 'The Flow has no endpoint',
    403: 'The Flow is blocked',
    404: 'Flow not found',
    410: 'The Flow is deprecated',
  },
  traffic: 'exchanges',
  uses: {
    table: {
      BatchGetItem: ['SECRETS#', 'SUBSCRIBER#', 'WORKSPACE#'],
      GetItem: ['FLOW_JSON#', 'SENT_FLOW#', 'WORKSPACE#'],
      PutItem: ['ENVELOPE#', 'EXCHANGES#'],
      UpdateItem: ['FUNNEL#', 'SENT_FLOW#'],
    },
    indexes: { gsi1: ['FLOW#', 'WORKSPACE#'], gsi2: ['OWN_CREDENTIALS'] },
    bucket: { GetObject: ['flows/'], ListBucket: ['flows/'] },
    credentials: 'of-workspaces',
    flowKeys: 'read',
    egress: true,
  },
});
