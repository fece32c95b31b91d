import { expect, it } from 'vitest';
import { errorsOf, exampleData, flowWith, pointedAt } from '#support/flows/flow-json.ts';

const withField = (schema: unknown, name = 'field') => flowWith([], { data: { ...exampleData, [name]: schema } });

it.each([
  { type: 'string', __example__: '' },
  { type: 'integer', __example__: 5 },
  { type: 'array', items: { type: 'array', items: { type: 'number' } }, __example__: [[1], []] },
  { type: 'object', __example__: { any: 1 } },
  { type: 'object', properties: { a: { type: 'object', properties: {} } }, __example__: {} },
  { type: 'string', enum: ['a'], __example__: 'a' },
])('%j is a valid schema', (schema) => {
  expect(errorsOf(withField(schema))).toEqual([]);
});

it.each([
  'string',
  null,
  {},
  { type: 'string' },
  { __example__: 'x' },
  { type: 'null', __example__: null },
  { type: ['string'], __example__: 'x' },
  { type: 'date', __example__: 'x' },
  { type: 'array', __example__: [] },
  { type: 'string', __example__: 5 },
  { type: 'number', __example__: '5' },
  { type: 'boolean', __example__: null },
  { type: 'array', items: { type: 'string' }, __example__: [5] },
  { type: 'array', items: { type: 'string', __example__: 'x' }, __example__: [] },
  { type: 'object', properties: { a: { type: 'string' } }, __example__: { a: 5 } },
  { type: 'object', properties: { a: { type: 'text' } }, __example__: {} },
])('%j is not a valid schema', (schema) => {
  expect(errorsOf(withField(schema))).toEqual(['INVALID_SCREEN_DATA']);
});

it.each(['a-b', 'a b', "a'b", 'a"b', 'a`b'])('%j is not a valid name', (name) => {
  expect(pointedAt(withField({ type: 'string', __example__: '' }, name))).toEqual([
    ['PROPERTY_NAME_MISMATCH', JSON.stringify(name)],
  ]);
});

it('an example that does not fit its schema is reported at its position', () => {
  expect(pointedAt(withField({ type: 'number', __example__: 'many' }))).toEqual([['INVALID_SCREEN_DATA', '"many"']]);
});
