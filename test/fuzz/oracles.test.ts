import { describe, expect, it } from 'vitest';
import { errorTable } from '#docs/write/error-table.ts';
import { apiDocument } from '#functions/api/get-openapi/document.ts';
import { operations as contracts } from '#functions/operations.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { type OpenApi, readOperations } from './document.ts';
import type { FuzzResponse } from './http.ts';
import { logFaults, worldFaults } from './log-faults.ts';
import { createOracles } from './oracles.ts';
import { createPool } from './pool.ts';
import { createRandom, requestSeed } from './random.ts';
import { type FuzzRequest, makeRequest } from './requests.ts';
import { createTableClient } from './table-client.ts';
import { createValues } from './values.ts';

const document = apiDocument(contracts, 'http://localhost') as unknown as OpenApi;
const operations = readOperations(document);
const workspace = '11111111-1111-4111-8111-111111111111';
const number = '33333331-3333-4333-8333-333333333331';
const world = {
  app_secret: 'the-app-secret',
  verify_token: 'verify',
  workspaces: [{ id: workspace, waba_id: '1', name: 'Acme' }],
  numbers: [
    { id: number, workspace, phone_number_id: '2', display_phone_number: '3', calling_enabled: true, active: true },
  ],
  tokens: { owner: 'owner-token', member: 'member-token', stranger: 'stranger-token' },
  aws: { table_name: 'the-table', bucket_name: 'the-bucket', upstream_secret: 'the-secret-name' },
} as unknown as WorldDescription;

const faultsOf = createOracles(document, operations, world);
const webhook = operations.find(({ id }) => id === 'getWebhook');
if (!webhook) throw new Error('There is no such operation');

const read: FuzzRequest = {
  operation: webhook,
  principal: 'owner',
  method: 'GET',
  target: `/v2/messaging/numbers/${number}/webhook`,
  headers: {},
  body: undefined,
};
const settings = { webhook: null, secondary_webhook: null, calls_webhook: null };
const responseOf = (status: number, body: unknown, headers: FuzzResponse['headers'] = {}): FuzzResponse => ({
  status,
  headers: {
    'content-type': 'application/json',
    'x-request-id': '50556dd9-a1e5-466c-8339-02bdce722ea8',
    ...headers,
  },
  text: JSON.stringify(body),
});

describe('the checks of the fuzzer', () => {
  it('find no error in a correct response', () => {
    expect(faultsOf(read, responseOf(200, settings))).toEqual([]);
    expect(faultsOf(read, responseOf(404, { message: 'Number not found.' }))).toEqual([]);
    const gateway = { status: 404, headers: {}, text: '{"message":"Not Found"}' };
    expect(faultsOf(read, gateway)).toEqual([]);
  });

  it.each<[string, FuzzResponse, string, Partial<FuzzRequest>?]>([
    ['an error of the service', responseOf(500, { message: 'Oops' }), 'fails with 500'],
    ['an undeclared status', responseOf(418, { message: 'Oops' }), 'does not declare 418'],
    ['a body of another shape', responseOf(200, { webhook: 1 }), 'does not fit the schema'],
    ['a body that is not JSON', { ...responseOf(200, ''), text: '{' }, 'is not JSON'],
    ['another content type', responseOf(200, settings, { 'content-type': 'text/html' }), 'content type'],
    ['another member in an error', responseOf(404, { message: 'x', code: 1 }), 'members code,message'],
    ['no request id', responseOf(200, settings, { 'x-request-id': undefined }), 'x-request-id'],
    ['a stack trace', responseOf(404, { message: 'at handle (index.mjs:1:2)' }), 'internals'],
    ['the name of the table', responseOf(404, { message: 'the-table' }), 'leaks the-table'],
    ['a token in a header', responseOf(200, settings, { 'x-debug': 'owner-token' }), 'leaks owner-token'],
    ['a smuggled header', responseOf(200, settings, { 'x-smuggled': '1' }), 'header of the request'],
    ['a smuggled cookie', responseOf(200, settings, { 'set-cookie': ['smuggled=1'] }), 'header of the request'],
    ['a private address that was accepted', responseOf(200, { ...settings, webhook: 'https://10.0.0.1/' }), 'accepted'],
    ['a user that was accepted', responseOf(200, { ...settings, webhook: 'https://me@example.com/' }), 'accepted'],
    ['a stranger who gets in', responseOf(200, settings), 'is 200 for stranger', { principal: 'stranger' }],
    [
      'a member who does what only owners may',
      responseOf(200, { webhook: null }),
      'is 200 for member',
      { principal: 'member', target: `/v2/workspaces/${workspace}/webhook` },
    ],
    [
      'a lost header',
      responseOf(201, {}),
      'lacks location',
      { method: 'POST', target: `/v2/workspaces/${workspace}/flows` },
    ],
    ['a route that is none', responseOf(200, settings), 'does not exist', { target: '/v2/unknown' }],
    ['a foreign language', responseOf(200, settings, { 'content-language': 'es' }), 'is in es'],
  ])('find this error in a response: %s', (_, response, fault, request = {}) => {
    expect(faultsOf({ ...read, ...request }, response).join()).toContain(fault);
  });

  it('let pass a URL whose fragment only looks like an address', () => {
    const response = responseOf(200, { ...settings, webhook: 'https://example.com#@10.0.0.1/' });
    expect(faultsOf(read, response)).toEqual([]);
  });

  it('find errors, crashes and timeouts in the log, but no failures of the upstream', () => {
    const line = (level: string, message: object) => `GetFlow ${JSON.stringify({ level, message })}`;
    expect(
      logFaults([line('INFO', { event: 'request', status: 200 }), line('ERROR', { event: 'request', status: 502 })]),
    ).toEqual([]);
    const faults = [line('ERROR', { event: 'request', status: 500 }), 'GetFlow Task timed out after 3 s'];
    expect(logFaults(faults)).toEqual(faults);
    expect(worldFaults([new URIError('malformed')])).toEqual([]);
    expect(worldFaults([new TypeError('x is undefined')])).toHaveLength(1);
  });
});

