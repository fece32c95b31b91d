import { join } from 'node:path';
import { openTable, type Table } from '#shared/aws/table.ts';
import { findJava, startDynamoDbLocal } from './aws/dynamodb/dynamodb-local.ts';
import { findDynoxide, installDynoxide, startDynoxide, thisPlatform } from './aws/dynamodb/dynoxide.ts';
import { type Engine, keptAccessKeyId } from './aws/dynamodb/engine.ts';
import { isDynamoDb } from './aws/dynamodb/probe.ts';
import type { Stack } from './aws/stack/stack.ts';
import { createTables } from './aws/stack/tables.ts';
import type { Part } from './parts.ts';
import { OptionError } from './start/options.ts';

/**
 * Starts the first engine that this machine has: the one at `url`, dynoxide, which npm installs where it can, or Amazon's
 * DynamoDB Local, which needs Java.
 *
 * @throws OptionError if there is none, EngineError if it does not start
 */
export async function startDatabase(
  folder: string,
  url: string | undefined,
  onWarning: (text: string) => void = () => undefined,
): Promise<Engine> {
  const accessKeyId = keptAccessKeyId(join(folder, 'access-key-id'));
  if (url !== undefined) return findRunning(url, accessKeyId);
  const dynoxide = findDynoxide();
  if (dynoxide !== undefined) {
    if (process.platform !== 'linux') onWarning(exposure);
    return startDynoxide({ program: dynoxide, accessKeyId, file: join(folder, 'dynoxide.db') });
  }
  const java = findJava();
  if (java !== undefined) return startDynamoDbLocal({ java, accessKeyId, folder: join(folder, 'dynamodb-local') });
  throw new OptionError(
    `The local world needs a DynamoDB engine, and this machine (${thisPlatform}) has none: ${waysToAnEngine(thisPlatform)}.`,
  );
}

async function findRunning(url: string, accessKeyId: string): Promise<Engine> {
  if (await isDynamoDb(url, accessKeyId)) return { url, accessKeyId, close: async () => undefined };
  throw new OptionError(
    `No DynamoDB engine responds at ${url}, which AWS_ENDPOINT_URL_DYNAMODB names: start it, or unset the variable.`,
  );
}

const exposure =
  'warning: dynoxide listens at 127.0.0.1, where a web page that finds its port could read and change the data. ' +
  "To use Amazon's DynamoDB Local, install Java 17 and remove the folder node_modules/@dynoxide.";

/** What helps on a machine without an engine, the best first: outside Linux, web pages could find dynoxide. */
export function waysToAnEngine(platform: string): string {
  const command = installDynoxide(platform);
  const dynoxide = command === undefined ? [] : [`run "${command}"`];
  const java = ['install Java 17'];
  const ways = platform.startsWith('linux') ? [...dynoxide, ...java] : [...java, ...dynoxide];
  return [...ways, 'set AWS_ENDPOINT_URL_DYNAMODB to the address of an engine'].join(', or ');
}

/**
 * Milliseconds for one attempt of a call to the local AWS. That is longer than on AWS: on a busy machine, an engine may
 * take seconds. Three attempts fit into the time of every function.
 */
export const localAttemptMs = 6_000;

/** Opens the stack's table as the administrator. `fill` puts the first items into a new table. */
export async function openStackTable(
  stack: Stack,
  endpoint: string,
  fill: (table: Table) => Promise<void>,
): Promise<Table & Part> {
  const created = await createTables(stack, endpoint);
  const name = stack.output('TableName');
  const { region, administrator: credentials } = stack;
  const table = openTable(name, { endpoint, region, credentials, timeoutMs: localAttemptMs });
  if (created.some((one) => one.name === name && one.isNew)) await fill(table);
  return { ...table, close: () => table.client.destroy() };
}
