import { expect, it } from 'vitest';
import { defineContract } from '#shared/http/contract/contract.ts';
import { checkDeclaredError } from './declared-error.ts';

const contract = defineContract({
  name: 'water-plant',
  method: 'POST',
  path: '/v2/plants',
  summary: 'Waters a plant',
  tag: 'Plants',
  caller: 'user',
  responses: { 204: { description: 'It has water' }, 404: { description: 'A page without a code' } },
  throws: ['flow.busy', 'media.unknown'],
  uses: {},
});

const check = (status: number, headers: Record<string, string> = {}) =>
  checkDeclaredError(contract, status, (name) => headers[name]);

it.each<[number, Record<string, string>]>([
  [204, {}],
  [401, { 'x-error-code': 'unauthenticated' }],
  [409, { 'x-error-code': 'flow_busy', 'retry-after': '1' }],
  [500, { 'x-error-code': 'internal_error' }],
  [404, {}],
])('a response that the contract declares passes: %s', (status, headers) => {
  expect(() => check(status, headers)).not.toThrow();
});

it.each<[string, number, Record<string, string>]>([
  ['does not declare media_expired with 400', 400, { 'x-error-code': 'media_expired' }],
  ['does not declare flow_busy with 400', 400, { 'x-error-code': 'flow_busy' }],
  ['does not declare undefined with 401', 401, {}],
  ['lacks the Retry-After of flow_busy', 409, { 'x-error-code': 'flow_busy' }],
  [
    'does not declare the Retry-After of unauthenticated',
    401,
    { 'x-error-code': 'unauthenticated', 'retry-after': '1' },
  ],
])('a response fails the test if the contract %s', (fault, status, headers) => {
  expect(() => check(status, headers)).toThrow(`water-plant ${fault}`);
});
