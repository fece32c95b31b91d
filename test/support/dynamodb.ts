import type { KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { startEngine } from '#local/aws/dynamodb/engine.ts';
import { openTable, type Table } from '#shared/adapters/dynamodb/table.ts';
import { CreateTableCommand } from '#support/dynamodb-commands.ts';

export interface TestTable {
  table: Table;
  /** Where the engine listens, for a client or a process of one's own. */
  endpoint: string;
  close(): Promise<void>;
}

/**
 * An empty table, keyed and indexed as the deployed one, in a DynamoDB engine of its own that keeps nothing on disk.
 */
export async function startTestTable(): Promise<TestTable> {
  const engine = await startEngine();
  const table = openTable('messaging-test', {
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const close = async () => {
    table.client.destroy();
    await engine.close();
  };
  try {
    await createTable(table);
  } catch (error) {
    await close();
    throw error;
  }
  return { table, endpoint: engine.url, close };
}

async function createTable({ client, name }: Table): Promise<void> {
  const indexes = ['gsi1', 'gsi2'];
  const attributes = ['pk', 'sk', ...indexes.flatMap((index) => [`${index}pk`, `${index}sk`])];
  await client.send(
    new CreateTableCommand({
      TableName: name,
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
}

function keySchema(partition: string, sort: string): KeySchemaElement[] {
  return [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];
}
