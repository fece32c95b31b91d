import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTable, type Table } from '../shared/storage/table.ts';
import type { TargetOptions } from './command-line.ts';
import { Refusal, UsageError } from './failures.ts';

/** Opens the table to work on: the local world's, or a deployment's by the AWS SDK's own credentials and region. */
export async function openTarget({ local, table }: TargetOptions): Promise<Table> {
  if (local && table !== undefined) throw new UsageError('Give --local or --table NAME, not both.');
  if (local) return openLocalTable(process.env.LOCAL_DATA_DIR || '.local');
  const name = table ?? process.env.TABLE_NAME;
  if (name) return openTable(name);
  throw new UsageError('Which service? Give --local for the local world, or --table NAME (or set TABLE_NAME).');
}

async function openLocalTable(dataDir: string): Promise<Table> {
  const world = await readWorld(join(dataDir, 'world.json'));
  // Its DynamoDB checks no credentials, but the SDK sends nothing without some.
  return openTable(world.tableName, {
    endpoint: world.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}

async function readWorld(file: string): Promise<{ endpoint: string; tableName: string }> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch {
    throw new Refusal(
      `There is no ${file}: start the local world with "npm start", or set LOCAL_DATA_DIR to its folder.`,
    );
  }
  const { dynamodb, table_name } = parseWorld(content)?.aws ?? {};
  if (typeof dynamodb !== 'string' || !URL.canParse(dynamodb) || typeof table_name !== 'string') {
    throw new Refusal(`${file} does not say where the table is: restart the local world with "npm start".`);
  }
  return { endpoint: dynamodb, tableName: table_name };
}

function parseWorld(content: string): { aws?: { dynamodb?: unknown; table_name?: unknown } } | null {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
