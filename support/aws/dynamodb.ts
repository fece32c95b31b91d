import { CreateTableCommand, DynamoDBClient, type KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { accountId } from '#local/aws/base/account.ts';
import { startDynamoDbFront } from '#local/aws/dynamodb/front.ts';
import type { Connection } from '#shared/aws/connection.ts';
import { openTable, type Table } from '#shared/aws/table.ts';
import { startMemoryEngine } from '#support/aws/memory-engine.ts';
import { testCredentials, testSigners } from './aws-credentials.ts';

export interface TestTable {
  table: Table;
  /** Where DynamoDB listens, for a client or a process that a test starts. */
  endpoint: string;
  close(): Promise<void>;
}

export const tableName = 'messaging-test';
const indexes = ['gsi1', 'gsi2'];
const partitionKeys = new Map([
  [tableName, 'pk'],
  ...indexes.map((index): [string, string] => [`${tableName}/${index}`, `${index}pk`]),
]);

/**
 * An empty table with the keys and indexes of the deployed one, in a database of its own that keeps nothing on disk.
 * Calls pass through the front of the local world.
 */
export async function startTestTable(): Promise<TestTable> {
  const engine = await startMemoryEngine();
  const region = 'us-east-1';
  const front = await startDynamoDbFront({
    ...{ engine, region, accountId, partitionKeys },
    signers: testSigners,
    authorize: () => undefined,
  });
  // On a busy machine, an engine may take seconds.
  const connection = { endpoint: front.url, region, credentials: testCredentials, timeoutMs: 60_000 };
  const table = openTable(tableName, connection);
  const close = async () => {
    table.client.destroy();
    await front.close();
    await engine.close();
  };
  try {
    await createTable(connection);
  } catch (error) {
    await close();
    throw error;
  }
  return { table, endpoint: front.url, close };
}

/** Creates the table of the tests in a database. */
export async function createTable(connection: Connection): Promise<void> {
  const client = new DynamoDBClient(connection);
  const attributes = ['pk', 'sk', ...indexes.flatMap((index) => [`${index}pk`, `${index}sk`])];
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: attributes.map((attribute) => ({ AttributeName: attribute, AttributeType: 'S' })),
        KeySchema: keySchema('pk', 'sk'),
        GlobalSecondaryIndexes: indexes.map((index) => ({
          IndexName: index,
          KeySchema: keySchema(`${index}pk`, `${index}sk`),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        })),
      }),
    );
  } finally {
    client.destroy();
  }
}

function keySchema(partition: string, sort: string): KeySchemaElement[] {
  return [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];
}
