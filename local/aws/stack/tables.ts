import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { accountId } from '../base/account.ts';
import type { LoopbackServer } from '../base/http/loopback.ts';
import { type FrontOptions, startDynamoDbFront } from '../dynamodb/front.ts';
import { partitionKeys, readTables, type TableKeys } from '../template/tables.ts';
import type { Stack } from './stack.ts';

export interface CreatedTable {
  readonly name: string;
  /** False when an earlier run created it. */
  readonly isNew: boolean;
}

/** Creates those of the template's tables that DynamoDB does not hold yet. */
export async function createTables(stack: Stack, endpoint: string): Promise<CreatedTable[]> {
  const { region, administrator: credentials } = stack;
  const client = new DynamoDBClient({ endpoint, region, credentials });
  try {
    const created: CreatedTable[] = [];
    for (const { createTable } of readTables(stack.template, stack.resolve)) {
      created.push({ name: String(createTable.TableName), isNew: await create(client, createTable) });
    }
    return created;
  } finally {
    client.destroy();
  }
}

async function create(client: DynamoDBClient, input: CreateTableCommandInput): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}

/** Starts DynamoDB as the functions see it: the engine, behind their roles. */
export async function startDynamoDb(
  { template, region, resolve, signers, authorize }: Stack,
  engine: FrontOptions['engine'],
): Promise<LoopbackServer> {
  const own = readTables(template, resolve).map(({ createTable }) => createTable);
  const keys = partitionKeys(own.length > 0 ? own : await existingTables(engine, region));
  return startDynamoDbFront({ engine, region, accountId, partitionKeys: keys, signers, authorize });
}

/** A template without a table uses one that exists. */
async function existingTables({ url, accessKeyId }: FrontOptions['engine'], region: string): Promise<TableKeys[]> {
  const credentials = { accessKeyId, secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: url, region, credentials });
  try {
    const tables: TableKeys[] = [];
    for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
      for (const TableName of TableNames) {
        const { Table } = await client.send(new DescribeTableCommand({ TableName }));
        if (Table) tables.push(Table);
      }
    }
    return tables;
  } finally {
    client.destroy();
  }
}
