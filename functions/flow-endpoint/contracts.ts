import * as z from 'zod/mini';
import { maxTimeoutSeconds } from '#shared/base/time-limits.ts';
import { exchangeListSchema } from '#shared/flow-endpoint/schema.ts';
import { fileResponse } from '#shared/http/members.ts';
import { flowEndpointPath, flowFilePath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const listFlowExchanges = /* @__PURE__ */ defineContract(() => ({
  name: 'list-flow-exchanges',
  method: 'GET',
  path: '/v2/workspaces/{workspace}/flows/{flow}/endpoint/exchanges',
  summary: 'List the exchanges with the endpoint of a Flow',
  description:
    'Lists the last 50 exchanges of the last 30 days, newest first, with their time, subject, duration and faults. They never contain the exchanged data. If `endpoint_encrypted` is `true`, the action and the screen are also absent, because only you can read them.',
  tag: 'Flows',
  caller: 'workspace-owner',
  responses: { 200: { description: 'The exchanges', body: exchangeListSchema } },
  uses: { table: { Query: ['EXCHANGES#'] } },
}));

export const exchangeFlowData = /* @__PURE__ */ defineContract(() => {
  /** A text, or the exact bytes of the response of an endpoint that holds the key itself. */
  const sealed = z.custom<string | Buffer>((value) => typeof value === 'string' || Buffer.isBuffer(value));
  z.globalRegistry.add(sealed, { type: 'string' });
  const response = (description: string) => ({ description, body: sealed, mediaType: 'text/plain' });

  return {
    name: 'exchange-flow-data',
    method: 'POST',
    path: flowEndpointPath,
    summary: 'Exchange data between a Flow on a phone and its endpoint',
    description:
      'The messaging platform calls this operation: it is the `endpoint_uri` of every Flow with an endpoint. Requests are signed with `X-Hub-Signature-256`. If `endpoint_encrypted` is `true`, the service relays the envelope untouched. Otherwise it decrypts the request, relays plain JSON, and encrypts the response.',
    tag: 'Platform events',
    caller: 'upstream',
    responses: {
      200: response('The encrypted response, in base64'),
      421: response('The request cannot be decrypted. The phone fetches the public key again'),
      427: response(
        'The flow token is no longer accepted: by the endpoint, or by this service if it made the token and the token was altered, has expired or belongs to another Flow. The body is an encrypted message for the user',
      ),
      432: response('The signature is invalid, according to this service or to an endpoint that verifies it itself'),
      502: { description: 'The endpoint did not respond, or a phone cannot use its response' },
      504: { description: 'The endpoint did not respond in time' },
    },
    throws: ['flow.not-found', 'flow-endpoint.none', 'flow-endpoint.blocked', 'flow-endpoint.deprecated'],
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
  };
});

export const getFlowFile = /* @__PURE__ */ defineContract(() => ({
  name: 'get-flow-file',
  method: 'GET',
  path: flowFilePath,
  summary: 'Download a file that a contact picked in a Flow',
  description:
    "Returns the decrypted file. The endpoint of a Flow with `endpoint_encrypted: false` gets this address in the contact's request. It needs no token, because the address is secret, and works for an hour. The file is fetched from the messaging platform and verified for each request.",
  tag: 'Flows',
  caller: 'public',
  responses: {
    200: {
      ...fileResponse('The file. Types that a browser could execute are returned as `application/octet-stream`.'),
      headers: { 'content-disposition': 'Always `attachment`' },
    },
    302: {
      description: 'The file is too large for a response of this API. Read it from `location`',
      headers: { location: 'A URL that works for five minutes' },
    },
  },
  throws: ['flow-file.not-found', 'media.expired', 'media.too-large', 'flow-file.altered', 'flow-file.unavailable'],
  uses: {
    table: { GetItem: ['SUBSCRIBER#', 'WORKSPACE#'] },
    indexes: { gsi1: ['FLOW#'] },
    bucket: { AbortMultipartUpload: ['media/'], GetObject: ['media/'], PutObject: ['media/'] },
    flowKeys: 'read',
    mediaHosts: true,
    customerUrls: true,
  },
  timeoutSeconds: maxTimeoutSeconds,
}));
