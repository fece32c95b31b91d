import { describe, expect, it } from 'vitest';
import { callAccesses } from './call-accesses.ts';

const keyNames = new Map([
  ['Table', 'pk'],
  ['Table/gsi1', 'gsi1pk'],
]);
const TableName = 'Table';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const values = { ':pk': { S: 'A#1' }, ':prefix': { S: 'B#' } };

describe('callAccesses', () => {
  it.each([
    ['GetItem', { TableName, Key: key('A#1') }],
    ['UpdateItem', { TableName, Key: key('A#1') }],
    ['PutItem', { TableName, Item: { ...key('A#1'), gsi1pk: { S: 'C' } } }],
    [
      'Query',
      {
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: values,
      },
    ],
    [
      'Query',
      {
        TableName,
        KeyConditionExpression: '#sk = :prefix AND #partition=:pk',
        ExpressionAttributeNames: { '#partition': 'pk', '#sk': 'sk' },
        ExpressionAttributeValues: values,
      },
    ],
  ])('finds the partition key that %s names', (operation, call) => {
    expect(callAccesses(operation, call, keyNames)).toEqual([
      { action: operation, table: 'Table', leadingKeys: ['A#1'] },
    ]);
  });

  it("finds the index's own partition key in a query of an index", () => {
    const KeyConditionExpression = 'gsi1pk = :pk AND gsi1sk < :prefix';
    const call = { TableName, IndexName: 'gsi1', KeyConditionExpression, ExpressionAttributeValues: values };
    expect(callAccesses('Query', call, keyNames)).toEqual([
      { action: 'Query', table: 'Table', index: 'gsi1', leadingKeys: ['A#1'] },
    ]);
  });

  it('finds every key of a batch', () => {
    const read = { RequestItems: { Table: { Keys: [key('A#1'), key('B#1')] } } };
    expect(callAccesses('BatchGetItem', read, keyNames)).toEqual([
      { action: 'BatchGetItem', table: 'Table', leadingKeys: ['A#1', 'B#1'] },
    ]);
    const written = {
      RequestItems: { Table: [{ PutRequest: { Item: key('A#1') } }, { DeleteRequest: { Key: key('B#1') } }] },
    };
    expect(callAccesses('BatchWriteItem', written, keyNames)).toEqual([
      { action: 'BatchWriteItem', table: 'Table', leadingKeys: ['A#1', 'B#1'] },
    ]);
  });

  it('finds the partition in the table as well in a query of an index that continues', () => {
    const ExclusiveStartKey = { ...key('D#1'), gsi1pk: { S: 'A#1' }, gsi1sk: { S: 'x' } };
    const call = { TableName, ExclusiveStartKey, ExpressionAttributeValues: values };
    const ofIndex = { ...call, IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :pk' };
    expect(callAccesses('Query', ofIndex, keyNames)).toMatchObject([{ leadingKeys: ['A#1', 'D#1'] }]);
    const ofTable = { ...call, KeyConditionExpression: 'pk = :pk' };
    expect(callAccesses('Query', ofTable, keyNames)).toMatchObject([{ leadingKeys: ['A#1'] }]);
  });

  it('treats a transaction as the actions of its items, each with the keys of all items in the same table', () => {
    const call = {
      TransactItems: [
        { Put: { TableName, Item: key('A#1') } },
        { ConditionCheck: { TableName, Key: key('B#1') } },
        { Delete: { TableName: 'Other', Key: key('C#1') } },
      ],
    };
    expect(callAccesses('TransactWriteItems', call, new Map([...keyNames, ['Other', 'pk']]))).toEqual([
      { action: 'PutItem', table: 'Table', leadingKeys: ['A#1', 'B#1'] },
      { action: 'ConditionCheckItem', table: 'Table', leadingKeys: ['A#1', 'B#1'] },
      { action: 'DeleteItem', table: 'Other', leadingKeys: ['C#1'] },
    ]);
  });

  it('rejects a table or an index that is not in the template', () => {
    expect(() => callAccesses('GetItem', { TableName: 'Other', Key: key('A#1') }, keyNames)).toThrow('Other');
  });
});
