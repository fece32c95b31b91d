import { expect, it } from 'vitest';
import { defineContract, type FunctionDefinition, functionsBehind, type Uses } from './contract.ts';

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
  expect(defineContract({ ...operation, caller, uses }).uses).toEqual({
    table: { BatchGetItem: ['MEDIA#', ...partitions], PutItem: ['MEDIA#'] },
    queue: true,
  });
});

it.each(['public', 'upstream'] as const)(
  'an operation for the caller %s gets nothing that it does not name',
  (caller) => {
    expect(defineContract({ ...operation, caller, uses: {} }).uses).toEqual({});
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

it('a function that serves two operations may use what either uses', () => {
  const read = defineContract({
    ...operation,
    caller: 'public',
    uses: {
      table: { GetItem: ['MEDIA#'] },
      indexes: { gsi1: ['FLOW#'], gsi2: ['WAITING#'] },
      bucket: { GetObject: ['media/'], ListBucket: true },
    },
  });
  const write = defineContract({
    ...operation,
    name: 'water-plant',
    servedBy: read.name,
    caller: 'public',
    uses: {
      table: { GetItem: ['FUNNEL#'], PutItem: ['MEDIA#'] },
      indexes: { gsi1: ['DUE#'] },
      bucket: { GetObject: ['flows/'], PutObject: ['media/'], ListBucket: true },
      queue: true,
    },
  });
  const other = defineContract({ ...operation, name: 'get-tree', caller: 'public', uses: {} });
  expect(functionsBehind([read, write, other]).map(({ name, uses }) => ({ name, uses }))).toEqual([
    {
      name: 'get-plant',
      uses: {
        table: { GetItem: ['FUNNEL#', 'MEDIA#'], PutItem: ['MEDIA#'] },
        indexes: { gsi1: ['DUE#', 'FLOW#'], gsi2: ['WAITING#'] },
        bucket: { GetObject: ['flows/', 'media/'], PutObject: ['media/'], ListBucket: true },
        queue: true,
      },
    },
    { name: 'get-tree', uses: {} },
  ]);
  expect(() => functionsBehind([write])).toThrow('get-plant');
});
