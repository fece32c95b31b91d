import type { CreateTableCommandInput, TableDescription } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import type { Template } from './template.ts';

export interface TableDefinition {
  readonly logicalId: string;
  readonly createTable: CreateTableCommandInput;
}

/** What CreateTable takes and DescribeTable returns. */
export type TableKeys = Pick<TableDescription, 'TableName' | 'KeySchema' | 'GlobalSecondaryIndexes'>;

/** The names of the partition keys of tables and indexes, by `table` or `table/index`. */
export function partitionKeys(tables: readonly TableKeys[]): Map<string, string> {
  return new Map(
    tables.flatMap(({ TableName, KeySchema: schema, GlobalSecondaryIndexes = [] }) => [
      [String(TableName), partitionKey(schema)] as const,
      ...GlobalSecondaryIndexes.map(
        (index) => [`${TableName}/${index.IndexName}`, partitionKey(index.KeySchema)] as const,
      ),
    ]),
  );
}

const partitionKey = (schema: TableKeys['KeySchema']) =>
  String(schema?.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName);

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const propertiesSchema = z.object({
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.optional(
    z.array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({
          ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: z.optional(z.array(z.string())),
        }),
      }),
    ),
  ),
  LocalSecondaryIndexes: z.optional(z.undefined('the local world serves no local secondary indexes')),
  StreamSpecification: z.optional(z.undefined('the local world serves no table streams')),
});

/** The tables, each as the input of a CreateTable call (on demand, whatever the template bills). */
export function readTables(template: Template, resolve: Resolve): TableDefinition[] {
  return mapResources(
    template,
    resolve,
    'AWS::DynamoDB::GlobalTable',
    propertiesSchema,
    ({ logicalId, properties: { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } }): TableDefinition => ({
      logicalId,
      createTable: {
        TableName: physicalName(template, logicalId),
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions,
        KeySchema,
        ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
      },
    }),
  );
}
