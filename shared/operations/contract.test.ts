import { expect, it } from 'vitest';
import { defineContract, type FunctionDefinition, type Uses } from './contract.ts';

const operation = {
  name: 'get-plant',
  method: 'GET',
  path: '/v2/plants',
  summary: 'Reads a plant',
  tag: 'Plants',
  responses: { 200: { description: 'The plant' } },
} as const;

it.each([
  ['user', ['TOKEN#']],
  ['workspace-member', ['TOKEN#', 'WORKSPACE#']],
  ['workspace-owner', ['TOKEN#', 'WORKSPACE#']],
  ['number-user', ['SUBSCRIBER#', 'TOKEN#', 'WORKSPACE#']],
  ['number-owner', ['SUBSCRIBER#', 'TOKEN#', 'WORKSPACE#']],
  ['number-caller', ['SUBSCRIBER#', 'TOKEN#', 'WORKSPACE#']],
] as const)('an operation for a %s may also read what tells who that is', (caller, partitions) => {
  const uses: Uses = { table: { BatchGetItem: ['MEDIA#', 'TOKEN#'], PutItem: ['MEDIA#'] }, queue: true };
  expect(defineContract(() => ({ ...operation, caller, uses })).uses).toEqual({
    table: { BatchGetItem: ['MEDIA#', ...partitions], PutItem: ['MEDIA#'] },
    queue: true,
  });
});

it.each(['public', 'upstream'] as const)(
  'an operation for the caller %s gets nothing that it does not name',
  (caller) => {
    expect(defineContract(() => ({ ...operation, caller, uses: {} })).uses).toEqual({});
  },
);

it('an action without partitions, or with a misspelt one, does not compile', () => {
  // @ts-expect-error: an action names its partitions.
  const anything: Uses = { table: ['GetItem'] };
  // @ts-expect-error: at least one.
  const none: Uses = { table: { GetItem: [] } };
  // @ts-expect-error: there is no such partition.
  const misspelt: Uses = { table: { GetItem: ['SUBSCRIBERS#'] } };
  // @ts-expect-error: nor in this index.
  const elsewhere: FunctionDefinition['uses'] = { indexes: { gsi2: ['FLOW#'] } };
  expect([anything, none, misspelt, elsewhere]).toHaveLength(4);
});
