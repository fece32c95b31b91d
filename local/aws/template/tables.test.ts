import { describe, expect, it } from 'vitest';
import { resolverOf, templateOf } from '#support/aws/template.ts';
import { readTables } from './tables.ts';

describe('readTables', () => {
  const properties = {
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'gsi1',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  };
  const read = (changes: Record<string, unknown> = {}) => {
    const template = templateOf({
      Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { ...properties, ...changes } },
    });
    return readTables(template, resolverOf(template));
  };

  it('returns the input of CreateTable', () => {
    expect(read()).toEqual([
      { logicalId: 'Table', createTable: { TableName: 'Table', BillingMode: 'PAY_PER_REQUEST', ...properties } },
    ]);
  });

  it('rejects tables that it cannot serve', () => {
    expect(() => read({ StreamSpecification: { StreamViewType: 'NEW_IMAGE' } })).toThrow('serves no table streams');
  });
});
