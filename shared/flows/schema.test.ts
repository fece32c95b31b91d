import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFields } from '#shared/http/validation.ts';
import type { BodyCheck } from '#shared/operations/middleware.ts';
import { endpointUrlFault } from '#support/deployment.ts';
import {
  faults,
  isString,
  itRejects,
  itRejectsForeignMembers,
  type Mutation,
  notOf,
} from '#support/http/schema-properties.ts';
import { endpointUrlErrors, newFlow } from './schema.ts';

const check: BodyCheck = (body) => endpointUrlErrors(body, endpointUrlFault);

const name = fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const categories = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8], { minLength: 1 });
const url = fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }).filter((text) => text.length <= 2_000);

const validFlow = fc.oneof(
  fc.record({ name, categories }),
  fc.record({ name, categories, endpoint_url: fc.constant(null) }),
  fc.record({ name, categories, endpoint_encrypted: fc.boolean() }),
  fc.record({ name, categories, endpoint_url: fc.constant(null), endpoint_encrypted: fc.boolean() }),
  fc.record({ name, categories, endpoint_url: url, endpoint_encrypted: fc.boolean() }),
);

const flowMutations: Mutation[] = [
  ['name', fc.constant(undefined)],
  ['name', notOf(isString)],
  ['name', fc.constantFrom('', ' ', '\t\n', '\u00a0', 'x'.repeat(201), '\ud800', 'half \udc00')],
  ['categories', fc.constant(undefined)],
  ['categories', notOf(Array.isArray)],
  ['categories', fc.constant([])],
  ['categories', categories.map((ids) => [...ids, ids[0]])],
  ['categories', fc.constantFrom(0, 9, -1, 1.5, '1', 'SIGN_UP', null, [1], true).map((id) => [id]), 'categories.0'],
  ['endpoint_url', notOf((value) => isString(value) || value === null)],
  ['endpoint_url', fc.constantFrom('', 'x', 'http://example.com', 'ftp://example.com', 'https://user:pw@example.com')],
  ['endpoint_url', fc.constant(`https://example.com/${'x'.repeat(2_000)}`)],
  ['endpoint_encrypted', notOf((value) => typeof value === 'boolean')],
];

describe('the body of a create', () => {
  it('is returned as it was sent', () => {
    fc.assert(
      fc.property(validFlow, (body) => {
        expect(parseFields(newFlow, body)).toEqual(body);
      }),
    );
  });

  itRejects(newFlow, validFlow, flowMutations, check);
  itRejectsForeignMembers(newFlow, validFlow);

  it('needs endpoint_encrypted with an endpoint_url', () => {
    fc.assert(
      fc.property(name, categories, url, (text, ids, endpoint_url) => {
        expect(faults(newFlow, { name: text, categories: ids, endpoint_url }, check)).toEqual(['endpoint_encrypted']);
      }),
    );
  });

  it('is rejected with an endpoint_url of the service itself', () => {
    const body = { name: 'x', categories: [1], endpoint_encrypted: true };
    expect(faults(newFlow, { ...body, endpoint_url: 'https://api.example.com/v2' }, check)).toEqual(['endpoint_url']);
  });

  it('is rejected with all errors at once', () => {
    expect(faults(newFlow, { name: 5, categories: [0, 1, 9], endpoint_url: 'x' }, check)).toEqual([
      'name',
      'categories.0',
      'categories.2',
      'endpoint_url',
      'endpoint_encrypted',
    ]);
  });

  it('accepts a name of 200 characters', () => {
    expect(faults(newFlow, { name: 'x'.repeat(200), categories: [1] }, check)).toEqual([]);
  });
});

it.each(['malformed', 'host', 'port', 'forbidden-address', 'own-address'] as const)(
  'an endpoint with the fault %s gets the text that webhooks get',
  (fault) => {
    const errors = endpointUrlErrors({ endpoint_url: 'https://x.example' }, () => fault);
    expect(errors).toEqual([{ field: 'endpoint_url', rule: `url_${fault}`, values: {} }]);
  },
);

it('a name has 200 characters, each emoji being one', () => {
  const parse = (length: number) => newFlow.safeParse({ name: '😀'.repeat(length), categories: [1] }).success;
  expect([parse(200), parse(201)]).toEqual([true, false]);
});
