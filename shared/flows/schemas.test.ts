import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { anyText } from '../../test/support/arbitraries.ts';
import { parseFields } from '../http/validation.ts';
import { flowBody, flowJsonBody, flowListQuery, previewBody } from './schemas.ts';

/** The fields that an input is refused for; none when it is taken. */
function faults(schema: z.ZodMiniObject, input: unknown): string[] {
  try {
    parseFields(schema, input);
    return [];
  } catch (error) {
    return Object.keys((error as { fields: object }).fields);
  }
}

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

const number = fc.uuid({ version: [1, 4, 7] });
const validUntil = fc.integer({ min: 1, max: 6 });
const validPreview = fc.oneof(
  fc.record({ number, valid_until: validUntil }),
  fc.record({ number, valid_until: validUntil, invalidate_previous: fc.boolean() }),
);

/** JSON, as it comes out of a body: other types do not occur in one. */
const json = fc.jsonValue();
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field and values that it must be refused for, whatever the other fields are. */
type Mutation = [field: string, values: fc.Arbitrary<unknown>, named?: string];

const notOf = (isValid: (value: unknown) => boolean) => json.filter((value) => !isValid(value));
const isString = (value: unknown) => typeof value === 'string';

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

const previewMutations: Mutation[] = [
  ['number', fc.constant(undefined)],
  ['number', notOf(isString)],
  ['number', fc.string()],
  ['valid_until', fc.constant(undefined)],
  ['valid_until', notOf((value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 6)],
  ['valid_until', fc.constantFrom(0, 7, '1', 1.5, -1, 1e20, null, true, [1])],
  ['invalidate_previous', notOf((value) => typeof value === 'boolean')],
];

function itRefuses(schema: z.ZodMiniObject, valid: fc.Arbitrary<object>, mutations: Mutation[]): void {
  it.each(mutations)('refuses a wrong %s, and for this field', (field, values, named = field) => {
    fc.assert(
      fc.property(valid, values, (body, value) => {
        expect(faults(schema, { ...body, [field]: value })).toContain(named);
      }),
    );
  });
}

function itIgnoresForeignMembers(schema: z.ZodMiniObject, valid: fc.Arbitrary<object>): void {
  it('drops members that it does not know, those called like parts of every object too', () => {
    const foreign = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"id":"x","toString":1';
    fc.assert(
      fc.property(valid, (body) => {
        const parsed = parseFields(schema, JSON.parse(`{${foreign},${JSON.stringify(body).slice(1)}`));
        expect(parsed).toEqual(body);
        expect(Object.keys(parsed).toSorted()).toEqual(Object.keys(body).toSorted());
        expect({}).not.toHaveProperty('polluted');
      }),
    );
  });

  it('does not take inherited members for sent ones', () => {
    const inherited = JSON.parse('{"__proto__":{"name":"x","categories":[1],"number":"x","valid_until":1,"json":{}}}');
    expect(faults(schema, inherited)).not.toEqual([]);
  });
}

describe('the body of create and update', () => {
  it('is given as it was sent', () => {
    fc.assert(
      fc.property(validFlow, (body) => {
        expect(parseFields(flowBody, body)).toEqual(body);
      }),
    );
  });

  itRefuses(flowBody, validFlow, flowMutations);
  itIgnoresForeignMembers(flowBody, validFlow);

  it('needs endpoint_encrypted with an endpoint_url', () => {
    fc.assert(
      fc.property(name, categories, url, (text, ids, endpoint_url) => {
        expect(faults(flowBody, { name: text, categories: ids, endpoint_url })).toEqual(['endpoint_encrypted']);
      }),
    );
  });

  it('has every fault named at once', () => {
    expect(faults(flowBody, { name: 5, categories: [0, 1, 9], endpoint_url: 'x' })).toEqual([
      'name',
      'categories.0',
      'categories.2',
      'endpoint_url',
      'endpoint_encrypted',
    ]);
  });

  it('takes a name of 200 characters', () => {
    expect(faults(flowBody, { name: 'x'.repeat(200), categories: [1] })).toEqual([]);
  });
});

describe('the body of a content update', () => {
  const object = fc.dictionary(fc.string(), json);

  it('is given to the letter, members called like parts of every object among it', () => {
    fc.assert(
      fc.property(object, (content) => {
        const text = `{"__proto__":{"a":1},"constructor":null,"content":${JSON.stringify(content)}}`;
        const { json: parsed } = parseFields(flowJsonBody, JSON.parse(`{"json":${text}}`));
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  itRefuses(
    flowJsonBody,
    object.map((content) => ({ json: content })),
    [
      ['json', fc.constant(undefined)],
      ['json', notOf(isRecord)],
    ],
  );
});

describe('the body of a preview', () => {
  it('is given as it was sent', () => {
    fc.assert(
      fc.property(validPreview, (body) => {
        expect(parseFields(previewBody, body)).toEqual(body);
      }),
    );
  });

  it('takes a number in any case, and gives it as it is stored', () => {
    fc.assert(
      fc.property(validPreview, (body) => {
        expect(parseFields(previewBody, { ...body, number: body.number.toUpperCase() })).toEqual(body);
      }),
    );
  });

  itRefuses(previewBody, validPreview, previewMutations);
  itIgnoresForeignMembers(previewBody, validPreview);
});

describe('the query of the list', () => {
  it.each([0, 1, 2, 3, 4, 5])('takes status %d', (status) => {
    expect(parseFields(flowListQuery, { status: String(status) })).toEqual({ status });
  });

  it('takes every limit from 1 to 100', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (limit) => {
        expect(parseFields(flowListQuery, { limit: String(limit) })).toEqual({ limit });
      }),
    );
  });

  it.each([
    ['status', ['6', '9', '-1', '1.0', '01', '', ' ', 'DRAFT', '1,2', '１', '0x1', 'null']],
    ['limit', ['0', '101', '-1', '1.5', '1e1', '', ' 1', '1000', '+1', 'all', '1,2', '٣']],
    ['cursor', ['x'.repeat(501)]],
  ])('refuses a wrong %s', (field, texts) => {
    for (const text of texts) expect(faults(flowListQuery, { [field]: text }), text).toEqual([field]);
  });

  it('takes no other text for a status or a limit', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(!/^\d{1,3}$/.test(text));
        expect(faults(flowListQuery, { status: text, limit: text })).toEqual(['status', 'limit']);
      }),
    );
  });

  it('drops parameters that it does not know', () => {
    expect(parseFields(flowListQuery, JSON.parse('{"__proto__":"1","page":"2","status":"1"}'))).toEqual({ status: 1 });
  });
});
