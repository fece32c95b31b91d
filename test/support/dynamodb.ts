import type { KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { accountId } from '#local/aws/base/account.ts';
import { startDynamoDbFront } from '#local/aws/dynamodb/front.ts';
import { openTable, type Table } from '#shared/adapters/dynamodb/table.ts';
import { CreateTableCommand } from '#support/dynamodb-commands.ts';
import { startMemoryEngine } from '#support/memory-engine.ts';

export interface TestTable {
  table: Table;
  /** Where DynamoDB listens, for a client or a process of one's own. */
  endpoint: string;
  close(): Promise<void>;
}

const name = 'messaging-test';
const indexes = ['gsi1', 'gsi2'];

/**
 * An empty table, keyed and indexed as the deployed one, in a database of its own that keeps nothing on disk. Calls pass
 * the front that the local world has before its engine, so they are held to the same rules.
 */
export async function startTestTable(): Promise<TestTable> {
  const engine = await startMemoryEngine();
  const region = 'us-east-1';
  const partitionKeyNames = new Map([
    [name, 'pk'],
    ...indexes.map((index): [string, string] => [`${name}/${index}`, `${index}pk`]),
  ]);
  const front = await startDynamoDbFront({ engine, region, accountId, partitionKeyNames, authorize: () => undefined });
  const table = openTable(name, {
    endpoint: front.url,
    region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const close = async () => {
    table.client.destroy();
    await front.close();
    await engine.close();
  };
  try {
    await createTable(table);
  } catch (error) {
    await close();
    throw error;
  }
  return { table, endpoint: front.url, close };
}

async function createTable({ client }: Table): Promise<void> {
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