describe('a client that knows only the page of errors', () => {
  const faults = createTableClient(errorTable);
  const sending = operations.find(({ id }) => id === 'sendMessage') ?? webhook;
  const error = (status: number, headers: FuzzResponse['headers'] = {}) =>
    responseOf(status, { message: 'x' }, headers);

  it.each<[string, FuzzResponse]>([
    ['a success', responseOf(200, {})],
    ['a response of the gateway', { status: 429, headers: {}, text: '{"message":"Too Many Requests"}' }],
    ['an invalid field', error(422, { 'x-error-code': 'validation_failed' })],
    ['a limit', error(429, { 'x-error-code': 'rate_limited', 'x-upstream-error-code': '130429', 'retry-after': '60' })],
    ['an unknown code', error(400, { 'x-error-code': 'upstream_rejected', 'x-upstream-error-code': '987654' })],
    ['a replay', error(400, { 'x-error-code': 'upstream_rejected', 'idempotency-replayed': 'true' })],
  ])('knows what to do about %s', (_, response) => {
    expect(faults(sending, response)).toEqual([]);
  });

  it.each<[string, FuzzResponse, string]>([
    ['no code', error(404), '404 without x-error-code'],
    ['an unlisted code', error(404, { 'x-error-code': 'gone_fishing' }), 'does not list gone_fishing'],
    ['another status', error(400, { 'x-error-code': 'validation_failed' }), 'comes with 400'],
    ['a code of other operations', error(404, { 'x-error-code': 'media_unknown' }), 'does not declare media_unknown'],
    ['a limit without a time', error(429, { 'x-error-code': 'rate_limited' }), 'says no time'],
    [
      'a time where waiting is in vain',
      error(422, { 'x-error-code': 'validation_failed', 'retry-after': '1' }),
      'change',
    ],
    [
      'another meaning of a code',
      error(400, { 'x-error-code': 'upstream_rejected', 'x-upstream-error-code': '130429' }),
      '130429 is 400',
    ],
    ['a replayed limit', error(429, { 'x-error-code': 'rate_limited', 'idempotency-replayed': 'true' }), 'is replayed'],
  ])('a client that knows only the page of errors finds %s', (_, response, fault) => {
    expect(faults(sending, response).join()).toContain(fault);
  });
});

it('the fuzzer makes the same requests for the same seed', () => {
  const requests = (seed: number) => {
    const pool = createPool(world, 'http://127.0.0.1:1', { mediaIds: ['1'], callIds: ['2'] });
    const sources = { world, pool, makeValue: createValues(document, pool) };
    return operations
      .filter(({ id }) => !/Deliveries|Events/.test(id))
      .map((operation, index) => makeRequest(createRandom(requestSeed(seed, index)), operation, sources, false));
  };
  expect(requests(7)).toEqual(requests(7));
  expect(requests(7)).not.toEqual(requests(8));
});
